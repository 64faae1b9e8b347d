"""Computation of the result, and of its difference to the previous one."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass

import duckdb
import pyarrow as pa

from zcbus.engine.reasons import (
    RESULT_KEY_BROKEN,
    RESULT_KEY_UNKNOWN,
    RESULT_TOO_LARGE,
    STREAM_QUERY_FAILED,
    STREAM_QUERY_INVALID,
    TableStopped,
)
from zcbus.engine.stream.database import Database, quoted
from zcbus.engine.stream.state import StreamState
from zcbus.engine.stream.statement import Statement
from zcbus.engine.transform.expressions import first_line
from zcbus.engine.transform.typed import canonical, inferred
from zcbus.model.schema import Column, TableName, TableSchema

_MAX_SECONDS = 300.0
_ROWS = 50_000


def result_schema(database: Database, statement: Statement, key: tuple[str, ...], table: TableName) -> TableSchema:
    """The result as a table. The inputs' tables must exist. Raises TableStopped."""
    try:
        found = database.columns(statement.sql)
    except duckdb.Error as error:
        raise TableStopped(STREAM_QUERY_INVALID, detail=first_line(error)) from error
    columns = tuple(_column(name, kind, name in key) for name, kind in found)
    names = [column.name for column in columns]
    twice = next((name for name in names if [one.lower() for one in names].count(name.lower()) > 1), None)
    if twice is not None:
        raise TableStopped(STREAM_QUERY_INVALID, detail=f"two columns of the result are called {twice}")
    unknown = next((name for name in key if name not in names), None)
    if unknown is not None:
        raise TableStopped(RESULT_KEY_UNKNOWN, column=unknown)
    return TableSchema(table, "", columns, key)


def _column(name: str, kind: str, in_key: bool) -> Column:
    if kind.endswith("]") or kind.startswith(("STRUCT", "MAP", "UNION")):
        raise TableStopped(STREAM_QUERY_INVALID, detail=f"column {name} of the result is of type {kind}")
    return Column(name, inferred(kind), nullable=not in_key)


@dataclass(frozen=True, slots=True)
class Result:
    """The stored result and its difference to the previous one. Both survive the process."""

    database: Database
    statement: Statement
    schema: TableSchema
    most_rows: int

    def compute(self, state: StreamState, stop: threading.Event) -> bool:
        """Compute again; false: nothing changed. One transaction with `state`.
        Raises TableStopped, Stopped."""
        first = state.number == 0
        with self.database.bounded(stop, _MAX_SECONDS), self.database.transaction():
            self._compute()
            self._check()
            if first:
                self.database.execute("CREATE OR REPLACE TABLE zcbus.result AS FROM zcbus.next LIMIT 0")
            changed = self._compare()
            if not any(changed) and not first:
                self.database.execute("DROP TABLE zcbus.next")
                return False
            self.database.execute("DROP TABLE zcbus.result")
            self.database.execute("ALTER TABLE zcbus.next RENAME TO result")
            state.number += 1
            state.changed = changed
            state.save(self.database)
        return True

    def all_rows(self) -> Iterator[pa.RecordBatch]:
        """The result, in canonical texts."""
        return self.database.batches("FROM zcbus.result", _ROWS)

    def deleted_keys(self) -> Iterator[pa.RecordBatch]:
        """Keys of the rows that the result no longer has."""
        return self.database.batches("FROM zcbus.gone", _ROWS)

    def upserted_rows(self) -> Iterator[pa.RecordBatch]:
        """Rows that are new or changed."""
        return self.database.batches("FROM zcbus.put", _ROWS)

    @property
    def rows(self) -> int:
        """Number of rows of the result."""
        count: int = self.database.execute("SELECT count(*) FROM zcbus.result")[0][0]
        return count

    def _compute(self) -> None:
        texts = ", ".join(
            f"{canonical(quoted(column.name), column.type)} AS {quoted(column.name)}" for column in self.schema.columns
        )
        # One row more than allowed shows that there are too many.
        bounded = f"SELECT * FROM (\n{self.statement.sql}\n) LIMIT {self.most_rows + 1}"  # noqa: S608
        try:
            self.database.execute(f"CREATE OR REPLACE TABLE zcbus.next AS SELECT {texts} FROM ({bounded})")  # noqa: S608
        except duckdb.InterruptException:
            raise
        except duckdb.Error as error:
            raise TableStopped(STREAM_QUERY_FAILED, detail=first_line(error)) from error

    def _check(self) -> None:
        if self.database.execute("SELECT count(*) FROM zcbus.next")[0][0] > self.most_rows:
            raise TableStopped(RESULT_TOO_LARGE, limit=self.most_rows)
        names = self._key
        missing = " OR ".join(f"{name} IS NULL" for name in names.split(", "))
        broken = self.database.execute(
            f"SELECT {names} FROM zcbus.next GROUP BY {names} HAVING count(*) > 1 OR {missing} LIMIT 1"  # noqa: S608
        )
        if broken:
            values = ", ".join("NULL" if value is None else str(value)[:100] for value in broken[0])
            raise TableStopped(RESULT_KEY_BROKEN, key=", ".join(self.schema.primary_key), values=values)

    def _compare(self) -> tuple[int, int, int]:
        names = self._key
        execute = self.database.execute
        execute("CREATE OR REPLACE TABLE zcbus.put AS FROM zcbus.next EXCEPT FROM zcbus.result")
        execute(
            f"CREATE OR REPLACE TABLE zcbus.gone AS SELECT {names} "  # noqa: S608
            f"FROM zcbus.result ANTI JOIN zcbus.next USING ({names})"
        )
        upserts = execute("SELECT count(*) FROM zcbus.put")[0][0]
        known = execute(f"SELECT count(*) FROM zcbus.put SEMI JOIN zcbus.result USING ({names})")[0][0]  # noqa: S608
        return upserts - known, known, execute("SELECT count(*) FROM zcbus.gone")[0][0]

    @property
    def _key(self) -> str:
        return ", ".join(quoted(name) for name in self.schema.primary_key)
