"""Difference between a link's stored and desired tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.subscribe.service import TableSettings, needs_reload, next_generation, settings_of
from zcbus.control.features.sync_link.schemas import TableChange
from zcbus.model.states import LoadMode
from zcbus.protocol.base import TableRef


@dataclass(frozen=True, slots=True)
class ChangedTable:
    """A stored table with its new settings and desired generations."""

    source: TableRef
    id: str
    published_id: str
    settings: TableSettings
    generation: int
    published_generation: int
    reloads: bool


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
        return [table.source for table in self.changed if table.reloads]

    @property
    def to_load(self) -> list[TableRef]:
        """Tables that are loaded again, and so must be pre-checked."""
        return [*self.added, *self.reloaded]


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
    reloads = needs_reload(settings_of(row), desired)
    generation = next_generation(row) if reloads else row.generation
    snapshot = desired.load is not LoadMode.INCREMENTAL
    return ChangedTable(
        source=source,
        id=row.id,
        published_id=row.published_table_id,
        settings=desired,
        generation=generation,
        published_generation=generation if reloads and snapshot else row.published_generation,
        reloads=reloads and snapshot,
    )


def _removed(row: Row[Any], source: TableRef) -> RemovedTable:
    change = TableChange(
        source=f"{source.schema_name}.{source.table}", target=f"{row.target_schema}.{row.target_table}"
    )
    return RemovedTable(row.id, row.published_table_id, change)


def _source_of(row: Row[Any]) -> TableRef:
    return TableRef(schema_name=row.source_schema, table=row.source_table)
