"""Readers of a topic on a cluster."""

import time
from collections import deque
from types import TracebackType

from confluent_kafka import Message

from zcbus.bus.contract import OffsetExpired, Record, RecordDamaged
from zcbus.bus.kafka.clients import CALL_SECONDS, Clients, Use
from zcbus.bus.kafka.errors import BusAway
from zcbus.bus.kafka.log import Assembly, Log, LogMoved
from zcbus.bus.kafka.stamp import valid_stamp
from zcbus.bus.kafka.topic import Figures, before_number, measure
from zcbus.kit.errors import ZcbusError

_MAX_MESSAGES = 500
_PAUSE = 0.02


class KafkaReader:
    """Follows the log with its own consumer. A seek needs a few reads of the log."""

    def __init__(self, clients: Clients, topic: str, name: str, offset: int) -> None:
        self._clients, self._topic, self._name = clients, topic, name
        self._next = offset
        self._log: Log | None = None
        self._use = Use.LOOKUP
        """LOOKUP until a read waits or takes several records: single reads never wait."""
        self._topic_id: bytes | None = None
        """Id of the topic that records were last read from."""
        self._reading = False
        """Whether the consumer is at the position of `_next`."""
        self._position = self._high = 0
        """Position of the next message, and the end of the log at the last query."""
        self._fetched: deque[Message] = deque()
        self._assembly = Assembly()

    @property
    def next_offset(self) -> int:
        return self._next

    def seek(self, offset: int) -> None:
        self._reset()
        self._next = offset

    def read(self, max_records: int, max_bytes: int, timeout: float) -> list[Record]:
        if self._use is Use.LOOKUP and (timeout > 0 or max_records > 1):
            self._release()
            self._use = Use.FOLLOW
        deadline = time.monotonic() + timeout
        give_up_at = time.monotonic() + CALL_SECONDS
        while True:
            try:
                return self._read(max_records, max_bytes, deadline)
            except LogMoved as error:
                self._check_topic()
                if time.monotonic() > give_up_at:
                    raise BusAway(servers=self._clients.servers, detail=f"{self._name} cannot be read") from error
                time.sleep(_PAUSE)

    def _read(self, max_records: int, max_bytes: int, deadline: float) -> list[Record]:
        while not self._reading and not self._locate():
            if (left := deadline - time.monotonic()) <= 0:
                return []
            time.sleep(min(_PAUSE, left))
        records: list[Record] = []
        size = 0
        while len(records) < max_records and (not records or size < max_bytes):
            try:
                record = self._record(deadline, wait=not records)
            except (LogMoved, ZcbusError):
                self._reset()
                if not records:
                    raise
                break  # The records before are valid; the next read raises.
            if record is None:
                break
            records.append(record)
            size += len(record.payload)
        return records

    def _record(self, deadline: float, wait: bool) -> Record | None:
        """The next record; None if none arrives by the deadline."""
        while (message := self._message(deadline, wait)) is not None:
            assert self._log is not None
            position = message.offset() or 0
            self._position = position + 1
            stamp = valid_stamp(message.key(), position, self._log.topic_id)
            if stamp is None:
                self._check_topic()
                continue
            record = self._assembly.add(stamp, message)
            if record is not None and record.offset >= self._next:
                return self._taken(record)
        return None

    def _taken(self, record: Record) -> Record:
        if record.offset > self._next:
            path = f"{self._clients.servers} {self._name}"
            raise RecordDamaged(topic=self._topic, offset=self._next, path=path)
        self._next += 1
        return record

    def _message(self, deadline: float, wait: bool) -> Message | None:
        if self._fetched:
            return self._fetched.popleft()
        assert self._log is not None
        left = max(0.0, deadline - time.monotonic()) if wait and self._position >= self._high else 0.0
        self._fetched.extend(self._log.poll(left, _MAX_MESSAGES))
        if not self._fetched and wait:
            self._fetched.extend(self._wait_for_existing())
        return self._fetched.popleft() if self._fetched else None

    def _wait_for_existing(self) -> list[Message]:
        """Wait for messages that exist in the log: the cluster delivers them late."""
        assert self._log is not None
        if self._position >= self._high:
            low, self._high = self._log.ends()
            if self._high < self._position or low > self._position:
                raise LogMoved
        deadline = time.monotonic() + CALL_SECONDS
        while self._high > self._position:
            if messages := self._log.poll(0.25, _MAX_MESSAGES):
                return messages
            if time.monotonic() > deadline:
                raise self._no_data()
        return []

    def _no_data(self) -> LogMoved | BusAway:
        assert self._log is not None
        low, high = self._log.ends()
        if low > self._position or high < self._high:
            return LogMoved()
        return BusAway(servers=self._clients.servers, detail=f"{self._name}: no data in {CALL_SECONDS:g} s")

    def _locate(self) -> bool:
        """Find the next record's position; false if the topic does not exist. Raises OffsetExpired."""
        follower = self._open()
        if follower is None:
            return False
        with Log(self._clients, self._topic, self._name, follower.topic_id) as log:
            figures = measure(log, None)
            if not figures.first_number <= self._next <= figures.tail.next_number:
                raise OffsetExpired(topic=self._topic, asked=self._next, first=figures.first_number)
            self._position, self._high = self._find(log, figures), figures.high
        follower.seek(self._position)
        self._reading = True
        return True

    def _find(self, log: Log, figures: Figures) -> int:
        if self._next == figures.tail.next_number:
            # Not the end of the log: a part of a record may be there.
            return max(figures.low, figures.tail.last + 1)
        first = figures.first
        if first is None or self._next == first.number:
            return first.position if first is not None else figures.high
        # The distance from either end, if every record were one message and there were no claims.
        ahead, behind = self._next - first.number, figures.tail.next_number - self._next
        guess = first.position + ahead if ahead < behind else figures.tail.last + 1 - behind
        return log.find(first.position, figures.high, before_number(self._next), guess)

    def _open(self) -> Log | None:
        if self._log is not None:
            return self._log
        topic_id = self._clients.topic_id(self._name)
        if topic_id is None:
            return None
        if self._topic_id not in (None, topic_id) and self._next:
            # The topic was deleted and created again: its offsets mean other records now.
            self._topic_id = topic_id
            with Log(self._clients, self._topic, self._name, topic_id) as log:
                first = measure(log, None).first_number
            raise OffsetExpired(topic=self._topic, asked=self._next, first=first)
        self._topic_id = topic_id
        self._log = Log(self._clients, self._topic, self._name, topic_id, self._use)
        return self._log

    def _check_topic(self) -> None:
        """Release a topic that is gone or was created again."""
        if self._log is not None and self._clients.topic_id(self._name) != self._log.topic_id:
            self._release()

    def _reset(self) -> None:
        self._reading = False
        self._fetched.clear()
        self._assembly = Assembly()

    def _release(self) -> None:
        self._reset()
        if self._log is not None:
            self._log.close()
            self._log = None

    def close(self) -> None:
        self._release()

    def __enter__(self) -> "KafkaReader":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
