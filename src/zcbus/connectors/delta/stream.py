"""The changes of Delta tables; see roles.ChangeStream."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import orjson
import pyarrow as pa
from deltalake import DeltaTable

from zcbus.connectors.delta.feed import Feed
from zcbus.connectors.delta.folder import LakeFolder
from zcbus.connectors.delta.rows import completed
from zcbus.connectors.delta.tables import described
from zcbus.connectors.lakes.types import canonical_batch
from zcbus.connectors.polling import rounds
from zcbus.connectors.polling.frames import change_frame, no_rows
from zcbus.connectors.roles import CapturedTable, SchemaHistory
from zcbus.kit.clock import now_ms
from zcbus.model.changes import ChangeFrame, HeartbeatFrame, Operation, Streamed
from zcbus.model.position import Position
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.types import Kind

_SAVE_SECONDS = 10.0
_ROWS = 10_000
_BYTES = 8 << 20


@dataclass(frozen=True, slots=True)
class _Progress:
    """How far a table was published. `id`: of the table, which another one of its name does not have."""

    id: str
    version: int


class DeltaStream:
    """Publishes versions in their order: keys that are gone as deletes, then rows as updates of their keys.

    Keeps in the node's history document the last version of each table that is durable on the bus. After a restart the
    versions behind it are published again; writers by key reach the same result.
    """

    def __init__(
        self,
        folder: LakeFolder,
        tables: Sequence[CapturedTable],
        after: Position,
        history: SchemaHistory | None,
        interval: float,
    ) -> None:
        """`interval`: seconds between rounds. Raises TableRefused, TableMissing."""
        self._history, self._interval, self._position = history, interval, after
        self._tables = {one.name: one for one in sorted(tables, key=lambda one: one.name)}
        self._feeds = {name: Feed(folder, name, one.key) for name, one in self._tables.items()}
        self._schemas: dict[TableName, TableSchema] = {}
        self._published: dict[TableName, _Progress] = {}
        self._recall()
        self._durable = dict(self._published)
        self._pending: list[tuple[Position, TableName, _Progress]] = []
        """The progress that becomes durable with a position."""
        self._save()
        self._next_round = time.monotonic()
        self._frames: Iterator[Streamed] = iter(())

    def read(self, timeout: float) -> Sequence[Streamed]:
        frame = next(self._frames, None)
        if frame is not None:
            return [frame]
        pause = self._next_round - time.monotonic()
        if pause > 0:
            time.sleep(min(timeout, pause))
            return []
        self._frames = self._round()
        return [next(self._frames)]

    def acknowledge(self, position: Position) -> None:
        while self._pending and self._pending[0][0] <= position:
            _, name, progress = self._pending.pop(0)
            self._durable[name] = progress
            self._unsaved = True
        if self._unsaved and time.monotonic() >= self._next_save:
            self._save()

    def __enter__(self) -> "DeltaStream":
        return self

    def __exit__(self, *details: object) -> None:
        """Nothing stays open between calls."""

    def _recall(self) -> None:
        """Begin with each table: what one that was never captured has is left to a full load."""
        stored = orjson.loads((self._history.read() if self._history else b"") or b"{}")
        for name, feed in self._feeds.items():
            table = feed.open()
            self._schemas[name] = described(name.table, table)
            known = stored.get(str(name))
            if known is None:
                self._published[name] = _Progress(str(table.metadata().id), table.version())
            elif known["shape"] != _shape(self._schemas[name]):
                raise feed.refused("schema-changed")
            else:
                self._published[name] = _Progress(known["id"], known["version"])

    def _round(self) -> Iterator[Streamed]:
        """Publish new versions, and end with a heartbeat at the position before all later changes."""
        began, end = time.monotonic(), rounds.beginning(now_ms(), self._position)
        self._next_round = began + self._interval
        for name in self._tables:
            yield from self._changes(name, self._opened(name))
        self._position = end = max(end, rounds.following(self._position, 0))
        yield HeartbeatFrame(end, now_ms(), answered_ms=round((time.monotonic() - began) * 1000))

    def _opened(self, name: TableName) -> DeltaTable:
        """A table of which all versions since the last published one follow that. Raises TableRefused."""
        feed, known = self._feeds[name], self._published[name]
        table = feed.open()
        if str(table.metadata().id) != known.id or table.version() < known.version:
            raise feed.refused("feed-lost")
        if _shape(described(name.table, table)) != _shape(self._schemas[name]):
            raise feed.refused("schema-changed")
        return table

    def _changes(self, name: TableName, table: DeltaTable) -> Iterator[ChangeFrame]:
        schema, key = self._schemas[name], self._tables[name].key
        columns = [one for one in schema.columns if one.type.kind is not Kind.UNSUPPORTED]
        for number in range(self._published[name].version + 1, table.version() + 1):
            version = self._feeds[name].version(number, columns)
            for batch in version.gone.to_batches(max_chunksize=_ROWS):
                keys = canonical_batch(batch)
                rows = no_rows(schema, keys.num_rows)
                yield self._frame(schema, key, Operation.DELETE, rows, keys, version.committed_ms)
            for read in version.put:
                for batch in _parts(read):
                    rows = completed(schema, canonical_batch(batch))
                    yield self._frame(schema, key, Operation.UPDATE, rows, rows.select(list(key)), version.committed_ms)
            self._published[name] = progress = _Progress(self._published[name].id, number)
            self._pending.append((self._position, name, progress))

    def _frame(
        self,
        schema: TableSchema,
        key: Sequence[str],
        what: Operation,
        rows: pa.RecordBatch,
        keys: pa.RecordBatch,
        committed_ms: int,
    ) -> ChangeFrame:
        now = now_ms()
        self._position = rounds.following(self._position, now)
        return change_frame(schema, key, what, rows, keys, self._position, committed_ms or now)

    def _save(self) -> None:
        if self._history is not None:
            document = {
                str(name): {"id": one.id, "version": one.version, "shape": _shape(self._schemas[name])}
                for name, one in self._durable.items()
            }
            self._history.write(orjson.dumps(document))
        self._unsaved, self._next_save = False, time.monotonic() + _SAVE_SECONDS


def _shape(schema: TableSchema) -> list[list[str]]:
    return [[column.name, column.type.native] for column in schema.columns]


def _parts(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    step = max(1, min(_ROWS, batch.num_rows * _BYTES // max(batch.nbytes, _BYTES)))
    return (batch.slice(begin, step) for begin in range(0, batch.num_rows, step))
