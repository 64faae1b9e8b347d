"""Difference between a link's stored and desired tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.subscribe.service import TableSettings, settings_of
from zcbus.control.features.subscribe.settings_change import Consequence, SettingsChange, change_of
from zcbus.control.features.sync_link.schemas import TableChange
from zcbus.protocol.base import TableRef


@dataclass(frozen=True, slots=True)
class ChangedTable:
    """A stored table with other settings. `published_generation`: the number of its published table's snapshot."""

    source: TableRef
    published_id: str
    published_generation: int
    change: SettingsChange


@dataclass(frozen=True, slots=True)
class RemovedTable:
    """A stored table that is no longer desired."""

    id: str
    published_id: str
    change: TableChange


@dataclass(frozen=True, slots=True)
class Difference:
    """Tables to add, to change, to remove."""

    added: list[TableRef]
    changed: list[ChangedTable]
    removed: list[RemovedTable]

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed)

    @property
    def reloaded(self) -> list[TableRef]:
        """Changed tables whose rows are loaded again."""
        return [table.source for table in self.changed if table.change.consequence is Consequence.RELOAD]

    @property
    def to_check(self) -> list[TableRef]:
        """Tables that must be pre-checked: they are loaded, or continue with other rows."""
        return [*self.added, *(table.source for table in self.changed if table.change.changes_rows)]

    @property
    def refused(self) -> list[TableRef]:
        """Changed tables whose target would lack rows, because nothing loads them."""
        return [table.source for table in self.changed if table.change.needs_load]


def compare(stored: Sequence[Row[Any]], desired: Mapping[TableRef, TableSettings]) -> Difference:
    """`stored`: rows of `subscribe.service.tables_of`."""
    known = {_source_of(row): row for row in stored}
    return Difference(
        added=[table for table in desired if table not in known],
        changed=[
            _changed(row, table, desired[table])
            for table, row in known.items()
            if table in desired and settings_of(row) != desired[table]
        ],
        removed=[_removed(row, table) for table, row in known.items() if table not in desired],
    )


def _changed(row: Row[Any], source: TableRef, desired: TableSettings) -> ChangedTable:
    return ChangedTable(source, row.published_table_id, row.published_generation, change_of(row, desired))


def _removed(row: Row[Any], source: TableRef) -> RemovedTable:
    change = TableChange(
        source=f"{source.schema_name}.{source.table}", target=f"{row.target_schema}.{row.target_table}"
    )
    return RemovedTable(row.id, row.published_table_id, change)


def _source_of(row: Row[Any]) -> TableRef:
    return TableRef(schema_name=row.source_schema, table=row.source_table)
