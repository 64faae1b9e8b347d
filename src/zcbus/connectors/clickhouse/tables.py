"""Tables: how they are defined, and their rows by key."""

from collections.abc import Iterator, Sequence

import pyarrow as pa

from zcbus.connectors.clickhouse.connection import UNKNOWN_TABLE, ClickHouseConnection, Refusal, identifier, text
from zcbus.connectors.clickhouse.parts import GONE, VERSION, Part, with_version
from zcbus.connectors.clickhouse.spec import SCHEMA
from zcbus.connectors.clickhouse.staging import Staging
from zcbus.connectors.clickhouse.state import DURABLE, ERRORS
from zcbus.connectors.clickhouse.types import arrow_type, canonical_batch, declared, stored_keys
from zcbus.connectors.errors import RowRefused, TableRefused
from zcbus.connectors.roles.writer import Key, Row
from zcbus.connectors.writing.definition import Reshaping
from zcbus.connectors.writing.journal import keys_of
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.serial import schema_from_json, schema_to_json
from zcbus.model.types import INTEGERS, Kind

_MARK = "zcbus:"
"""A comment that begins with it is ours: the structure follows."""
_KEYS_AT_ONCE = 5000
_STATEMENT_BYTES = 100_000
"""Of keys in a query; a server takes 256 KiB."""
_KEYS_IN_QUERY = 500
_TABLE_EXISTS = 57


class Tables:
    """The tables of one database."""

    def __init__(self, connection: ClickHouseConnection) -> None:
        self._connection = connection
        self._staging = Staging(connection)

    def schemas(self, names: Sequence[TableName] | None) -> dict[TableName, TableSchema]:
        """Those of these tables, or of all, that were defined."""
        wanted = None if names is None else [name.table for name in names if name.schema == SCHEMA]
        if wanted == []:
            return {}
        named = "" if wanted is None else f" AND name IN ({', '.join(text(name) for name in wanted)})"
        rows = self._connection.rows(
            f"SELECT comment FROM system.tables WHERE database = currentDatabase() "
            f"AND startsWith(comment, {text(_MARK)}){named} ORDER BY name"
        )
        found = [schema_from_json(comment.decode()[len(_MARK) :]) for (comment,) in rows]
        return {schema.name: schema for schema in found}

    def is_there(self, name: TableName) -> bool:
        """Whether a table was defined."""
        return name in self.schemas([name])

    def define(self, table: TableSchema) -> None:
        """See Writer.define."""
        before = self.schemas([table.name]).get(table.name)
        if before is None:
            self._make(table)
            return
        changes = self._changes(before, table)
        self._alter(table, [*changes, _comment(table)])

    def reshape(self, change: Reshaping) -> None:
        """See TableRewriter."""
        after = change.after
        before = self.schemas([after.name])[after.name]
        new_names = dict(change.renamed)
        moved = [(old, new) for old, new in change.renamed if old in before.names and new not in before.names]
        columns = tuple(_renamed(one, new_names) if (one.name in dict(moved)) else one for one in before.columns)
        between = TableSchema(before.name, before.dialect, columns, before.primary_key)
        if before.primary_key != after.primary_key:
            raise _load_again(after, "the key")
        if moved:
            renames = [f"RENAME COLUMN {identifier(old)} TO {identifier(new)}" for old, new in moved]
            self._alter(after, [*renames, _comment(between)])
        self._alter(after, [*self._changes(between, after), _comment(after)])
        for name, value in change.filled:
            column = identifier(name)
            literal = f"CAST({text(value)}, {text(declared(after.column(name).type))})"
            self._alter(after, [f"UPDATE {column} = {literal} WHERE {column} IS NULL AND {GONE} = 0"])

    def drop(self, name: TableName) -> None:
        """Idempotent."""
        self._connection.run(f"DROP TABLE IF EXISTS {identifier(name.table)} SYNC")

    def clear(self, name: TableName) -> None:
        """Delete all rows."""
        self._connection.run(f"TRUNCATE TABLE IF EXISTS {identifier(name.table)} SYNC")

    def insert(self, part: Part, version: int) -> bool:
        """Do what a part says. What has a greater version stays as it is; a table that was dropped later has no rows to
        change. False: its rows were staged, and are gone."""
        name = part.table or ERRORS
        rows = part.rows
        if part.table:
            schema = self.schemas([TableName(SCHEMA, name)]).get(TableName(SCHEMA, name))
            if schema is None:
                return True
            if part.staged:
                return self._staging.attach(part, [*schema.names, GONE, VERSION])
            rows = rows.select([one for one in rows.schema.names if one in schema.names or one == GONE])
        self._connection.insert(identifier(name), with_version(rows, version))
        return True

    def keys(self, table: TableSchema) -> Iterator[list[Key]]:
        """See Writer.keys."""
        columns = [table.column(name) for name in table.primary_key]
        for batch in self._connection.batches(f"SELECT {_list(columns)} FROM {identifier(table.name.table)} FINAL"):
            for begin in range(0, batch.num_rows, _KEYS_AT_ONCE):
                yield keys_of(canonical_batch(columns, batch.slice(begin, _KEYS_AT_ONCE)))

    def rows(self, table: TableSchema, keys: Sequence[Key]) -> list[Row | None]:
        """See Writer.rows."""
        columns = [table.column(name) for name in table.primary_key]
        asked = stored_keys(columns, keys) if keys else []
        found: dict[Key, Row] = {}
        for named in _parts(columns, [key for key in dict.fromkeys(asked) if key is not None]):
            query = f"SELECT {_list(table.columns)} FROM {identifier(table.name.table)} FINAL"
            for read in self._connection.batches(f"{query} WHERE ({_list(columns)}) IN ({named})"):
                batch = canonical_batch(table.columns, read)
                found |= zip(keys_of(batch.select(list(table.primary_key))), batch.to_pylist(), strict=True)
        return [None if key is None else found.get(key) for key in asked]

    def _make(self, table: TableSchema) -> None:
        columns = [f"{identifier(one.name)} {_declared(one, table)}" for one in table.columns]
        key = ", ".join(identifier(name) for name in table.primary_key)
        statement = (
            f"CREATE TABLE {identifier(table.name.table)} "
            f"({', '.join(columns)}, {VERSION} UInt64, {GONE} UInt8) "
            f"ENGINE = ReplacingMergeTree({VERSION}, {GONE}) ORDER BY ({key}) SETTINGS {DURABLE} "
            f"COMMENT {text(_MARK + schema_to_json(table))}"
        )
        try:
            self._connection.try_(statement)
        except Refusal as refusal:
            if refusal.code != _TABLE_EXISTS:
                raise self._connection.failed(refusal) from refusal
            if not self.is_there(table.name):
                raise TableRefused(table=str(table.name), column="", reason="table-of-others") from refusal

    def _changes(self, before: TableSchema, after: TableSchema) -> list[str]:
        if before.primary_key != after.primary_key:
            raise _load_again(after, "the key")
        changes = [f"DROP COLUMN {identifier(one)}" for one in before.names if one not in after.names]
        for one in after.columns:
            wanted = _declared(one, after)
            if one.name not in before.names:
                changes.append(f"ADD COLUMN {identifier(one.name)} {wanted}")
            elif _declared(before.column(one.name), before) != wanted:
                if one.name in after.primary_key:
                    raise _load_again(after, f"column {one.name} of the key")
                changes.append(f"MODIFY COLUMN {identifier(one.name)} {wanted}")
        return changes

    def _alter(self, table: TableSchema, changes: Sequence[str]) -> None:
        try:
            self._connection.try_(f"ALTER TABLE {identifier(table.name.table)} {', '.join(changes)}")
        except Refusal as refusal:
            if refusal.code == UNKNOWN_TABLE:
                raise self._connection.failed(refusal) from refusal
            raise RowRefused(table=str(table.name), detail=f"{refusal}; load the table again") from refusal


