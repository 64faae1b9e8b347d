"""Watermark of a table's replication: the log's changes of it, and how far the target has applied them."""

import threading
import time
from collections.abc import Callable

from zcbus.bus.contract import Bus, OffsetExpired
from zcbus.bus.topics import real_topic
from zcbus.connectors.roles import TargetSession
from zcbus.engine.comparison.changing_keys import ChangingRows
from zcbus.engine.comparison.prefetch import Cancelled
from zcbus.engine.comparison.rows import Key
from zcbus.engine.subscribe.checkpoints.records import (
    MAIN,
    Phase,
    TableCheckpoint,
    channel_checkpoint,
    table_checkpoint,
)
from zcbus.model.changes import ChangeFrame, HeartbeatFrame, TableChanges
from zcbus.model.frames import decode_frame
from zcbus.model.position import START, Position
from zcbus.model.schema import TableName

_RECORDS, _BYTES = 500, 8 << 20
_POLL_SECONDS = 0.1
_FOLLOWING = frozenset({Phase.APART, Phase.MEMBER})


def applied_up_to(checkpoints: dict[str, str], table: str) -> tuple[TableCheckpoint | None, int]:
    """A table's checkpoint, and the first record of the real topic not applied to it. `checkpoints`: data by name."""
    checkpoint = table_checkpoint(checkpoints[table]) if table in checkpoints else None
    if checkpoint is None:
        return None, 0
    if checkpoint.phase is Phase.MEMBER and MAIN in checkpoints:
        return checkpoint, max(checkpoint.offset, channel_checkpoint(checkpoints[MAIN]).offset)
    return checkpoint, checkpoint.offset


class Watermark:
    """Follows one table's changes on the real topic and in the target."""

    def __init__(
        self,
        bus: Bus,
        node: str,
        session: TargetSession,
        subscription: str,
        table: str,
        source: TableName,
        log_end: Callable[[], Position],
        cancelled: threading.Event,
        stall_timeout_s: float,
    ) -> None:
        """`stall_timeout_s`: without progress for so long the link counts as stalled."""
        self._bus, self._topic, self._session, self._subscription = bus, real_topic(node), session, subscription
        self._table, self._source, self._log_end = table, source, log_end
        self._cancelled, self._stall_timeout_s = cancelled, stall_timeout_s
        self._next: int | None = None
        self._position = START
        self._newest_change = -1
        """Offset of the last record with a change of the table."""
        self._changing_rows: ChangingRows | None = None

    def checkpoint(self) -> tuple[TableCheckpoint | None, int]:
        """`applied_up_to`, read now."""
        checkpoints = {checkpoint.name: checkpoint.data for checkpoint in self._session.checkpoints(self._subscription)}
        self._session.rollback()
        return applied_up_to(checkpoints, self._table)

    def wait(self, stall_timeout_s: float | None = None) -> bool:
        """Wait until the target has every change committed in the source before this call; false: the link stalled.
        `stall_timeout_s`: in place of the usual one. Raises Cancelled."""
        limit_s = self._stall_timeout_s if stall_timeout_s is None else stall_timeout_s
        checkpoint, offset = self.checkpoint()
        if checkpoint is None or checkpoint.phase not in _FOLLOWING:
            return False
        end, deadline = self._log_end(), time.monotonic() + limit_s
        while not self._read_up_to(end, offset) or offset <= self._newest_change:
            self._pause()
            before = offset
            _, offset = self.checkpoint()
            if offset > before:
                deadline = time.monotonic() + limit_s
            elif time.monotonic() > deadline:
                return False
        return True

    def watch(self, rows: ChangingRows) -> None:
        """Have `rows` observe the changes read from now on, in place of an earlier observer."""
        self._changing_rows = rows

    def mark(self) -> int:
        """An offset on the topic: all later commits of the source come behind it."""
        info = self._bus.info(self._topic)
        return info.next_offset if info is not None else 0

    def changed_since(self, mark: int) -> frozenset[Key] | None:
        """The observed keys that changed between a mark, taken after `watch`, and the present end of the source's log.
        None: the topic does not get so far, because the publisher stalled. Raises Cancelled."""
        end, deadline = self._log_end(), time.monotonic() + self._stall_timeout_s
        while not self._read_up_to(end, mark):
            before = self._next
            self._pause()
            if self._next != before:
                deadline = time.monotonic() + self._stall_timeout_s
            elif time.monotonic() > deadline:
                return None
        return self._changing_rows.changed_from(mark) if self._changing_rows is not None else frozenset()

    def _pause(self) -> None:
        if self._cancelled.wait(_POLL_SECONDS):
            raise Cancelled

    def _read_up_to(self, end: Position, offset: int) -> bool:
        """Read the topic up to its end; returns whether it reaches `end`."""
        if self._position >= end:
            return True
        with self._bus.reader(self._topic, offset if self._next is None else self._next) as reader:
            try:
                while self._position < end and (records := reader.read(_RECORDS, _BYTES, 0.0)):
                    for record in records:
                        self._note(record.offset, decode_frame(record.payload))
            except OffsetExpired:
                return False
            finally:
                self._next = reader.next_offset
        return self._position >= end

    def _note(self, offset: int, frame: object) -> None:
        if isinstance(frame, HeartbeatFrame):
            self._position = max(self._position, frame.position)
        elif isinstance(frame, ChangeFrame):
            for changes in frame.tables:
                if changes.schema.name == self._source:
                    self._note_change(offset, changes)
            if frame.complete:
                self._position = max(self._position, frame.last_position)

    def _note_change(self, offset: int, changes: TableChanges) -> None:
        self._newest_change = offset
        if self._changing_rows is not None:
            self._changing_rows.note(offset, changes)
