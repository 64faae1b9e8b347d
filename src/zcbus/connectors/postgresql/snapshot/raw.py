"""Rows that pass from one PostgreSQL to another as they are, in binary COPY."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql.connection import quote
from zcbus.connectors.postgresql.connection.errors import translated
from zcbus.connectors.postgresql.connection.wire import WireConnection
from zcbus.connectors.postgresql.pgoutput.columns import copy_payloads
from zcbus.connectors.postgresql.snapshot.key_ranges import Key, KeyRanges
from zcbus.connectors.raw_rows import LINES
from zcbus.connectors.roles import Side
from zcbus.model.schema import TableSchema
from zcbus.model.types import DataType, Kind

_PART_BYTES = 4 << 20
_PASSING = frozenset(
    {
        Kind.BOOLEAN,
        Kind.INT16,
        Kind.INT32,
        Kind.INT64,
        Kind.DECIMAL,
        Kind.FLOAT32,
        Kind.FLOAT64,
        Kind.TEXT,
        Kind.BINARY,
        Kind.DATE,
        Kind.TIME,
        Kind.TIME_TZ,
        Kind.TIMESTAMP,
        Kind.TIMESTAMP_TZ,
        Kind.INTERVAL,
        Kind.JSON,
        Kind.UUID,
        Kind.BIT,
        Kind.XML,
    }
)
"""Kinds of types that every PostgreSQL has and whose binary form never changed."""


class PostgreSQLRawRows:
    """See raw_rows.RawRows."""

    def __init__(
        self,
        options: ConnectionOptions,
        wire: WireConnection,
        key_ranges: KeyRanges,
        form: str,
        side: Side = "source",
        own: bool = False,
    ) -> None:
        """`wire` is in the image's transaction; `own`: it is closed with these rows."""
        self._options, self._wire, self._key_ranges, self._own = options, wire, key_ranges, own
        self._form, self._side = form, side

    @property
    def form(self) -> str:
        return self._form

    def read(self, after: Key | None, until: Key | None) -> Iterator[memoryview]:
        columns = tuple(map(self._expression, self._key_ranges.columns))
        statement = replace(self._key_ranges, columns=columns).select(after, until)
        form = "text" if self._form == LINES else "binary"
        with self._translated():
            self._wire.start_copy(f"COPY ({statement}) TO STDOUT (FORMAT {form})")
            while (messages := self._wire.receive_full(_PART_BYTES)) is not None:
                yield copy_payloads(messages)

    def _expression(self, column: str) -> str:
        name = quote.identifier(column)
        as_number = self._form == LINES and self._key_ranges.table.column(column).type.kind is Kind.BOOLEAN
        # With another name, so that ORDER BY refers to the column.
        return f'{name}::int4 AS "?column?"' if as_number else name

    def border(self, after: Key | None, rows: int, until: Key | None) -> Key | None:
        with self._translated():
            found = self._wire.query(self._key_ranges.border(after, rows, until))
        return tuple(value or "" for value in found[0]) if found else None

    def another_connection(self) -> "PostgreSQLRawRows":
        with self._translated():
            image = self._wire.query("SELECT pg_catalog.pg_export_snapshot()")[0][0] or ""
            wire = WireConnection(self._options, replication=False)
            try:
                wire.query("BEGIN READ ONLY ISOLATION LEVEL REPEATABLE READ")
                wire.query(f"SET TRANSACTION SNAPSHOT {quote.literal(image)}")
                wire.query("SET enable_sort = off")
            except BaseException:
                wire.close()
                raise
        return PostgreSQLRawRows(self._options, wire, self._key_ranges, self._form, own=True)

    def __enter__(self) -> "PostgreSQLRawRows":
        return self

    def __exit__(self, *details: object) -> None:
        if self._own:
            self._wire.close()

    def _translated(self) -> AbstractContextManager[None]:
        return translated(self._options, self._side, str(self._key_ranges.table.name))


def binary_form(table: TableSchema, columns: Sequence[str]) -> str:
    """The form of these columns' values: equal if every type is equal, with length and precision.

    Empty: some types have another meaning, or none, in another database.
    """
    types = [table.column(name).type for name in columns]
    if not all(_passes(data.element if data.kind is Kind.ARRAY else data) for data in types):
        return ""
    return "postgresql-binary " + ", ".join(data.native for data in types)


def _passes(data: DataType | None) -> bool:
    # A dot: the type belongs to a user schema.
    return data is not None and data.kind in _PASSING and "." not in data.native and data.native != "citext"
