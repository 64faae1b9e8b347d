"""Readers of a topic, on whatever host."""

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

_MOST_MESSAGES = 500
_PAUSE = 0.02


class KafkaReader:
    """Follows the log with a consumer of its own. A new place is found with a few looks into the log."""

    def __init__(self, clients: Clients, topic: str, name: str, offset: int) -> None:
        self._clients, self._topic, self._name = clients, topic, name
        self._next = offset
        self._log: Log | None = None
        self._use = Use.LOOK
        """Until it is to wait for news or for several records: who looks at one that is there waits for nothing."""
        self._followed: bytes | None = None
        """Id of the topic that records were looked for on."""
        self._reading = False
        """The consumer stands where `_next` is or will be."""
        self._place = self._high = 0
        """Of the next message, and of the next one to be written when that was last asked."""
        self._fetched: deque[Message] = deque()
        self._assembly = Assembly()

    @property
    def next_offset(self) -> int:
        return self._next

    def seek(self, offset: int) -> None:
        self._stand_still()
        self._next = offset

    def read(self, max_records: int, max_bytes: int, timeout: float) -> list[Record]:
        if self._use is Use.LOOK and (timeout > 0 or max_records > 1):
            self._let_go()
            self._use = Use.FOLLOW
        deadline = time.monotonic() + timeout
        patience = time.monotonic() + CALL_SECONDS
        while True:
            try:
                return self._read(max_records, max_bytes, deadline)
            except LogMoved as error:
                self._check_topic()
                if time.monotonic() > patience:
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
                self._stand_still()
                if not records:
                    raise
                break  # What came before is good; the next read tells.
            if record is None:
                break
            records.append(record)
            size += len(record.payload)
        return records

    def _record(self, deadline: float, wait: bool) -> Record | None:
        """The next record; None where there is none by the deadline."""
        while (message := self._message(deadline, wait)) is not None:
            assert self._log is not None
            place = message.offset() or 0
            self._place = place + 1
            stamp = valid_stamp(message.key(), place, self._log.topic_id)
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
        left = max(0.0, deadline - time.monotonic()) if wait and self._place >= self._high else 0.0
        self._fetched.extend(self._log.poll(left, _MOST_MESSAGES))
        if not self._fetched and wait:
            self._fetched.extend(self._wait_for_what_is_there())
        return self._fetched.popleft() if self._fetched else None

    def _wait_for_what_is_there(self) -> list[Message]:
        """Nothing came in time. Where the log has more, wait for it: the cluster only takes its time."""
        assert self._log is not None
        if self._place >= self._high:
            low, self._high = self._log.ends()
            if self._high < self._place or low > self._place:
                raise LogMoved
        deadline = time.monotonic() + CALL_SECONDS
        while self._high > self._place:
            if messages := self._log.poll(0.25, _MOST_MESSAGES):
                return messages
            if time.monotonic() > deadline:
                raise self._no_data()
        return []

    def _no_data(self) -> LogMoved | BusAway:
        assert self._log is not None
        low, high = self._log.ends()
        if low > self._place or high < self._high:
            return LogMoved()
        return BusAway(servers=self._clients.servers, detail=f"{self._name}: no data in {CALL_SECONDS:g} s")

    def _locate(self) -> bool:
        """Find the next record's place; false while there is no topic. Raises OffsetExpired."""
        follower = self._open()
        if follower is None:
            return False
        with Log(self._clients, self._topic, self._name, follower.topic_id) as log:
            figures = measure(log, None)
            if not figures.first_number <= self._next <= figures.tail.next_number:
                raise OffsetExpired(topic=self._topic, asked=self._next, first=figures.first_number)
            self._place, self._high = self._find(log, figures), figures.high
        follower.go_to(self._place)
        self._reading = True
        return True

    def _find(self, log: Log, figures: Figures) -> int:
        if self._next == figures.tail.next_number:
            # Not the log's end: a part of a record may stand there already.
            return max(figures.low, figures.tail.last + 1)
        first = figures.first
        if first is None or self._next == first.number:
            return first.place if first is not None else figures.high
        # Where every record were one message and nobody had taken the topic over it would be that far from either end.
        ahead, behind = self._next - first.number, figures.tail.next_number - self._next
        guess = first.place + ahead if ahead < behind else figures.tail.last + 1 - behind
        return log.find(first.place, figures.high, before_number(self._next), guess)

    def _open(self) -> Log | None:
        if self._log is not None:
            return self._log
        topic_id = self._clients.topic_id(self._name)
        if topic_id is None:
            return None
        if self._followed not in (None, topic_id) and self._next:
            # The topic was deleted and made anew: its offsets mean other records now.
            self._followed = topic_id
            with Log(self._clients, self._topic, self._name, topic_id) as log:
                first = measure(log, None).first_number
            raise OffsetExpired(topic=self._topic, asked=self._next, first=first)
        self._followed = topic_id
        self._log = Log(self._clients, self._topic, self._name, topic_id, self._use)
        return self._log

    def _check_topic(self) -> None:
        """Let go of a topic that is gone or another one now."""
        if self._log is not None and self._clients.topic_id(self._name) != self._log.topic_id:
            self._let_go()

    def _stand_still(self) -> None:
        self._reading = False
        self._fetched.clear()
        self._assembly = Assembly()

    def _let_go(self) -> None:
        self._stand_still()
        if self._log is not None:
            self._log.close()
            self._log = None

    def close(self) -> None:
        self._let_go()

    def __enter__(self) -> "KafkaReader":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
