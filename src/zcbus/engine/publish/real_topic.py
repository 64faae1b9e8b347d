"""Writer of the real topic; the durable position on it is where capture resumes."""

from collections.abc import Sequence

from zcbus.bus.contract import Bus, OffsetExpired, Retention
from zcbus.engine.capture_history import TopicPosition
from zcbus.engine.publish.control_totals import TotalsCounter
from zcbus.model.changes import ChangeFrame, Frame, HeartbeatFrame, RollbackFrame
from zcbus.model.frames import decode_frame, encode_frame
from zcbus.model.position import Position


class RealTopic:
    """The only writer of a node's real topic.

    Frames are queued until they are durable: after BusFull, `drain` resumes exactly where the bus stopped.
    """

    def __init__(self, bus: Bus, topic: str, retention: Retention) -> None:
        """Open the topic and read its end. Raises TopicBusy, BusFull."""
        self._bus, self._topic = bus, topic
        self._writer = bus.writer(topic, retention)
        try:
            self._pending: list[Frame] = []
            self.bytes_written = 0
            self._durable = self._writer.next_offset
            self.position, self.gtid_set, self._open = _recover(bus, topic, self._durable)
            self.totals = TotalsCounter(bus, topic, self._durable)
        except BaseException:
            self._writer.close()
            raise

    bytes_written: int
    """Of all records that were appended, also by an attempt that has to be made again."""
    position: Position | None
    """All changes up to here are durable; None: the topic is empty."""
    gtid_set: str
    """The same for other servers (see ChangeFrame)."""

    @property
    def name(self) -> str:
        """The topic."""
        return self._topic

    @property
    def durable_offset(self) -> int:
        """Offset of the record after the last durable one."""
        return self._durable

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is only partly on the topic."""
        return self._open or bool(self._pending)

    def queue(self, frames: Sequence[Frame]) -> None:
        """Queue frames for `drain`."""
        self._pending.extend(frames)

    def drain(self) -> None:
        """Write all queued frames durably. Raises BusFull: call again until it returns."""
        if not self._pending:
            return
        appended = self._writer.next_offset - self._durable
        for frame in self._pending[appended:]:
            payload = encode_frame(frame)
            self._writer.append(payload)
            self.bytes_written += sum(memoryview(part).nbytes for part in payload)
        first, self._durable = self._durable, self._writer.flush()
        for offset, frame in enumerate(self._pending, first):
            self._note(frame)
            self.totals.note(frame, offset)
        self._pending.clear()

    def _note(self, frame: Frame) -> None:
        if isinstance(frame, ChangeFrame):
            self._open = not frame.complete
            if frame.complete:
                self.position, self.gtid_set = frame.last_position, frame.gtid_set
        elif isinstance(frame, HeartbeatFrame):
            self.position, self.gtid_set = frame.position, frame.gtid_set
        elif isinstance(frame, RollbackFrame):
            self._open = False

    def queue_due_totals(self) -> bool:
        """Queue control totals for `drain` if they are due and no transaction is open; whether they are queued."""
        if self.in_transaction or not self.totals.is_due:
            return False
        self.queue([self.totals.frame()])
        return True

    def roll_back_open(self) -> None:
        """Roll back a partial transaction before a capture resumes behind `position`."""
        self.drain()
        if self._open:
            self.queue([RollbackFrame()])
            self.drain()

    def next_position(self) -> TopicPosition:
        """Position of the next frame; the queue must be empty."""
        info = self._bus.info(self._topic)
        return TopicPosition(info.next_offset, info.newest_time) if info is not None else TopicPosition(0)

    def keep(self, retention: Retention) -> None:
        """See TopicWriter.keep."""
        self._writer.keep(retention)

    def close(self) -> None:
        """Release the topic."""
        self._writer.close()


def reached(bus: Bus, topic: str) -> Position | None:
    """Position of a topic, for readers; None: empty, or its records have expired."""
    info = bus.info(topic)
    return _recover(bus, topic, info.next_offset)[0] if info is not None else None


def _recover(bus: Bus, topic: str, end: int) -> tuple[Position | None, str, bool]:
    """Complete position on the topic, its GTID set, and whether a transaction is open at the end."""
    partial: ChangeFrame | None = None
    is_open = False
    with bus.reader(topic, end) as reader:
        for offset in range(end - 1, -1, -1):
            reader.seek(offset)
            try:
                frame = decode_frame(reader.read(1, 1, 0)[0].payload)
            except OffsetExpired:
                break
            if isinstance(frame, HeartbeatFrame):
                return frame.position, frame.gtid_set, is_open
            if isinstance(frame, ChangeFrame):
                if frame.complete:
                    return frame.last_position, frame.gtid_set, is_open
                partial = frame
                is_open = is_open or offset == end - 1
    if partial is None:
        return None, "", is_open
    return partial.last_position.just_before, partial.gtid_set, is_open