def _declared(column: Column, table: TableSchema) -> str:
    """Columns of the key have a value; all others may have none, as in what is left of a deleted row."""
    found = declared(column.type)
    return found if column.name in table.primary_key else f"Nullable({found})"


def _comment(table: TableSchema) -> str:
    return f"MODIFY COMMENT {text(_MARK + schema_to_json(table))}"


def _renamed(column: Column, names: dict[str, str]) -> Column:
    return Column(names.get(column.name, column.name), column.type, column.nullable)


def _load_again(table: TableSchema, what: str) -> RowRefused:
    return RowRefused(table=str(table.name), detail=f"{what} cannot be changed here; load the table again")


def _list(columns: Sequence[Column]) -> str:
    return ", ".join(identifier(one.name) for one in columns)


def _parts(columns: Sequence[Column], keys: Sequence[Key]) -> Iterator[str]:
    """Keys as lists of tuples, as many as a query takes."""
    found: list[str] = []
    size = 0
    for key in keys:
        one = "(" + ", ".join(_literal(column, value) for column, value in zip(columns, key, strict=True)) + ")"
        if found and (size + len(one) > _STATEMENT_BYTES or len(found) == _KEYS_IN_QUERY):
            yield ", ".join(found)
            found, size = [], 0
        found.append(one)
        size += len(one)
    if found:
        yield ", ".join(found)


def _literal(column: Column, value: str | bytes) -> str:
    if isinstance(value, bytes):
        return text(value)
    kind = column.type.kind
    if kind in INTEGERS or kind is Kind.YEAR:
        return str(int(value))
    if kind is Kind.BOOLEAN:
        return "true" if value == "t" else "false"
    if pa.types.is_string(arrow_type(column.type)):
        return text(value)
    bare = value.removesuffix("+00") if kind is Kind.TIMESTAMP_TZ else value
    return f"CAST({text(bare)}, {text(declared(column.type))})"
