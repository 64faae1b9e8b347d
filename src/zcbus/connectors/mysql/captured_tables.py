"""The captured tables as the log names them: which TABLE_MAP belongs to which table, and how its rows are read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from zcbus.connectors.errors import TableMissing, TableRefused
from zcbus.connectors.mysql.binlog_layout import fit, is_readable
from zcbus.connectors.mysql.binlog_tables import TableMap, parse_table_map
from zcbus.connectors.mysql.discover import describe_layouts
from zcbus.connectors.mysql.layout import ColumnLayout, TableLayout
from zcbus.connectors.mysql.session import Session
from zcbus.connectors.roles import CapturedTable
from zcbus.model.schema import Column, TableName, TableSchema


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
        """Place in the row image and layout of each column of the schema."""
        return [(place, column) for place, column in enumerate(self.layout.columns) if not column.virtual]

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


class CapturedTables:
    """Knows the structures; asks the catalogue when the log shows a new one."""

    def __init__(self, session: Callable[[], Session], tables: Sequence[CapturedTable]) -> None:
        self._session = session
        self._wanted = {table.name: table for table in tables}
        self._by_map: dict[bytes, Captured | None] = {}
        self._layouts: dict[TableName, TableLayout] = {}
        self._former: dict[TableName, dict[str, str]] = {}
        """Per table new name → old name of columns, since the structure was last described."""

    def find(self, body: bytes) -> Captured | None:
        """What a TABLE_MAP's body (behind the table id) speaks of; None for tables that are not captured.

        Raises TableRefused where rows lie in the log under a structure that the catalogue no longer knows.
        """
        if body not in self._by_map:
            self._by_map[body] = self._understand(body)
        return self._by_map[body]

    def wanted(self, name: TableName) -> CapturedTable | None:
        """The captured table of that name."""
        return self._wanted.get(name)

    def layout(self, name: TableName) -> TableLayout:
        """The table's structure as last seen. Raises TableRefused."""
        if name not in self._layouts:
            self._layouts[name] = self._describe(name)
        return self._layouts[name]

    def mentioned(self, text: str) -> list[TableName]:
        """Captured tables whose name occurs in a statement."""
        lowered = text.lower()
        return [name for name in self._wanted if name.table.lower() in lowered]

    def forget(self, names: Sequence[TableName], renamed: Sequence[tuple[str, str]] = ()) -> None:
        """Their structure may have changed; `renamed`: (old name, new name) of columns that the statement renames.

        Raises TableMissing where a table is not there any more.
        """
        for name in names:
            former = self._former.setdefault(name, {}) if name not in self._layouts else {}
            self._former[name] = former | {new: former.get(old, old) for old, new in renamed}
            self._layouts.pop(name, None)
        gone = set(names)
        self._by_map = {body: one for body, one in self._by_map.items() if one and one.schema.name not in gone}

    def _understand(self, body: bytes) -> Captured | None:
        table_map = parse_table_map(body)
        wanted = self._wanted.get(table_map.name)
        if wanted is None:
            return None
        known = self._layouts.get(table_map.name)
        fitted = fit(table_map, known) if known and _is_today(table_map, known) else None
        if fitted is None:
            known = self._layouts[table_map.name] = self._describe(table_map.name)
            fitted = fit(table_map, known)
        key_missing = fitted is not None and not set(wanted.key) <= set(fitted[1].schema.names)
        if fitted is None or known is None or key_missing or _is_ambiguous(table_map, known):
            raise TableRefused(table=str(table_map.name), column="", reason="schema-changed")
        return Captured(fitted[1], fitted[0], wanted.key)

    def _describe(self, name: TableName) -> TableLayout:
        try:
            return _with_former(describe_layouts(self._session(), [name])[0], self._former.get(name, {}))
        except TableMissing as error:
            raise TableRefused(table=str(name), column="", reason="table-missing") from error


def _with_former(layout: TableLayout, former: dict[str, str]) -> TableLayout:
    """The structure with the names that columns had before."""
    known = {new: old for new, old in former.items() if old not in layout.schema.names}
    if not known:
        return layout

    def renamed(column: Column) -> Column:
        return replace(column, former=known.get(column.name, ""))

    columns = tuple(replace(one, column=renamed(one.column)) for one in layout.columns)
    schema = replace(layout.schema, columns=tuple(map(renamed, layout.schema.columns)))
    return replace(layout, schema=schema, columns=columns)


def _is_ambiguous(table_map: TableMap, known: TableLayout) -> bool:
    """Rows lack columns that the catalogue has, and have others: a column may have been renamed since, and its values
    must not be passed over."""
    if not table_map.names:
        return False
    today = {layout.column.name for layout in known.columns}
    gone = [column for name, column in zip(table_map.names, table_map.columns, strict=True) if name not in today]
    new = [layout for layout in known.columns if layout.column.name not in table_map.names]
    return any(is_readable(column, layout) for column in gone for layout in new)


def _is_today(table_map: TableMap, known: TableLayout) -> bool:
    """Whether the rows have the columns that we know of, as far as the log tells."""
    return not table_map.names or table_map.names == tuple(layout.column.name for layout in known.columns)
