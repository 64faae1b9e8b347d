"""Reading topics up to their ends, as far as transactions are decided."""

import time
from collections.abc import Iterable, Iterator, Sequence

from zcbus.connectors.consuming.consumer import Message, Partition, TopicTrouble
from zcbus.connectors.errors import TargetUnavailable
from zcbus.connectors.kafka.consumer import KafkaConsumer
from zcbus.connectors.kafka.spec import KafkaOptions

_UNDECIDED_SECONDS = 20.0
"""For open transactions of others, as of a process that was killed."""
_POLL_SECONDS = 0.1


class TransactionOpen(TargetUnavailable):
    """A transaction of another process, alive or killed, is open for long."""


class CommittedReader:
    """Connects when it is used. Not thread-safe. Errors: TransactionOpen, TargetUnavailable, AccessDenied."""

    def __init__(self, options: KafkaOptions) -> None:
        self._options = options
        self._opened: KafkaConsumer | None = None

    def read(self, partitions: Iterable[Partition], positions: dict[Partition, int]) -> Iterator[Sequence[Message]]:
        """All committed messages that are there now from the positions on, which move on with them; those of one
        partition in order. A partition without a position is read from its beginning."""
        consumer, wanted = self._consumer(), list(partitions)
        try:
            new = [one for one in wanted if one not in positions]
            positions.update(consumer.firsts(new))
            ends = consumer.undecided_ends(wanted)
            pending = {one for one in wanted if positions[one] < ends[one]}
            if pending:
                yield from self._read(consumer, pending, ends, positions)
        except TopicTrouble as trouble:
            positions.clear()
            raise self.unavailable(trouble.detail) from trouble

    def _read(
        self,
        consumer: KafkaConsumer,
        pending: set[Partition],
        ends: dict[Partition, int],
        positions: dict[Partition, int],
    ) -> Iterator[Sequence[Message]]:
        followed = list(pending)
        consumer.follow({one: positions[one] for one in followed})
        deadline = time.monotonic() + _UNDECIDED_SECONDS
        try:
            while pending:
                messages, passed = consumer.read(_POLL_SECONDS)
                if messages:
                    yield messages
                    deadline = time.monotonic() + _UNDECIDED_SECONDS
                for one in messages:
                    positions[one.topic, one.partition] = one.offset + 1
                positions.update({one: offset for one, offset in passed.items() if offset > positions[one]})
                pending = {one for one in pending if positions[one] < ends[one]}
                if time.monotonic() > deadline:
                    raise self._open(sorted(pending)[0][0])
        finally:
            consumer.leave(followed)

    def unavailable(self, detail: str) -> TargetUnavailable:
        """The error for what passes."""
        return TargetUnavailable(kind=self._options.kind, address=self._options.address, detail=detail)

    def close(self) -> None:
        """Never raises. Idempotent."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def _open(self, topic: str) -> TransactionOpen:
        detail = f"{topic}: a transaction of another process is open"
        return TransactionOpen(kind=self._options.kind, address=self._options.address, detail=detail)

    def _consumer(self) -> KafkaConsumer:
        if self._opened is None:
            self._opened = KafkaConsumer(self._options, "target")
        return self._opened
