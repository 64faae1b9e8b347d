"""Rows into a table of a target file, within its session's transaction."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import duckdb
import pyarrow as pa

from zcbus.connectors.duckdb.catalog import unique_sets
from zcbus.connectors.duckdb.connection import identifier, identifiers
from zcbus.connectors.duckdb.connection import table as table_name
from zcbus.connectors.duckdb.types import canonical, keeps_values, prepared, reading, same
from zcbus.connectors.errors import RowRefused
from zcbus.connectors.roles import MappedColumn, TargetTable
from zcbus.model.arrow import ArrowArray
from zcbus.model.schema import TableSchema

_GIVEN, _STAGED, _COMPLETED = "zcbus_given", "zcbus_staged", "zcbus_whole"
Staged = list[tuple[str, MappedColumn, ArrowArray]]
"""Names in the staging table, where the values go, and the values."""


class TableWriter:
    """Writes one table.

    If the key's index can find the row to change, it is used. Otherwise rows are deleted and inserted by key as sets,
    so that they may swap keys and other unique values.
    """

    def __init__(self, engine: duckdb.DuckDBPyConnection, made: TargetTable, present: TableSchema) -> None:
        self._engine, self._table, self._present = engine, made, present
        self._columns = {column.source: column for column in made.columns}
        self._name = table_name(made.name)

    def insert(self, rows: pa.RecordBatch) -> None:
        with self._rows(self._given(rows)) as (names, values):
            self._engine.execute(f"INSERT INTO {self._name} ({identifiers(names)}) {values}")

    def upsert(self, rows: pa.RecordBatch) -> None:
        given = self._given(rows)
        if self._finds_by_key([name for name, *_ in given]):
            with self._rows(given) as (names, values):
                into = f"INSERT INTO {self._name} ({identifiers(names)}) {values}"
                self._engine.execute(f"{into} {self._on_conflict(names)}")
            return
        names = self._stage(given)
        kept = [name for name in self._present.names if name not in names]
        if kept:
            self._keep(names, kept)
        self._engine.execute(f"DELETE FROM {self._name} AS t USING {_STAGED} AS s WHERE {self._same_key()}")
        listed = identifiers(names)
        missing = ""
        if kept:
            everything = identifiers([*names, *kept])
            self._engine.execute(f"INSERT INTO {self._name} ({everything}) SELECT {everything} FROM {_COMPLETED}")
            missing = f" AS s WHERE NOT EXISTS (SELECT 1 FROM {_COMPLETED} AS t WHERE {self._same_key()})"
        self._engine.execute(f"INSERT INTO {self._name} ({listed}) SELECT {listed} FROM {_STAGED}{missing}")

    def update(self, keys: pa.RecordBatch, rows: pa.RecordBatch) -> None:
        key_columns = [(f"k{place}", column, values) for place, (_, column, values) in enumerate(self._given(keys))]
        given = self._given(rows)
        self._stage([*key_columns, *((f"v{place}", column, values) for place, (_, column, values) in enumerate(given))])
        key = " AND ".join(f"t.{identifier(column.target)} = s.{name}" for name, column, _ in key_columns)
        values = {column.target: f"s.v{place}" for place, (_, column, _) in enumerate(given)}
        if self._touches_unique(values):
            self._replace(key, values)
            return
        sets = ", ".join(f"{identifier(name)} = {value}" for name, value in values.items())
        self._engine.execute(f"UPDATE {self._name} AS t SET {sets} FROM {_STAGED} AS s WHERE {key}")

    def delete(self, keys: pa.RecordBatch) -> int:
        self._stage(self._given(keys))
        done = self._engine.execute(f"DELETE FROM {self._name} AS t USING {_STAGED} AS s WHERE {self._same_key()}")
        found = done.fetchone()
        return int(found[0]) if found is not None else 0

    def _keep(self, names: Sequence[str], kept: Sequence[str]) -> None:
        """The staged rows that exist already, with their values of the other columns."""
        columns = [*(f"s.{identifier(name)}" for name in names), *(f"t.{identifier(name)}" for name in kept)]
        self._engine.execute(
            f"CREATE OR REPLACE TEMP TABLE {_COMPLETED} AS SELECT {', '.join(columns)} FROM {_STAGED} AS s "
            f"JOIN {self._name} AS t ON {self._same_key()}"
        )

    def _replace(self, key: str, values: dict[str, str]) -> None:
        columns = [f"{values.get(n, f't.{identifier(n)}')} AS {identifier(n)}" for n in self._present.names]
        self._engine.execute(
            f"CREATE OR REPLACE TEMP TABLE {_COMPLETED} AS SELECT {', '.join(columns)} FROM {self._name} AS t "
            f"JOIN {_STAGED} AS s ON {key}"
        )
        self._engine.execute(f"DELETE FROM {self._name} AS t USING {_STAGED} AS s WHERE {key}")
        listed = identifiers(self._present.names)
        self._engine.execute(f"INSERT INTO {self._name} ({listed}) SELECT {listed} FROM {_COMPLETED}")

    def _touches_unique(self, values: dict[str, str]) -> bool:
        own = frozenset(self._table.key)
        return any(not one.isdisjoint(values) for one in [own, *unique_sets(self._present)])

    def _same_key(self) -> str:
        return " AND ".join(f"t.{identifier(name)} = s.{identifier(name)}" for name in self._table.key)

    def _given(self, rows: pa.RecordBatch) -> Staged:
        columns = [self._columns[source] for source in rows.schema.names]
        return [(column.target, column, values) for column, values in zip(columns, rows.columns, strict=True)]

    def _finds_by_key(self, names: Sequence[str]) -> bool:
        """Whether the key is unique here, and no other unique column is among these."""
        own, unique = frozenset(self._table.key), unique_sets(self._present)
        return own in unique and all(one == own or one.isdisjoint(names) for one in unique)

    def _on_conflict(self, names: Sequence[str]) -> str:
        others = [name for name in names if name not in self._table.key]
        sets = ", ".join(f"{identifier(name)} = excluded.{identifier(name)}" for name in others)
        return f"ON CONFLICT ({identifiers(self._table.key)}) DO {f'UPDATE SET {sets}' if sets else 'NOTHING'}"

    @contextmanager
    def _rows(self, given: Staged) -> Iterator[tuple[list[str], str]]:
        """Names and select expressions of values: without the staging table if no value needs a check."""
        if all(keeps_values(column.type, self._present.column(column.target).type) for _, column, _ in given):
            with self._cast(given) as select:
                yield [name for name, *_ in given], select
        else:
            names = self._stage(given)
            yield names, f"SELECT {identifiers(names)} FROM {_STAGED}"

    def _stage(self, given: Staged) -> list[str]:
        """Create the staging table of these values; returns its names. Raises RowRefused for a value that a column
        would store as another one."""
        with self._cast(given) as select:
            self._engine.execute(f"CREATE OR REPLACE TEMP TABLE {_STAGED} AS {select}")
        for name, column, values in given:
            if not keeps_values(column.type, self._present.column(column.target).type):
                self._check(name, column, values)
        return [name for name, *_ in given]

    @contextmanager
    def _cast(self, given: Staged) -> Iterator[str]:
        """Select expressions of these values in the columns' types."""
        types = [self._present.column(column.target).type for _, column, _ in given]
        arrays = [
            prepared(values, column.type, data, str(self._table.name), column.target)
            for (_, column, values), data in zip(given, types, strict=True)
        ]
        batch = pa.RecordBatch.from_arrays(arrays, names=[f"c{place}" for place in range(len(arrays))])
        casts = ", ".join(
            f"CAST(c{place} AS {data.native}) AS {identifier(name)}"
            for place, ((name, *_), data) in enumerate(zip(given, types, strict=True))
        )
        self._engine.register(_GIVEN, batch)
        try:
            yield f"SELECT {casts} FROM {_GIVEN}"
        finally:
            with suppress(duckdb.Error):  # a failed statement ended the transaction, and the view with it
                self._engine.unregister(_GIVEN)

    def _check(self, name: str, column: MappedColumn, values: ArrowArray) -> None:
        """Whether the stored values, read again, equal the given ones."""
        data = self._present.column(column.target).type
        sql = f"SELECT {reading(identifier(name), data)} FROM {_STAGED} ORDER BY rowid"
        found = canonical(self._engine.sql(sql).to_arrow_table().column(0).combine_chunks(), data)
        for before, after in zip(values.to_pylist(), found.to_pylist(), strict=True):
            if not same(before, after, column.type):
                detail = f"column {column.target} of type {data.native} does not keep {str(before)[:64]}"
                raise RowRefused(table=str(self._table.name), detail=detail)


