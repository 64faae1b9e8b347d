"""Checksums over key ranges of a table, computed by the server: see reading.KeySums."""

from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql.catalog.size import estimated_rows, rows_of
from zcbus.connectors.postgresql.connection import quote
from zcbus.connectors.postgresql.connection.errors import translated
from zcbus.connectors.postgresql.connection.wire import WireConnection
from zcbus.connectors.postgresql.snapshot.raw import binary_form
from zcbus.connectors.reading import Extent, Sum
from zcbus.connectors.roles import Side
from zcbus.model.schema import Column, TableSchema
from zcbus.model.types import Kind

_FIRST_VERSION = 14
"""Older ones cannot hash a row with 64 bits."""
_KEYS = frozenset({"smallint", "integer", "bigint"})
_HASHED = frozenset(
    {
        Kind.BOOLEAN,
        Kind.FLOAT32,
        Kind.FLOAT64,
        Kind.BINARY,
        Kind.DATE,
        Kind.TIME,
        Kind.TIMESTAMP,
        Kind.TIMESTAMP_TZ,
        Kind.UUID,
    }
)
"""Kinds whose equal values, and no others, have equal hashes."""
_NATIVE = ("character", "text", "numeric", "jsonb", *_KEYS)
"""Types that are equal whatever their length: the hash of a number or of JSON does not depend on its spelling."""


class PostgreSQLKeySums:
    """Of one table over one connection. Sums are the same on all servers that know the function."""

    def __init__(
        self, options: ConnectionOptions, side: Side, wire: WireConnection, table: TableSchema, key: Column
    ) -> None:
        self._options, self._side, self._wire, self._table = options, side, wire, table
        self._key = f"{quote.identifier(key.name)}::bigint"
        with translated(options, side, str(table.name)):
            self._rows = rows_of(wire, table)

    @property
    def form(self) -> str:
        return binary_form(self._table, self._table.names)

    def extent(self) -> Extent | None:
        with translated(self._options, self._side, str(self._table.name)):
            ((low, high),) = self._wire.query(f"SELECT min({self._key}), max({self._key}) FROM {self._rows}")
            if low is None or high is None:
                return None
            return Extent(int(low), int(high), estimated_rows(self._wire, self._table))

    def read(self, low: int | None, high: int | None, base: int, step: int, last: int) -> dict[int, Sum]:
        # Nothing may overflow: keys beyond both ends count as the ends.
        bounded = f"LEAST(GREATEST({self._key}, {base}::bigint), {base + step * last}::bigint)"
        where = [f"{self._key} >= {low}::bigint"] if low is not None else []
        where += [f"{self._key} <= {high}::bigint"] if high is not None else []
        condition = f" WHERE {' AND '.join(where)}" if where else ""
        # Grouped outside: by the planner's estimate the number has as many values as the key, so it would have several
        # processes sort every row, which costs twice what the hashes do.
        numbered = (
            f"SELECT ({bounded} - {base}::bigint) / {step}::bigint AS number, "
            f"hash_record_extended(ROW({self._hashed}), 0) AS hash FROM {self._rows}{condition} OFFSET 0"
        )
        statement = f"SELECT number, count(*), sum(hash) FROM ({numbered}) AS numbered GROUP BY number"
        with translated(self._options, self._side, str(self._table.name)):
            return {int(row[0] or 0): Sum(int(row[1] or 0), row[2] or "") for row in self._wire.query(statement)}

    @property
    def _hashed(self) -> str:
        """A collation may treat different texts as equal."""
        return ", ".join(
            quote.identifier(column.name) + (' COLLATE "C"' if column.type.kind is Kind.TEXT else "")
            for column in self._table.columns
        )


def key_sums(
    options: ConnectionOptions, side: Side, wire: WireConnection, table: TableSchema, key: tuple[str, ...]
) -> PostgreSQLKeySums | None:
    """None: the table's types or the server don't allow it."""
    first = table.column(key[0])
    version = int(wire.server_settings.get("server_version", "0").split(".")[0].split()[0])
    known = version >= _FIRST_VERSION and first.type.native in _KEYS and binary_form(table, table.names)
    if not known or not all(_is_hashed(column) for column in table.columns):
        return None
    return PostgreSQLKeySums(options, side, wire, table, first)


def _is_hashed(column: Column) -> bool:
    return column.type.kind in _HASHED or column.type.native.startswith(_NATIVE)
