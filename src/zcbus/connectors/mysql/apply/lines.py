"""LOAD DATA of lines from a source of another kind; see raw_rows.LINES."""

from collections.abc import Sequence

from zcbus.connectors.mysql.apply.encode import Form
from zcbus.connectors.mysql.apply.load import LOAD_VALUES
from zcbus.connectors.mysql.connection.session import ServerVersion
from zcbus.connectors.roles import MappedColumn
from zcbus.model.schema import Column, TableSchema
from zcbus.model.types import INTEGERS, DataType, Kind

_AS_TEXT = (Kind.TEXT, Kind.OTHER)
_SAME_IN_BYTES = INTEGERS | {
    Kind.DECIMAL,
    Kind.FLOAT32,
    Kind.FLOAT64,
    Kind.TEXT,
    Kind.DATE,
    Kind.TIMESTAMP,
    Kind.TIMESTAMP_TZ,
    Kind.DURATION,
    Kind.YEAR,
}
_UTC = "TRIM(TRAILING '+00' FROM {})"


def values_of_lines(columns: Sequence[MappedColumn], table: TableSchema) -> list[tuple[str, str]] | None:
    """Expressions for `lines_statement` that give the same values as `encode`; None: the server cannot do that.

    Values that only `encode` converts (infinite moments) are refused by the server.
    """
    if not {column.target for column in columns} <= set(table.names):
        return None
    found = [(column.target, _value(column.type, table.column(column.target).type)) for column in columns]
    known = [(name, value) for name, value in found if value is not None]
    return known if len(known) == len(found) else None


def charset_of_lines(columns: Sequence[MappedColumn], table: TableSchema, version: ServerVersion) -> str:
    """The character set with the least work for the server to read lines in.

    The server handles bytes faster than characters, and detects invalid UTF-8 when it stores the value. Some types
    treat bytes as something else than text, and a column in another character set would get them unconverted.
    """
    targets = [table.column(column.target) for column in columns]
    if version.mariadb and all(_is_the_same_in_bytes(column) for column in targets):
        return "binary"
    return "utf8mb4"


def _is_the_same_in_bytes(column: Column) -> bool:
    in_utf8 = column.collation is None or column.collation.startswith("utf8mb4_")
    return in_utf8 and column.type.kind in _SAME_IN_BYTES


def _value(source: DataType, target: DataType) -> str | None:
    if source.kind is Kind.FLOAT32 and target.kind is Kind.FLOAT32:
        return None
    if source.kind is Kind.ARRAY and target.kind is Kind.JSON:
        return None
    if source.kind is Kind.BINARY:
        return "UNHEX(SUBSTRING({}, 3))"
    if source.kind is Kind.BIT:
        return "" if target.kind in _AS_TEXT else LOAD_VALUES[Form.BITS]
    if source.kind is Kind.TIMESTAMP_TZ and target.kind not in _AS_TEXT:
        return _UTC
    return LOAD_VALUES[Form.NUMBER] if target.kind is Kind.BIT else ""
