"""State of a folder, in a table of its own there (`_zcbus`).

| part        | kind         | subscription, name   | version        | data                       |
|-------------|--------------|----------------------|----------------|----------------------------|
| `state`     | `checkpoint` | as Checkpoint's      | its version    | its data                   |
| `state`     | `hold`       | what is held         | its end (ms)   | who holds                  |
| `state`     | `sequence`   |                      | last part's    | number of the first part   |
| `pending`   | `part`       | name: the table's    | number         | rows as an Arrow stream    |
| `row_error` | `row_error`  | name: its id         |                | JSON                       |

Each commit carries a number one greater than before as a transaction of an application: of two that begin at the same
state, Delta refuses the second. So a transaction over several tables is decided by one commit here; its changes of
the tables are stored there in `pending`, and applied to each table at most once.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa
from deltalake import DeltaTable, write_deltalake

from zcbus.connectors.delta.folder import OWN, LakeFolder, commit, query
from zcbus.connectors.errors import DatabaseFailed
from zcbus.connectors.roles import Checkpoint
from zcbus.connectors.roles.writer import RowErrorChange
from zcbus.connectors.writing.decided import Hold, State
from zcbus.connectors.writing.row_errors import row_error_from_json, row_error_to_json
from zcbus.model.row_errors import RowError

_COLUMNS: "list[pa.Field[Any]]" = [
    pa.field("part", pa.string()),
    pa.field("kind", pa.string()),
    pa.field("subscription", pa.string()),
    pa.field("name", pa.string()),
    pa.field("version", pa.int64()),
    pa.field("data", pa.binary()),
]
_SCHEMA = pa.schema(_COLUMNS)
_APPLICATION = "zcbus"
_TIDY_EVERY = 200
"""Commits between two deletions of what no state needs any more."""
_KEPT_HOURS = 1
_KEPT = {"delta.logRetentionDuration": f"interval {_KEPT_HOURS} hours", "delta.checkpointInterval": "50"}


@dataclass(frozen=True, slots=True)
class Part:
    """Rows of one table that a transaction changes; see merging."""

    table: str
    data: bytes


class StateTable:
    """The table, as one session sees it; see StateStore. Raises as LakeFolder."""

    def __init__(self, folder: LakeFolder) -> None:
        self._folder = folder
        self._table: DeltaTable | None = None
        self._commits = 0

    def prepare(self) -> None:
        if self._folder.open(OWN) is None:
            self._folder.create(OWN, _SCHEMA, partition_by=["part"], configuration=_KEPT)

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
            rows = self._rows(table, "kind, subscription, name, version, data", "part = 'state'")
        checkpoints: dict[tuple[str, str], Checkpoint] = {}
        holds: dict[str, Hold] = {}
        first, last = 1, 0
        for kind, subscription, name, version, data in rows:
            text = data.decode()
            if kind == "checkpoint":
                checkpoints[subscription, name] = Checkpoint(subscription, name, version, text)
            elif kind == "hold":
                holds[subscription] = Hold(text, version)
            else:
                first, last = int(text), version
        return State(checkpoints, holds, first, last, number)

    def parts(self) -> list[tuple[int, str]]:
        """Number and table of each part of the last transaction, in their order."""
        with self._folder.translated():
            found = self._rows(self._there(), "version, name", "part = 'pending'")
        return sorted((number, name) for number, name in found)

    def part(self, number: int) -> bytes:
        """The rows of a part."""
        with self._folder.translated():
            ((data,),) = self._rows(self._there(), "data", f"part = 'pending' AND version = {number}")
        return bytes(data)

    def row_errors(self, subscription: str) -> list[RowError]:
        return [error for of, error in self._row_errors() if of == subscription]

    def write(self, state: State, parts: Iterable[Part] = (), errors: Sequence[RowErrorChange] | None = None) -> State:
        table = self._there()
        numbered = _Numbered(parts, state.last)
        kept = None if errors is None else _changed(self._row_errors(), errors)

        def batches() -> Iterator[pa.RecordBatch]:
            yield from numbered
            after = replace(state, first=state.last + 1, last=numbered.last)
            yield _batch(list(_state_rows(after)))
            if kept:
                yield _batch([("row_error", "row_error", of, one.id, 0, _encoded(one)) for of, one in kept])

        try:
            with self._folder.translated():
                write_deltalake(
                    table,
                    pa.RecordBatchReader.from_batches(_SCHEMA, batches()),
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

    def _row_errors(self) -> list[tuple[str, RowError]]:
        """All row errors, with their subscriptions."""
        with self._folder.translated():
            table = self._there()
            if not table.transaction_version(_APPLICATION):
                return []
            found = self._rows(table, "subscription, data", "part = 'row_error'")
        return [(of, row_error_from_json(data)) for of, data in found]

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


class _Numbered:
    """Parts as rows, and the error that stopped them: the library would replace it by its own."""

    def __init__(self, parts: Iterable[Part], last: int) -> None:
        self._parts, self.last = parts, last
        self.failure: Exception | None = None

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        try:
            for part in self._parts:
                self.last += 1
                yield _batch([("pending", "part", "", part.table, self.last, part.data)])
        except Exception as error:
            self.failure = error
            raise


Row = tuple[str, str, str, str, int, bytes]


def _state_rows(state: State) -> Iterator[Row]:
    yield "state", "sequence", "", "", state.last, str(state.first).encode()
    for one in state.checkpoints.values():
        yield "state", "checkpoint", one.subscription, one.name, one.version, one.data.encode()
    for subscription, hold in state.holds.items():
        yield "state", "hold", subscription, "", hold.until, hold.token.encode()


def _batch(rows: Sequence[Row]) -> pa.RecordBatch:
    arrays = [pa.array(list(values), one.type) for values, one in zip(zip(*rows, strict=True), _SCHEMA, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=_SCHEMA)


def _encoded(error: RowError) -> bytes:
    text = row_error_to_json(error)
    return text if isinstance(text, bytes) else text.encode()


def _changed(before: Sequence[tuple[str, RowError]], changes: Sequence[RowErrorChange]) -> list[tuple[str, RowError]]:
    found = {(subscription, one.id): one for subscription, one in before}
    for change in changes:
        if change.error is None:
            found.pop((change.subscription, change.id), None)
        else:
            found[change.subscription, change.id] = change.error
    return [(subscription, one) for (subscription, _), one in found.items()]
