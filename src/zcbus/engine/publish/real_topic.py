"""Writing the real topic: what is durable on it decides where capture goes on."""

from collections.abc import Sequence

from zcbus.bus.contract import Bus, OffsetExpired, Retention
from zcbus.engine.capture_history import Place
from zcbus.model.changes import ChangeFrame, Frame, HeartbeatFrame, RollbackFrame
from zcbus.model.frames import decode_frame, encode_frame
from zcbus.model.position import Position


class RealTopic:
    """The only writer of a node's real topic.

    Frames are kept until they are durable: after BusFull, `drain` goes on exactly where the bus stopped.
    """

    def __init__(self, bus: Bus, topic: str, retention: Retention) -> None:
        """Open the topic and find out how far it goes. Raises TopicBusy, BusFull."""
        self._bus, self._topic = bus, topic
        self._writer = bus.writer(topic, retention)
        try:
            self._pending: list[Frame] = []
            self._durable = self._writer.next_offset
            self.position, self.gtid_set, self._open = _recover(bus, topic, self._durable)
        except BaseException:
            self._writer.close()
            raise

    position: Position | None
    """Everything up to here is durable; None: the topic is empty."""
    gtid_set: str
    """What that is on other servers (see ChangeFrame)."""

    @property
    def inside(self) -> bool:
        """Whether what comes next belongs to a transaction that is partly there."""
        return self._open or bool(self._pending)

    def queue(self, frames: Sequence[Frame]) -> None:
        """Frames to be made durable by `drain`."""
        self._pending.extend(frames)

    def drain(self) -> None:
        """Make what is queued durable, all together. Raises BusFull: call again until it returns."""
        if not self._pending:
            return
        appended = self._writer.next_offset - self._durable
        for frame in self._pending[appended:]:
            self._writer.append(encode_frame(frame))
        self._durable = self._writer.flush()
        for frame in self._pending:
            self._note(frame)
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

    def begin_again(self) -> None:
        """Before a capture goes on behind `position`: take back a transaction that is only partly there."""
        self.drain()
        if self._open:
            self.queue([RollbackFrame()])
            self.drain()

    def place(self) -> Place:
        """Where the next frame will be; nothing may be queued."""
        info = self._bus.info(self._topic)
        return Place(info.next_offset, info.newest_time) if info is not None else Place(0)

    def close(self) -> None:
        """Give the topic free."""
        self._writer.close()


def reached(bus: Bus, topic: str) -> Position | None:
    """Up to where the log is on the topic; None: nowhere yet, or nothing of that is left. For those who do not write
    it."""
    info = bus.info(topic)
    return _recover(bus, topic, info.next_offset)[0] if info is not None else None


def _recover(bus: Bus, topic: str, end: int) -> tuple[Position | None, str, bool]:
    """Position that is complete on the topic with what is gtid_set up to there, and whether the topic ends inside a
    transaction."""
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
