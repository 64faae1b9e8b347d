"""The only writer of a topic.

Opening claims the topic with a message at the end of the log. All later messages of an earlier writer arrive behind
it, at other positions than intended, and are void; the earlier writer detects that by its acknowledgements and stops
with TopicBusy. The same claim repairs a failed flush, of which it is unknown how much arrived.
"""

import contextlib
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType

from zcbus.bus.contract import MAX_PAYLOAD_BYTES, Payload, Record, RecordTooLarge, Retention, TopicBusy
from zcbus.bus.kafka.clients import Clients
from zcbus.bus.kafka.errors import BusRefused
from zcbus.bus.kafka.log import Log, LogMoved, Tail
from zcbus.bus.kafka.owner import forget, holds, new_owner
from zcbus.bus.kafka.sender import Sender, Sent
from zcbus.bus.kafka.stamp import Sort, Stamp, pack_stamp
from zcbus.bus.kafka.topic import segment_size
from zcbus.kit.errors import TransientError

PART_BYTES = 512 << 10
"""Fits into a cluster's default limits, compressed or not."""
_CLAIMS = 5
_RETENTION_MS = 60_000


@dataclass(frozen=True, slots=True)
class _Appended:
    payload: bytes
    time: int


class KafkaWriter:
    """Gathers appended records in memory; `flush` sends them and waits for all in-sync replicas."""

    def __init__(
        self,
        clients: Clients,
        topic: str,
        name: str,
        now: Callable[[], int],
        enforce: Callable[[str, Retention], object],
        segment_bytes: int,
        retention: Retention,
    ) -> None:
        """`enforce` removes old records. Raises TopicBusy, TransientError, BusRefused."""
        self._clients, self._topic, self._name, self._now = clients, topic, name, now
        self._enforce, self._most_segment_bytes = enforce, segment_bytes
        self._retention, self._segment_bytes = retention, segment_size(segment_bytes, retention)
        self._pending: list[_Appended] = []
        self._fenced = self._unsure = self._closed = False
        self._owner = new_owner()
        weakref.finalize(self, forget, self._owner)  # A writer that is dropped without closing must not hold the topic.
        try:
            self._log = Log(clients, topic, name, clients.ensure(name))
            try:
                self._begin()
            except BaseException:
                self._log.close()
                raise
        except BaseException:
            forget(self._owner)
            raise

    def _begin(self) -> None:
        self._tail, self._position = self._claim(self._check_free)
        newest = self._read_last()
        self._time = newest.time if newest is not None else 0
        self._retention_at = self._now()
        self._segment = self._tail.next_before // self._segment_bytes

    def _claim(self, check: Callable[[Tail, int], None]) -> tuple[Tail, int]:
        """Fence out all other writers; returns the log's end and the position of the next message."""
        self._sender = Sender(self._clients, self._name)
        for _ in range(_CLAIMS):
            try:
                low, high = self._log.ends()
                tail = self._log.tail(low, high)
            except LogMoved:
                continue
            check(tail, high)
            if self._sender.send([self._message(Sort.CLAIM, tail, high, b"", self._now())]) == [high]:
                return tail, high + 1
        raise TopicBusy(topic=self._topic)

    def _check_free(self, tail: Tail, high: int) -> None:
        if tail.owner is not None and holds(tail.owner, self._log.topic_id, high):
            raise TopicBusy(topic=self._topic)

    def _check_ours(self, tail: Tail, _high: int) -> None:
        if tail.writer != self._owner.writer:
            self._fenced = True
            raise TopicBusy(topic=self._topic)

    @property
    def next_offset(self) -> int:
        self._be_sure()
        return self._tail.next_number + len(self._pending)

    def append(self, payload: Payload) -> int:
        length = sum(part.nbytes if isinstance(part, memoryview) else len(part) for part in payload)
        if length > MAX_PAYLOAD_BYTES:
            raise RecordTooLarge(topic=self._topic, bytes=length, limit=MAX_PAYLOAD_BYTES)
        self._be_sure()
        self._time = max(self._time, self._now())
        self._pending.append(_Appended(b"".join(payload), self._time))
        return self._tail.next_number + len(self._pending) - 1

    def flush(self) -> int:
        self._be_sure()
        if not self._pending:
            return self._tail.next_number
        tail, messages = self._messages()
        try:
            positions = self._sender.send(messages)
        except BaseException:
            self._lose()
            raise
        self._pending.clear()
        if positions != list(range(self._position, self._position + len(messages))):
            self._fenced = True
            raise TopicBusy(topic=self._topic)
        self._tail, self._position = tail, self._position + len(messages)
        self._check_retention()
        return tail.next_number

    def _be_sure(self) -> None:
        """After a failed flush: find out what arrived."""
        if self._fenced:
            raise TopicBusy(topic=self._topic)
        if not self._unsure:
            return
        if self._clients.topic_id(self._name) != self._log.topic_id:
            self._fenced = True
            raise TopicBusy(topic=self._topic)
        self._tail, self._position = self._claim(self._check_ours)
        self._unsure = False

    def _lose(self) -> None:
        self._pending.clear()
        self._unsure = True
        self._sender.give_up()

    def _messages(self) -> tuple[Tail, list[Sent]]:
        """The pending records as messages, and the log's end after them."""
        tail, position, messages = self._tail, self._position, []
        for appended in self._pending:
            payload = memoryview(appended.payload)
            cuts = range(0, max(len(payload), 1), PART_BYTES)
            for part, begin in enumerate(cuts):
                value = bytes(payload[begin : begin + PART_BYTES])
                about = (part, len(cuts), len(payload))
                messages.append(self._message(Sort.RECORD, tail, position, value, appended.time, about))
                position += 1
            tail = Tail(
                tail.next_number + 1, tail.next_before + len(payload), position - 1, self._owner, self._owner.writer
            )
        return tail, messages

    def _message(
        self,
        sort: Sort,
        tail: Tail,
        position: int,
        value: bytes,
        time: int,
        about: tuple[int, int, int] = (0, 0, 0),
    ) -> Sent:
        part, parts, length = about
        stamp = Stamp(
            sort,
            tail.next_number,
            part,
            parts,
            length,
            position,
            tail.next_before,
            tail.last,
            self._log.topic_id,
            self._owner,
        )
        return pack_stamp(stamp), value, time

    def _check_retention(self) -> None:
        now, segment = self._now(), self._tail.next_before // self._segment_bytes
        if segment == self._segment and now - self._retention_at < _RETENTION_MS:
            return
        self._retention_at, self._segment = now, segment
        # A failed removal is retried in a minute; writing must not fail for it.
        with contextlib.suppress(TransientError, BusRefused):
            self._enforce(self._topic, self._retention)

    def keep(self, retention: Retention) -> None:
        self._retention, self._segment_bytes = retention, segment_size(self._most_segment_bytes, retention)
        self._segment = self._tail.next_before // self._segment_bytes

    def last(self) -> Record | None:
        self._be_sure()
        return self._read_last()

    def _read_last(self) -> Record | None:
        if self._tail.last < 0:
            return None
        try:
            low, _ = self._log.ends()
            return self._log.read(self._tail.last) if self._tail.last >= low else None
        except LogMoved:
            return None

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        try:
            if self._pending:
                self.flush()
            if not (self._fenced or self._unsure):
                self._release()
        finally:
            forget(self._owner)
            self._log.close()

    def _release(self) -> None:
        """Release the topic at once; otherwise other writers wait until this one is found dead."""
        with contextlib.suppress(TransientError, BusRefused):
            self._sender.send([self._message(Sort.RELEASE, self._tail, self._position, b"", self._now())])

    def __enter__(self) -> "KafkaWriter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
