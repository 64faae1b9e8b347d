"""Changes of rows in a target table, by batch."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import pyarrow as pa

from zcbus.connectors.mysql.apply.encode import EncodedColumn, encode, refuse_other_moments
from zcbus.connectors.mysql.apply.lines import charset_of_lines, values_of_lines
from zcbus.connectors.mysql.apply.literals import as_keys
from zcbus.connectors.mysql.apply.load import Loader, lines_statement
from zcbus.connectors.mysql.apply.stage import Stage, matches
from zcbus.connectors.mysql.catalog.discover import describe_layouts
from zcbus.connectors.mysql.connection import quote
from zcbus.connectors.mysql.connection.session import Session
from zcbus.connectors.mysql.variant import variant_of
from zcbus.connectors.roles import TargetTable
from zcbus.connectors.sql.columns import column_missing, require_columns
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.states import LoadType
from zcbus.model.types import INTEGERS

_KEYS_IN_STATEMENT = 10_000
_FOREIGN_KEYS = """
SELECT 1 FROM information_schema.key_column_usage
WHERE referenced_table_name IS NOT NULL
  AND (table_schema = %s AND table_name = %s OR referenced_table_schema = %s AND referenced_table_name = %s) LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class Shape:
    """The facts about a target table that decide how it is written."""

    schema: TableSchema
    unique: frozenset[frozenset[str]]
    """Every unique index, nullable ones included."""
    triggers: bool

    def writable(self) -> list[str]:
        return [column.name for column in self.schema.columns if not column.generated]


