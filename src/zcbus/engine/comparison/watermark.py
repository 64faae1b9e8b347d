"""What the log has of a table and whether the link has brought it up to a moment: only then does a difference mean
something."""

import threading
import time
from collections.abc import Callable

from zcbus.bus.contract import Bus, OffsetExpired
from zcbus.bus.topics import real_topic
from zcbus.connectors.roles import TargetSession
from zcbus.engine.comparison.changing_keys import ChangingRows
from zcbus.engine.comparison.merge import Key
from zcbus.engine.comparison.prefetch import Cancelled
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
_LOOK_SECONDS = 0.1
_FOLLOWING = frozenset({Phase.APART, Phase.MEMBER})


def place_of(checkpoints: dict[str, str], table: str) -> tuple[TableCheckpoint | None, int]:
    """A table's memory and the first record of the real topic that is not in its rows. `checkpoints`: data by name."""
    checkpoint = table_checkpoint(checkpoints[table]) if table in checkpoints else None
    if checkpoint is None:
        return None, 0
    if checkpoint.phase is Phase.MEMBER and MAIN in checkpoints:
        return checkpoint, max(checkpoint.offset, channel_checkpoint(checkpoints[MAIN]).offset)
    return checkpoint, checkpoint.offset


class Watermark:
    """Follows one table's changes on the real topic and what the target has of them."""

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
        patience_s: float,
    ) -> None:
        """`patience_s`: how long nothing may move before the link counts as standing still."""
        self._bus, self._topic, self._session, self._subscription = bus, real_topic(node), session, subscription
        self._table, self._source, self._log_end = table, source, log_end
        self._cancelled, self._patience = cancelled, patience_s
        self._next: int | None = None
        self._position = START
        self._newest_change = -1
        """The last record with a change of the table."""
        self._watched: ChangingRows | None = None

    def checkpoint(self) -> tuple[TableCheckpoint | None, int]:
        """As `place_of`, now."""
        checkpoints = {checkpoint.name: checkpoint.data for checkpoint in self._session.checkpoints(self._subscription)}
        self._session.rollback()
        return place_of(checkpoints, self._table)

    def wait(self) -> bool:
        """Until every change that was committed in the source before this call is in the target; false: it does not
        get there, because the link stands still. Raises Cancelled."""
        checkpoint, offset = self.checkpoint()
        if checkpoint is None or checkpoint.phase not in _FOLLOWING:
            return False
        wanted, deadline = self._log_end(), time.monotonic() + self._patience
        while not self._read_up_to(wanted, offset) or offset <= self._newest_change:
            self._pause()
            before = offset
            _, offset = self.checkpoint()
            if offset > before:
                deadline = time.monotonic() + self._patience
            elif time.monotonic() > deadline:
                return False
        return True

    def watch(self, watched: ChangingRows) -> None:
        """Have changes of what is read from now on noticed; only by who was given last."""
        self._watched = watched

    def mark(self) -> int:
        """A place on the topic: what the source commits from now on comes behind it."""
        info = self._bus.info(self._topic)
        return info.next_offset if info is not None else 0

    def changed_since(self, mark: int) -> frozenset[Key] | None:
        """Which of the watched keys are changed between a mark, set since they are watched, and the source's log as it
        is now. None: the topic does not get so far, because the publisher stands still. Raises Cancelled."""
        wanted, deadline = self._log_end(), time.monotonic() + self._patience
        while not self._read_up_to(wanted, mark):
            before = self._next
            self._pause()
            if self._next != before:
                deadline = time.monotonic() + self._patience
            elif time.monotonic() > deadline:
                return None
        return self._watched.changed_from(mark) if self._watched is not None else frozenset()

    def _pause(self) -> None:
        if self._cancelled.wait(_LOOK_SECONDS):
            raise Cancelled

    def _read_up_to(self, wanted: Position, offset: int) -> bool:
        """Read what there is on the topic; whether it goes as far as `wanted`."""
        if self._position >= wanted:
            return True
        with self._bus.reader(self._topic, offset if self._next is None else self._next) as reader:
            try:
                while self._position < wanted and (records := reader.read(_RECORDS, _BYTES, 0.0)):
                    for record in records:
                        self._note(record.offset, decode_frame(record.payload))
            except OffsetExpired:
                return False
            finally:
                self._next = reader.next_offset
        return self._position >= wanted

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
        if self._watched is not None:
            self._watched.note(offset, changes)
