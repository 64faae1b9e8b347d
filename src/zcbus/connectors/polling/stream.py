"""Changes of tables that are polled in rounds; see roles.ChangeStream."""

import time
from collections.abc import Iterator, Mapping, Sequence

import orjson
import pyarrow as pa

from zcbus.connectors.errors import SourceUnavailable, TableRefused
from zcbus.connectors.polling import rounds
from zcbus.connectors.polling.cursor import FullScanCursor, Key, TableCursor
from zcbus.connectors.polling.frames import change_frame, no_rows
from zcbus.connectors.polling.puller import OpenPuller
from zcbus.connectors.roles import CapturedTable, SchemaHistory
from zcbus.kit.clock import now_ms
from zcbus.model.changes import ChangeFrame, HeartbeatFrame, Operation, Streamed
from zcbus.model.position import Position
from zcbus.model.schema import TableSchema

_ROWS = 10_000
_LATE_ROWS = 1000
"""How many of the newest rows are read again when a table is captured for the first time: one of them may have taken
its watermark before others and be committed after them."""
_SAVE_SECONDS = 10.0
_MAX_SCANNED = 1_000_000
"""Rows of a table without a watermark: each is remembered."""
_SAVED_BYTES = 512 << 10
"""Of keys of such a table; more are forgotten with the process."""


class PollingStream:
    """Publishes each row as an update of its key: it may be new, and row filters must see one that no longer matches.

    Keeps in the node's history document the progress of each table, and its schema. After a restart, rows published
    since the document was written are published again; writers by key reach the same result.
    """

    def __init__(
        self,
        open_puller: OpenPuller,
        tables: Sequence[CapturedTable],
        after: Position,
        history: SchemaHistory | None,
        interval: float,
        overlap: float,
        where: Mapping[str, str],
    ) -> None:
        """`interval`: seconds from one round's beginning to the next; `overlap`: see TableCursor; `where`: kind and
        address, for errors. Raises TableRefused, TableMissing."""
        self._tables = {table.name: table for table in sorted(tables, key=lambda table: table.name)}
        self._history, self._interval = history, interval
        self._position, self._where = after, where
        self._puller = open_puller()
        try:
            stored = orjson.loads((history.read() if history else b"") or b"{}")
            self._schemas = dict(zip(self._tables, self._puller.table_schemas(list(self._tables)), strict=True))
            self._cursors = {
                name: self._cursor(stored.get(str(name)), overlap, schema) for name, schema in self._schemas.items()
            }
            self._save()
        except BaseException:
            self._puller.__exit__()
            raise
        self._next_round = time.monotonic()
        self._unsaved = False
        self._next_save = time.monotonic() + _SAVE_SECONDS
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
        """The bounds are some seconds back: what they cover was read, and is durable, when they are saved."""
        if self._unsaved and position == self._position and time.monotonic() >= self._next_save:
            self._save()

    def __enter__(self) -> "PollingStream":
        return self

    def __exit__(self, *details: object) -> None:
        self._puller.__exit__()

    def _round(self) -> Iterator[Streamed]:
        """Poll each table, and end with a heartbeat at the position before all later changes."""
        began, end = time.monotonic(), rounds.beginning(now_ms(), self._position)
        self._next_round = began + self._interval
        for table in self._tables.values():
            yield from self._changes(table, began)
        self._position = end = max(end, rounds.following(self._position, 0))
        yield HeartbeatFrame(end, now_ms(), answered_ms=round((time.monotonic() - began) * 1000))

    def _changes(self, table: CapturedTable, began: float) -> Iterator[ChangeFrame]:
        (schema,) = self._puller.table_schemas([table.name])
        if _shape(schema) != _shape(self._schemas[table.name]):
            raise TableRefused(table=str(table.name), column="", reason="schema-changed")
        cursor, column = self._cursors[table.name], self._puller.watermark(schema)
        known = cursor.count
        for rows, last in self._puller.pull(schema, column, cursor.bound, _ROWS):
            if time.monotonic() - began > rounds.MAX_SECONDS:
                raise SourceUnavailable(**self._where, detail=f"{table.name}: reading takes more than half an hour")
            changed = cursor.changed(rows, schema, table.key, last)
            if isinstance(cursor, FullScanCursor) and cursor.count > _MAX_SCANNED:
                raise TableRefused(table=str(table.name), column="", reason="watermark-too-many-rows")
            if changed.num_rows:
                yield self._frame(schema, table.key, changed)
            cursor.reached(time.monotonic(), last)
        self._unsaved |= cursor.advance_bound(began)
        if isinstance(cursor, FullScanCursor):
            gone = cursor.vanished()
            if gone or cursor.count != known:
                # Rows that are removed while no capture runs are known by these keys alone.
                self._unsaved, self._next_save = True, 0.0
            yield from self._deleted(schema, table.key, gone)

    def _deleted(self, schema: TableSchema, key: tuple[str, ...], gone: Sequence[Key]) -> Iterator[ChangeFrame]:
        for start in range(0, len(gone), _ROWS):
            columns = zip(*gone[start : start + _ROWS], strict=True)
            keys = pa.RecordBatch.from_arrays([pa.array(one, pa.string()) for one in columns], names=list(key))
            rows = no_rows(schema, keys.num_rows)
            yield self._frame(schema, key, rows, Operation.DELETE, keys)

    def _frame(
        self,
        schema: TableSchema,
        key: tuple[str, ...],
        rows: pa.RecordBatch,
        what: Operation = Operation.UPDATE,
        keys: pa.RecordBatch | None = None,
    ) -> ChangeFrame:
        now = now_ms()
        self._position = rounds.following(self._position, now)
        before = rows.select(list(key)) if keys is None else keys
        return change_frame(schema, key, what, rows, before, self._position, now)

    def _cursor(self, stored: Mapping[str, object] | None, overlap: float, schema: TableSchema) -> TableCursor:
        column = self._puller.watermark(schema)
        if stored is None:
            return (
                TableCursor(overlap, self._puller.newest(schema, column, _LATE_ROWS)) if column else FullScanCursor(0)
            )
        if stored["shape"] != _shape(schema) or stored["watermark"] != column:
            raise TableRefused(table=str(schema.name), column="", reason="schema-changed")
        if not column:
            full_scan, keys = FullScanCursor(0), stored.get("keys", [])
            assert isinstance(keys, list)
            full_scan.restore(map(tuple, keys))
            return full_scan
        bound = stored["bound"]
        return TableCursor(overlap, bound if isinstance(bound, str) else None)

    def _save(self) -> None:
        if self._history is not None:
            document = {
                str(name): {
                    "shape": _shape(self._schemas[name]),
                    "watermark": self._puller.watermark(self._schemas[name]),
                    "bound": cursor.bound,
                    **_remembered(cursor),
                }
                for name, cursor in self._cursors.items()
            }
            self._history.write(orjson.dumps(document))
        self._unsaved, self._next_save = False, time.monotonic() + _SAVE_SECONDS


def _remembered(cursor: TableCursor) -> dict[str, list[Key]]:
    keys = cursor.keys if isinstance(cursor, FullScanCursor) else []
    size = sum(len(str(part)) + 4 for key in keys for part in key)
    return {"keys": keys} if keys and size <= _SAVED_BYTES else {}


def _shape(schema: TableSchema) -> list[list[str]]:
    return [[column.name, column.type.native] for column in schema.columns]
