"""The captured tables as the log names them: their TABLE_MAP events, and the effects of statements on them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from zcbus.connectors.errors import TableRefused
from zcbus.connectors.mysql.binlog.events import Query
from zcbus.connectors.mysql.binlog.tables import ColumnLayout, TableMap, UnknownColumnType, parse_table_map
from zcbus.connectors.mysql.capture.layout import fit, is_readable
from zcbus.connectors.mysql.capture.schema_history import SchemaTracker
from zcbus.connectors.mysql.catalog.layout import TableLayout
from zcbus.connectors.mysql.connection.session import ServerVersion
from zcbus.connectors.mysql.origin import ORIGIN_TABLE, MarkTable
from zcbus.connectors.mysql.statements.actions import (
    Altered,
    Created,
    DatabaseDropped,
    Dropped,
    Emptied,
    Event,
    Renamed,
    RowsMoved,
)
from zcbus.connectors.mysql.statements.parser import parse
from zcbus.connectors.mysql.statements.tokens import NotUnderstood, tokens_of
from zcbus.connectors.roles import CapturedTable
from zcbus.model.position import Position
from zcbus.model.schema import TableName, TableSchema


@dataclass(frozen=True)
class Captured:
    """One structure of one captured table. Compared by identity: another structure is another object."""

    layout: TableLayout
    table_map: TableMap
    key: tuple[str, ...]

    @property
    def schema(self) -> TableSchema:
        return self.layout.schema

    @cached_property
    def carried(self) -> list[tuple[int, ColumnLayout]]:
        """Index in the row image and layout of each column of the schema."""
        return [(place, column) for place, column in enumerate(self.layout.columns) if not column.virtual]

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


@dataclass(frozen=True, slots=True)
class SchemaChange:
    """The effect of a statement on a captured table: its schema from there on, or that it was emptied."""

    schema: TableSchema
    key: tuple[str, ...]
    emptied: bool = False


class CapturedTables:
    """Finds captured tables in the log."""

    def __init__(
        self, schemas: SchemaTracker, tables: Sequence[CapturedTable], version: ServerVersion, ignores_case: bool
    ) -> None:
        """`ignores_case`: for the server, table names that differ by case only are equal."""
        self._schemas, self._version = schemas, version
        self._ignores_case = ignores_case
        self._names = {self._spelt(table.name): table.name for table in tables}
        self._by_map: dict[bytes, Captured | MarkTable | None] = {}

    def find(self, body: bytes) -> Captured | MarkTable | None:
        """The table of a TABLE_MAP's body (after the table id); None for tables of no interest.

        Raises TableRefused if rows do not have the schema at their position.
        """
        if body not in self._by_map:
            self._by_map[body] = self._understand(body)
        return self._by_map[body]

    def mentioned(self, text: str) -> list[TableName]:
        """Captured tables whose name occurs in a statement."""
        lowered = text.lower()
        return [name for name in self._names.values() if name.table.lower() in lowered]

    def follow(self, query: Query, position: Position) -> list[SchemaChange]:
        """Effects of a DDL statement on captured tables. Raises TableRefused."""
        try:
            events = parse(query.text, query.schema, self._version, query.sql_mode)
        except NotUnderstood as error:
            self._schemas.note_unknown(query, position)
            return self._not_understood(query, position, error)
        if not query.failed:
            events = self._schemas.resolved(events, query, position)
        return [change for event in events for change in self._changes_of(event, query, position)]

    def changed(self, names: Sequence[TableName]) -> None:
        """More is known of their structure than before."""
        self._by_map = {
            body: one
            for body, one in self._by_map.items()
            if isinstance(one, MarkTable) or (one and one.schema.name not in names)
        }

    def _not_understood(self, query: Query, position: Position, error: NotUnderstood) -> list[SchemaChange]:
        if not query.failed:
            for name in self._named(query):
                if not self._schemas.is_known(name, position):
                    raise _refused(name, "statement-not-understood", f"{error}: {query.text[:200]}") from error
        return []

    def _named(self, query: Query) -> list[TableName]:
        """Captured tables that a statement may concern."""
        mentioned = self.mentioned(query.text)
        try:
            words = {token.value.lower() for token in tokens_of(query.text, self._version, query.sql_mode)}
        except NotUnderstood:
            return mentioned
        return [name for name in mentioned if name.table.lower() in words]

    def _changes_of(self, event: Event, query: Query, position: Position) -> Iterator[SchemaChange]:
        if isinstance(event, DatabaseDropped):
            schema = self._spelt_schema(event.schema)
            for one in [name for spelt, name in self._names.items() if spelt.schema == schema]:
                self._gone(one, "table-dropped", position)
            return
        if isinstance(event, Renamed) and event.new != event.table:
            new = self._captured(event.new)
            if new is not None and not query.failed:
                self._gone(new, "table-replaced", position, str(event.table))
        name = self._captured(event.table)
        if name is None:
            return
        if query.failed:
            # A DROP of several tables fails after it dropped those that existed.
            if isinstance(event, Dropped) and not self._schemas.exists(name):
                self._gone(name, "table-dropped", position)
        elif isinstance(event, Emptied):
            step = self._schemas.current(name)
            yield SchemaChange(step.layout.schema, step.key, emptied=True)
        elif isinstance(event, Altered):
            yield from self._altered(name, event, query, position)
        else:
            self._other(name, event, position)

    def _altered(self, name: TableName, event: Altered, query: Query, position: Position) -> Iterator[SchemaChange]:
        try:
            steps = self._schemas.follow(name, event.actions, position, query.is_strict and not event.ignoring)
        except NotUnderstood as error:
            raise _refused(name, "statement-not-understood", f"{error}: {query.text[:200]}") from error
        self.changed([name])
        for step in steps:
            yield SchemaChange(step.layout.schema, step.key)

    def _other(self, name: TableName, event: Event, position: Position) -> None:
        if isinstance(event, Renamed) and event.new != event.table:
            if not self._schemas.is_known(name, position):
                raise TableRefused.renamed(name, event.new, replaced=self._schemas.exists(name))
        elif isinstance(event, Dropped):
            self._gone(name, "table-dropped", position)
        elif isinstance(event, Created) and not event.if_missing:
            self._gone(name, "table-replaced", position)
        elif isinstance(event, RowsMoved):
            self._gone(name, "rows-moved", position)

    def _gone(self, name: TableName, reason: str, position: Position, detail: str = "") -> None:
        if not self._schemas.is_known(name, position):
            raise _refused(name, reason, detail)

    def _captured(self, name: TableName) -> TableName | None:
        return self._names.get(self._spelt(name))

    def _spelt(self, name: TableName) -> TableName:
        return TableName(name.schema.lower(), name.table.lower()) if self._ignores_case else name

    def _spelt_schema(self, name: str) -> str:
        return name.lower() if self._ignores_case else name

    def _understand(self, body: bytes) -> Captured | MarkTable | None:
        try:
            table_map = parse_table_map(body, self._version.mariadb)
        except UnknownColumnType as error:
            raise TableRefused(table="", column="", reason=f"binlog column type {error}") from error
        if table_map.name.table == ORIGIN_TABLE:
            return MarkTable(table_map)
        name = self._captured(table_map.name)
        if name is None:
            return None
        step = self._schemas.current(name)
        fitted = fit(table_map, step.layout)
        if fitted is None or not set(step.key) <= set(fitted[1].schema.names) or _is_ambiguous(table_map, step.layout):
            raise _refused(name, "schema-changed")
        return Captured(fitted[1], fitted[0], step.key)


def _refused(name: TableName, reason: str, detail: str = "") -> TableRefused:
    facts = {"detail": detail} if detail else {}
    return TableRefused(table=str(name), column="", reason=reason, **facts)


def _is_ambiguous(table_map: TableMap, known: TableLayout) -> bool:
    """Rows lack columns that are known, and have others: a column may have been renamed since, and its values must not
    be passed over."""
    if not table_map.names:
        return False
    today = {layout.column.name for layout in known.columns}
    gone = [column for name, column in zip(table_map.names, table_map.columns, strict=True) if name not in today]
    new = [layout for layout in known.columns if layout.column.name not in table_map.names]
    return any(is_readable(column, layout) for column in gone for layout in new)
