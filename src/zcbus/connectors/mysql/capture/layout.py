"""Matching of rows in the log with the catalog, which may be ahead of the log."""

from dataclasses import replace

from zcbus.connectors.mysql.binlog import tables as codes
from zcbus.connectors.mysql.binlog.tables import ColumnLayout, ColumnMap, TableMap
from zcbus.connectors.mysql.catalog.layout import TableLayout
from zcbus.model.schema import Column
from zcbus.model.types import INTEGERS, SIGNED, UNSIGNED, DataType, Kind

_FLOATS = frozenset({Kind.FLOAT32, Kind.FLOAT64})
_CHARACTERS = frozenset({Kind.TEXT, Kind.BINARY, Kind.JSON, Kind.UUID, Kind.OTHER})
_KINDS: dict[int, frozenset[Kind]] = {
    **dict.fromkeys((codes.TINY, codes.SHORT, codes.INT24, codes.LONG, codes.LONGLONG), INTEGERS),
    **dict.fromkeys((codes.FLOAT, codes.DOUBLE), _FLOATS),
    codes.NEWDECIMAL: frozenset({Kind.DECIMAL}),
    **dict.fromkeys((codes.DATE, codes.NEWDATE), frozenset({Kind.DATE})),
    codes.YEAR: frozenset({Kind.YEAR}),
    **dict.fromkeys((codes.TIME, codes.TIME2), frozenset({Kind.DURATION})),
    **dict.fromkeys((codes.DATETIME, codes.DATETIME2), frozenset({Kind.TIMESTAMP})),
    **dict.fromkeys((codes.TIMESTAMP, codes.TIMESTAMP2), frozenset({Kind.TIMESTAMP_TZ})),
    codes.BIT: frozenset({Kind.BIT}),
    codes.ENUM: frozenset({Kind.ENUM}),
    codes.SET: frozenset({Kind.SET}),
    codes.JSON: frozenset({Kind.JSON}),
    **dict.fromkeys((codes.VARCHAR, codes.VAR_STRING, codes.STRING, codes.BLOB), _CHARACTERS),
    **dict.fromkeys((codes.TINY_BLOB, codes.MEDIUM_BLOB, codes.LONG_BLOB), _CHARACTERS),
}
"""Types of a column in the catalog that are read correctly with this map: integers carry their width in the log."""

_OLD_FRACTIONS = {
    codes.TIMESTAMP: (4, 5, 5, 6, 6, 7, 7),
    codes.TIME: (3, 4, 4, 5, 5, 5, 6),
    codes.DATETIME: (8, 6, 6, 7, 7, 7, 8),
}


def fit(table_map: TableMap, known: TableLayout) -> tuple[TableMap, TableLayout] | None:
    """The map with the catalog's facts, and the schema of these rows. None if they do not match.

    With column names in the log, rows from before or after a schema change are readable too: columns that the catalog
    no longer has are skipped.
    """
    columns = _by_name(table_map, known) if table_map.names else known.columns
    if len(columns) != len(table_map.columns):
        return None
    fitted, layouts = [], []
    for number, (column, layout) in enumerate(zip(table_map.columns, columns, strict=True)):
        if not layout.virtual and not is_readable(column, layout):
            return None
        unsigned = table_map.unsigned[number] if table_map.unsigned else None
        layouts.append(_with_sign(layout, unsigned))
        fitted.append(_with_old_fraction(column, layout))
    return replace(table_map, columns=tuple(fitted)), _layout(known, tuple(layouts))


def _by_name(table_map: TableMap, known: TableLayout) -> tuple[ColumnLayout, ...]:
    today = {layout.column.name: layout for layout in known.columns}
    return tuple(today.get(name) or _gone(name) for name in table_map.names)


def _gone(name: str) -> ColumnLayout:
    return ColumnLayout(Column(name, DataType(Kind.UNSUPPORTED, "", reason="dropped")), None, virtual=True)


def is_readable(column: ColumnMap, layout: ColumnLayout) -> bool:
    """Whether values in the log may be of a column that the catalogue describes so."""
    kind = layout.column.type.kind
    return kind is Kind.UNSUPPORTED or kind in _KINDS.get(column.type, frozenset(Kind))


def _with_sign(layout: ColumnLayout, unsigned: bool | None) -> ColumnLayout:
    """The sign as the log has it, where it has it."""
    data_type = layout.column.type
    if unsigned is None or data_type.kind not in INTEGERS or unsigned == (data_type.kind in UNSIGNED):
        return layout
    pairs = dict(zip((*SIGNED, *UNSIGNED), (*UNSIGNED, *SIGNED), strict=True))
    column = replace(layout.column, type=replace(data_type, kind=pairs[data_type.kind]))
    return replace(layout, column=column)


def _layout(known: TableLayout, columns: tuple[ColumnLayout, ...]) -> TableLayout:
    """The known structure itself where nothing differs, so that its frames are of one schema."""
    if columns == known.columns:
        return known
    carried = tuple(layout.column for layout in columns if not layout.virtual)
    return replace(known, schema=replace(known.schema, columns=carried), columns=columns)


def _with_old_fraction(column: ColumnMap, layout: ColumnLayout) -> ColumnMap:
    """The old formats of times have no precision in the log."""
    if column.type not in _OLD_FRACTIONS:
        return column
    digits = layout.column.type.precision or 0
    return replace(column, metadata=digits, fixed=_OLD_FRACTIONS[column.type][digits])
