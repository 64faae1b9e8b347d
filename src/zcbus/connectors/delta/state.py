"""State of a folder, in a table of its own there (`_zcbus`): the rows of lakes.state_rows.

Each commit carries a number one greater than before as a transaction of an application: of two that begin at the same
state, Delta refuses the second. So a transaction over several tables is decided by one commit here; its changes of
the tables are stored there as pending parts, and applied to each table at most once.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa
from deltalake import DeltaTable, write_deltalake

from zcbus.connectors.delta.folder import OWN, LakeFolder, commit, query
from zcbus.connectors.errors import DatabaseFailed
from zcbus.connectors.lakes.parts import Part
from zcbus.connectors.lakes.state_rows import (
    SCHEMA,
    NumberedParts,
    OwnedError,
    changed,
    error_batch,
    errors_of,
    state_batch,
    state_of,
)
from zcbus.connectors.roles.writer import RowErrorChange
from zcbus.connectors.writing.decided import State
from zcbus.model.row_errors import RowError

_APPLICATION = "zcbus"
_TIDY_EVERY = 200
"""Commits between two deletions of what no state needs any more."""
_KEPT_HOURS = 1
_KEPT = {"delta.logRetentionDuration": f"interval {_KEPT_HOURS} hours", "delta.checkpointInterval": "50"}


class StateTable:
    """The table, as one session sees it; see StateStore. Raises as LakeFolder."""

    def __init__(self, folder: LakeFolder) -> None:
        self._folder = folder
        self._table: DeltaTable | None = None
        self._seen: tuple[tuple[int, int], State] | None = None
        """State by version and number of the commit that was read last: many are read twice."""
        self._commits = 0

    def prepare(self) -> None:
        if self._folder.open(OWN) is None:
            self._folder.create(OWN, SCHEMA, partition_by=["part"], configuration=_KEPT)

    @property
    def id(self) -> str:
        """Unique id of the folder."""
        return str(self._there().metadata().id)

    def read(self) -> State:
        with self._folder.translated():
            table = self._there()
            table.update_incremental()
            number = table.transaction_version(_APPLICATION) or 0
            if not number:
                return State()
            if self._seen is None or self._seen[0] != (table.version(), number):
                rows = self._rows(table, "kind, subscription, name, version, data", "part = 'state'")
                self._seen = (table.version(), number), state_of(rows, number)
        return self._seen[1]

    def part(self, number: int) -> Part:
        with self._folder.translated():
            ((name, data),) = self._rows(self._there(), "name, data", f"part = 'pending' AND version = {number}")
        return Part.of_bytes(name, data)

    def row_errors(self, subscription: str) -> list[RowError]:
        return [error for of, error in self._row_errors() if of == subscription]

    def write(self, state: State, parts: Iterable[Part] = (), errors: Sequence[RowErrorChange] | None = None) -> State:
        table = self._there()
        numbered = NumberedParts(parts, state.last)
        kept = None if errors is None else changed(self._row_errors(), errors)

        def batches() -> Iterator[pa.RecordBatch]:
            yield from numbered
            after = replace(state, first=state.last + 1, last=numbered.last)
            yield state_batch(after)
            if kept:
                yield error_batch(kept)

        try:
            with self._folder.translated():
                write_deltalake(
                    table,
                    pa.RecordBatchReader.from_batches(SCHEMA, batches()),
                    mode="overwrite",
                    predicate="part <> 'row_error'" if errors is None else None,
                    commit_properties=commit(_APPLICATION, state.number + 1),
                )
        except DatabaseFailed:
            if numbered.failure is not None:
                raise numbered.failure from None
            raise
        self._tidy(table)
        return replace(state, first=state.last + 1, last=numbered.last, number=state.number + 1)

    def _row_errors(self) -> list[OwnedError]:
        """All row errors."""
        with self._folder.translated():
            table = self._there()
            if not table.transaction_version(_APPLICATION):
                return []
            found = self._rows(table, "subscription, data", "part = 'row_error'")
        return errors_of((of, data) for of, data in found)

    def _rows(self, table: DeltaTable, columns: str, where: str) -> list[tuple[Any, ...]]:
        return query(table, f"SELECT {columns} FROM t WHERE {where}")

    def _there(self) -> DeltaTable:
        if self._table is None:
            self.prepare()
            self._table = self._folder.open(OWN)
            assert self._table is not None
        return self._table

    def _tidy(self, table: DeltaTable) -> None:
        """Remove old states, which no reader needs."""
        self._commits += 1
        if self._commits % _TIDY_EVERY:
            return
        with self._folder.translated():
            table.update_incremental()
            table.create_checkpoint()
            table.cleanup_metadata()
            table.vacuum(retention_hours=_KEPT_HOURS, dry_run=False, enforce_retention_duration=False)