def apply_shadow_table(engine: duckdb.DuckDBPyConnection, made: TargetTable, present: TableSchema, shadow: str) -> None:
    """Replace the table's rows by those of the shadow table; see SchemaSink."""
    name, names = table_name(made.name), [column.target for column in made.columns]
    listed = identifiers(names)
    if not made.key:
        engine.execute(f"DELETE FROM {name}")
        engine.execute(f"INSERT INTO {name} ({listed}) SELECT {listed} FROM {shadow}")
        return
    key = " AND ".join(f"t.{identifier(one)} = b.{identifier(one)}" for one in made.key)
    differs = " OR ".join(f"t.{identifier(one)} IS DISTINCT FROM b.{identifier(one)}" for one in names)
    kept = [one for one in present.names if one not in names]
    columns = [*(f"b.{identifier(one)}" for one in names), *(f"t.{identifier(one)}" for one in kept)]
    engine.execute(
        f"CREATE OR REPLACE TEMP TABLE {_COMPLETED} AS SELECT {', '.join(columns)} FROM {name} AS t "
        f"JOIN {shadow} AS b ON {key} WHERE {differs}"
    )
    engine.execute(f"DELETE FROM {name} AS t WHERE NOT EXISTS (SELECT 1 FROM {shadow} AS b WHERE {key})")
    engine.execute(f"DELETE FROM {name} AS t USING {_COMPLETED} AS b WHERE {key}")
    everything = identifiers([*names, *kept])
    engine.execute(f"INSERT INTO {name} ({everything}) SELECT {everything} FROM {_COMPLETED}")
    engine.execute(
        f"INSERT INTO {name} ({listed}) SELECT {listed} FROM {shadow} AS b "
        f"WHERE NOT EXISTS (SELECT 1 FROM {name} AS t WHERE {key})"
    )
