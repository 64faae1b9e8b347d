"""Parser of the log's statements into their effects on tables.

Only statements that can change a table, its rows or its name without row events matter. Anything unknown among them
raises NotUnderstood: no statement is skipped because it was not understood.
"""

from collections.abc import Iterator

from zcbus.connectors.mysql.connection.session import ServerVersion
from zcbus.connectors.mysql.statements.actions import (
    Action,
    AddColumn,
    AddKey,
    Altered,
    ChangeColumn,
    Created,
    DatabaseDropped,
    DropKey,
    Dropped,
    Emptied,
    Event,
    Renamed,
    RowsMoved,
)
from zcbus.connectors.mysql.statements.alter import AlterClauses, index_parts
from zcbus.connectors.mysql.statements.tokens import NotUnderstood, Reader, tokens_of
from zcbus.model.schema import TableName

_OTHERS = frozenset(
    [
        "VIEW",
        "TRIGGER",
        "PROCEDURE",
        "FUNCTION",
        "EVENT",
        "USER",
        "ROLE",
        "SERVER",
        "SEQUENCE",
        "DEFINER",
        "SQL",
        "ALGORITHM",
        "AGGREGATE",
        "PACKAGE",
        "LOGFILE",
        "TABLESPACE",
        "UNDO",
        "RESOURCE",
        "SPATIAL",
        "INSTANCE",
        "GROUP",
        "DATABASE",
        "SCHEMA",
    ]
)
"""Objects whose creation, alteration or removal leaves tables' rows and columns unchanged."""


def parse(statement: str, schema: str, version: ServerVersion, sql_mode: int = 0) -> list[Event]:
    """Parse a statement; `schema`: of names without one. Raises NotUnderstood."""
    return _Statement(Reader(tokens_of(statement, version, sql_mode)), schema).read()


class _Statement:
    def __init__(self, reader: Reader, schema: str) -> None:
        self._reader, self._schema = reader, schema

    def read(self) -> list[Event]:
        reader = self._reader
        if reader.skip("ALTER"):
            return self._alter()
        if reader.skip("CREATE"):
            return self._create()
        if reader.skip("DROP"):
            return self._drop()
        if reader.skip("RENAME"):
            return list(self._rename()) if reader.one_of("TABLE", "TABLES") else []
        if reader.skip("TRUNCATE"):
            reader.skip("TABLE")
            return [Emptied(self._table())]
        return []

    def _table(self) -> TableName:
        first = self._reader.name()
        if self._reader.skip("."):
            return TableName(first, self._reader.name())
        return TableName(self._schema, first)

    def _wait(self) -> None:
        if self._reader.one_of("WAIT"):
            self._reader.take()
        self._reader.one_of("NOWAIT")

    def _alter(self) -> list[Event]:
        reader = self._reader
        reader.one_of("ONLINE", "OFFLINE")
        ignoring = bool(reader.one_of("IGNORE"))
        if not reader.skip("TABLE"):
            return self._nothing()
        reader.skip("IF", "EXISTS")
        table = self._table()
        self._wait()
        read = AlterClauses(reader, self._table).read()
        # With IGNORE the server deletes rows that violate a new key.
        deletes_rows = ignoring and any(_adds_key(action) for action in read.actions)
        events: list[Event] = [RowsMoved(table)] if read.rows_moved or deletes_rows else []
        events += [Altered(table, tuple(read.actions), ignoring)] if read.actions else []
        events += [RowsMoved(read.exchanged)] if read.exchanged is not None else []
        events += [Created(read.made, False)] if read.made is not None else []
        events += [Dropped(read.taken)] if read.taken is not None else []
        return events + ([Renamed(table, read.new_name)] if read.new_name is not None else [])

    def _create(self) -> list[Event]:
        reader = self._reader
        replaces = reader.skip("OR", "REPLACE")
        if reader.word() in ("DATABASE", "SCHEMA"):
            reader.take()
            reader.skip("IF", "NOT", "EXISTS")
            return [DatabaseDropped(reader.name())] if replaces else []
        if reader.skip("TEMPORARY"):
            return []
        if reader.skip("TABLE"):
            if_missing = reader.skip("IF", "NOT", "EXISTS")
            return [Created(self._table(), if_missing)]
        reader.one_of("ONLINE", "OFFLINE")
        unique = reader.skip("UNIQUE")
        if reader.word() == "INDEX":
            return self._create_index(unique)
        return [] if reader.word(1) == "INDEX" else self._nothing()

    def _create_index(self, unique: bool) -> list[Event]:
        reader = self._reader
        reader.expect("INDEX")
        if_missing = reader.skip("IF", "NOT", "EXISTS")
        name = reader.name()
        if reader.skip("USING"):
            reader.take()
        reader.expect("ON")
        table = self._table()
        self._wait()
        parts, computed = index_parts(reader.group())
        return [Altered(table, (AddKey(name, parts, unique, computed, if_missing),))]

    def _drop(self) -> list[Event]:
        reader = self._reader
        if reader.skip("TEMPORARY"):
            return []
        if reader.one_of("TABLE", "TABLES"):
            return list(self._drop_tables())
        if reader.word() in ("DATABASE", "SCHEMA"):
            reader.take()
            reader.skip("IF", "EXISTS")
            return [DatabaseDropped(reader.name())]
        reader.one_of("ONLINE", "OFFLINE")
        if reader.skip("INDEX"):
            reader.skip("IF", "EXISTS")
            name = reader.name()
            reader.expect("ON")
            return [Altered(self._table(), (DropKey("PRIMARY" if name.upper() == "PRIMARY" else name),))]
        return self._nothing()

    def _drop_tables(self) -> Iterator[Event]:
        self._reader.skip("IF", "EXISTS")
        yield Dropped(self._table())
        while self._reader.skip(","):
            yield Dropped(self._table())

    def _rename(self) -> Iterator[Event]:
        self._reader.skip("IF", "EXISTS")
        while True:
            table = self._table()
            self._wait()
            self._reader.expect("TO")
            yield Renamed(table, self._table())
            if not self._reader.skip(","):
                return

    def _nothing(self) -> list[Event]:
        """Statements about things that are no tables."""
        if self._reader.word() in _OTHERS or self._reader.word() == "":
            return []
        raise NotUnderstood(self._reader.rest()[:60])


def _adds_key(action: Action) -> bool:
    if isinstance(action, AddColumn | ChangeColumn):
        return action.definition.unique or action.definition.primary
    return isinstance(action, AddKey) and action.unique