class Applier:
    """Writes batches over one session; caches the target tables' shapes until `forget`."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._loader = Loader(session)
        self._by_statements = session.options.load_type is LoadType.STATEMENTS
        self._shapes: dict[TableName, Shape] = {}

    def forget(self, name: TableName) -> None:
        """The table's structure changes."""
        self._shapes.pop(name, None)

    def forget_all(self) -> None:
        """The structure of any table may have changed."""
        self._shapes.clear()

    def load(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        """Insert."""
        self._loader.write(quote.table(table.name), self._encoded(table, rows), False, str(table.name))

    def lines_loader(self, table: TargetTable) -> Callable[[Iterable[memoryview]], int] | None:
        """Inserts lines of the form raw_rows.LINES and returns how many; None: not possible for this table."""
        schema = self.shape(table).schema
        values = values_of_lines(table.columns, schema) if self._loader.accepts_lines else None
        if values is None:
            return None
        charset = charset_of_lines(table.columns, schema, self._session.version)
        statement = lines_statement(quote.table(table.name), values, charset)
        return lambda parts: self._loader.write_lines(statement, parts, str(table.name))

    def upsert(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        """Write by REPLACE, which deletes every row that conflicts in any unique key, so that rows may swap values.

        REPLACE needs a unique key over exactly the key columns, and resets columns that are not replicated. It would
        also delete rows that conflict in a unique key which only the target has: those are refused.
        """
        shape = self.shape(table)
        mapped = {column.target for column in table.columns}
        others = [name for name in shape.writable() if name not in mapped]
        plain = not others and not shape.triggers and shape.unique <= _unique_in_source(table)
        if frozenset(table.key) in shape.unique and plain:
            self._loader.write(quote.table(table.name), self._encoded(table, rows), True, str(table.name))
        elif self._by_statements and shape.unique == {frozenset(table.key)}:
            self._loader.merge(quote.table(table.name), self._encoded(table, rows), str(table.name))
        else:
            self._exchange(table, rows, others)

    def update(self, table: TargetTable, keys: pa.RecordBatch, rows: pa.RecordBatch) -> None:
        """Set some columns of the rows with these keys."""
        literals, encoded = self._keys(table, keys), self._encoded(table, rows)
        targets = {column.name for column in encoded}
        meets = any(targets & names for names in (*self.shape(table).unique, set(self._target_names(table, keys))))
        if literals is not None and not meets:
            self._loader.update(quote.table(table.name), literals, encoded, str(table.name))
        else:
            self._update_staged(table, keys, rows)

    def _update_staged(self, table: TargetTable, keys: pa.RecordBatch, rows: pa.RecordBatch) -> None:
        shape = self.shape(table)
        key_names = [f"k{number}" for number in range(keys.num_columns)]
        key_columns = self._renamed(self._encoded(table, keys), key_names)
        encoded = self._encoded(table, rows)
        value_columns = self._renamed(encoded, [f"v{number}" for number in range(len(encoded))])
        targets = [column.name for column in encoded]
        matched = self._target_names(table, keys)
        staged_columns = [f"{quote.identifier(t)} AS `{n}`" for t, n in zip(matched, key_names, strict=True)]
        staged_columns += [f"{quote.identifier(t)} AS `v{number}`" for number, t in enumerate(targets)]
        with self._stage(table, "zcbus_update", staged_columns) as stage:
            stage.fill(self._loader, [*key_columns, *value_columns], str(table.name))
            join = matches(list(zip(key_names, matched, strict=True)), "z", "t")
            if any(set(targets) & unique for unique in shape.unique):
                self._move(table, stage, join, shape, targets)
            else:
                settings = ", ".join(f"t.{quote.identifier(t)} = z.`v{i}`" for i, t in enumerate(targets))
                self._run(
                    table, f"UPDATE {stage.table} z STRAIGHT_JOIN {quote.table(table.name)} t ON {join} SET {settings}"
                )

    def delete(self, table: TargetTable, keys: pa.RecordBatch) -> int:
        """Delete by key; returns how many rows went."""
        names = self._target_names(table, keys)
        if keys.num_columns == 1 and self.shape(table).schema.column(names[0]).type.kind in INTEGERS:
            return self._delete_numbers(table, names[0], keys.column(0).to_pylist())
        literals = self._keys(table, keys)
        if literals is not None:
            return self._loader.delete(quote.table(table.name), literals, str(table.name))
        return self._delete_staged(table, keys)

    def supports_parallel_keys(self, table: TargetTable) -> bool:
        """See TargetSession."""
        if self.shape(table).unique != {frozenset(table.key)}:
            return False
        place = [table.name.schema, table.name.table]
        return not self._session.rows(_FOREIGN_KEYS, [*place, *place])

    def truncate(self, table: TargetTable) -> None:
        """Delete all rows."""
        self._run(table, f"DELETE FROM {quote.table(table.name)}")

    def _keys(self, table: TargetTable, keys: pa.RecordBatch) -> list[EncodedColumn] | None:
        """As literals that find their rows; None: such keys must be joined."""
        return as_keys(self._encoded(table, keys), self.shape(table).schema) if self._by_statements else None

    def _delete_numbers(self, table: TargetTable, name: str, keys: Sequence[str | None]) -> int:
        deleted = 0
        for start in range(0, len(keys), _KEYS_IN_STATEMENT):
            numbers = ",".join(str(int(key or 0)) for key in keys[start : start + _KEYS_IN_STATEMENT])
            where = f"{quote.identifier(name)} IN ({numbers})"
            deleted += self._run(table, f"DELETE FROM {quote.table(table.name)} WHERE {where}")
        return deleted

    def _delete_staged(self, table: TargetTable, keys: pa.RecordBatch) -> int:
        names = self._target_names(table, keys)
        with self._stage(table, "zcbus_delete", [quote.identifier(name) for name in names]) as stage:
            stage.fill(self._loader, self._encoded(table, keys), str(table.name))
            return self._delete_matching(table, stage, names)

    def _delete_matching(self, table: TargetTable, stage: Stage, names: Sequence[str]) -> int:
        join = matches([(name, name) for name in names], "z", "t")
        return self._run(table, f"DELETE t FROM {stage.table} z STRAIGHT_JOIN {quote.table(table.name)} t ON {join}")

    def _exchange(self, table: TargetTable, rows: pa.RecordBatch, others: list[str]) -> None:
        """Delete the rows with these keys and insert the new ones, keeping the values of the other columns."""
        mapped = [column.target for column in table.columns if column.source in rows.column_names]
        name = quote.table(table.name)
        with self._stage(table, "zcbus_rows", [quote.identifier(target) for target in mapped]) as stage:
            stage.fill(self._loader, self._encoded(table, rows), str(table.name))
            join = matches([(key, key) for key in table.key], "z", "t")
            select = (
                f"SELECT {_qualified([*table.key, *others], 't')} FROM {stage.table} z STRAIGHT_JOIN {name} t ON {join}"
            )
            with Stage(self._session, "zcbus_kept", select) as old:
                self._delete_matching(table, stage, table.key)
                known = matches([(key, key) for key in table.key], "z", "o")
                into, plain = quote.identifiers([*mapped, *others]), _qualified(mapped, "z")
                values = ", ".join(filter(None, [plain, _qualified(others, "o")]))
                source = f"{stage.table} z JOIN {old.table} o ON {known}"
                self._run(table, f"INSERT INTO {name} ({into}) SELECT {values} FROM {source}")
                source = f"{stage.table} z WHERE NOT EXISTS (SELECT 1 FROM {old.table} o WHERE {known})"
                self._run(table, f"INSERT INTO {name} ({quote.identifiers(mapped)}) SELECT {plain} FROM {source}")

    def _move(self, table: TargetTable, stage: Stage, join: str, shape: Shape, targets: list[str]) -> None:
        """Delete all rows, then insert them: new values of unique columns may be swapped among the rows."""
        names, target = shape.writable(), quote.table(table.name)
        new = {name: f"z.`v{number}`" for number, name in enumerate(targets)}
        values = ", ".join(f"{new.get(n, 't.' + quote.identifier(n))} AS {quote.identifier(n)}" for n in names)
        select = f"SELECT {values} FROM {stage.table} z STRAIGHT_JOIN {target} t ON {join}"
        with Stage(self._session, "zcbus_moved", select) as moved:
            self._run(table, f"DELETE t FROM {stage.table} z STRAIGHT_JOIN {target} t ON {join}")
            columns = quote.identifiers(names)
            self._run(table, f"INSERT INTO {target} ({columns}) SELECT {columns} FROM {moved.table}")

    def _run(self, table: TargetTable, sql: str) -> int:
        return self._session.execute(sql, table=str(table.name))

    def _stage(self, table: TargetTable, name: str, columns: Sequence[str]) -> Stage:
        select = f"SELECT {', '.join(columns)} FROM {quote.table(table.name)} LIMIT 0"
        return Stage(self._session, name, select)

    def _encoded(self, table: TargetTable, rows: pa.RecordBatch) -> list[EncodedColumn]:
        schema = self.shape(table).schema
        mapped = [column for column in table.columns if column.source in rows.column_names]
        encoded = [
            encode(
                rows.column(column.source),
                column.type,
                schema.column(column.target).type,
                column.target,
                in_key=column.target in table.key,
            )
            for column in mapped
        ]
        if not variant_of(self._session.options).checks_moments:
            for one in encoded:
                refuse_other_moments(one, schema.column(one.name).type, str(table.name))
        return encoded

    def _renamed(self, columns: Sequence[EncodedColumn], names: Sequence[str]) -> list[EncodedColumn]:
        return [EncodedColumn(name, column.text, column.form) for column, name in zip(columns, names, strict=True)]

    def _target_names(self, table: TargetTable, rows: pa.RecordBatch) -> list[str]:
        """In the order of `_encoded`."""
        return [column.target for column in table.columns if column.source in rows.column_names]

    def shape(self, table: TargetTable) -> Shape:
        """The table's shape. Raises TableMissing, TableRefused."""
        known = self._shapes.get(table.name)
        # Another session may have added a column since.
        if known is None or column_missing(table, known.schema.names):
            known = self._shapes[table.name] = read_shape(self._session, table.name)
            require_columns(table, known.schema.names)
        return known


def read_shape(session: Session, name: TableName) -> Shape:
    """Raises TableMissing."""
    schema = describe_layouts(session, [name])[0].schema
    place = [name.schema, name.table]
    indexes: dict[str, set[str]] = {}
    for index, column, part in session.rows(
        "SELECT index_name, column_name, sub_part FROM information_schema.statistics "
        "WHERE non_unique = 0 AND table_schema = %s AND table_name = %s",
        place,
    ):
        indexes.setdefault(str(index), set()).add(str(column) if part is None else f"prefix of {column}")
    triggers = session.rows(
        "SELECT COUNT(*) FROM information_schema.triggers WHERE event_object_schema = %s AND event_object_table = %s",
        place,
    )
    return Shape(schema, frozenset(frozenset(columns) for columns in indexes.values()), bool(triggers[0][0]))


def _unique_in_source(table: TargetTable) -> frozenset[frozenset[str]]:
    """Sets of the target's columns that are unique in the source."""
    targets = {column.source: column.target for column in table.columns}
    schema = table.source_schema
    keys = [key for key in (schema.primary_key, *schema.unique_keys) if key and all(name in targets for name in key)]
    indexes = [frozenset(index.columns) for index in table.indexes if index.unique]
    return frozenset([frozenset(table.key), *(frozenset(targets[name] for name in key) for key in keys), *indexes])


def _qualified(names: Sequence[str], alias: str) -> str:
    return ", ".join(f"{alias}.{quote.identifier(name)}" for name in names)
