"""Transactions of one scope: rows and the state that belongs to them, written at once or not at all.

A cluster lets only the latest producer of a transactional id write; it refuses all that an earlier one has open. So a
committer that begins reads the state behind everything that an earlier one has decided, and as long as the cluster
takes its transactions, no other process has changed it. All sessions of a process share the committer of a scope, since
their producers would fence out each other.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from confluent_kafka import KafkaError, KafkaException, Producer

from zcbus.connectors.errors import Fenced, RowRefused
from zcbus.connectors.kafka.cluster import Cluster, Properties
from zcbus.connectors.kafka.committed import CommittedReader, TransactionOpen
from zcbus.connectors.kafka.messages import Outgoing
from zcbus.connectors.kafka.names import state_partition, state_topic, transactional_id
from zcbus.connectors.kafka.spec import KafkaOptions
from zcbus.connectors.kafka.state import Record, ScopeState
from zcbus.kit.kafka import error_in

BATCH_BYTES = 256 << 10
"""Of messages that are sent together; a topic that takes less in one cannot be written."""
_MAX_MESSAGE = 256 << 20
_ATTEMPTS = 20
_RESPONSE_SECONDS = 30.0
_COMMIT_SECONDS = 90.0
_TRANSACTION_SECONDS = 300
"""Longest transaction. The cluster gives one up later, of a process that was killed and not replaced."""
_QUEUE_POLL_SECONDS = 0.05
_FENCED = frozenset(
    {KafkaError._FATAL, KafkaError._FENCED, KafkaError.PRODUCER_FENCED, KafkaError.INVALID_PRODUCER_EPOCH}
)
"""Only a new producer can continue. A commit whose outcome is unknown shows in the versions that it then reads."""
_QUEUED = 300_000
"""Messages that wait to be sent; a refused one costs as much as three."""
PRODUCER: Properties = {
    "acks": "all",
    "enable.idempotence": True,
    "partitioner": "murmur2_random",  # as that of Java's clients, so that readers can join topics
    "batch.size": BATCH_BYTES,
    "message.max.bytes": _MAX_MESSAGE,
    "queue.buffering.max.kbytes": 64 << 10,
    "queue.buffering.max.messages": _QUEUED,
    "linger.ms": 2,
    "message.timeout.ms": int(_RESPONSE_SECONDS * 1000),
}

T = TypeVar("T")
To = tuple[str, Iterable[Outgoing]]
"""A topic and its messages."""


class _Superseded(Exception):
    """Another producer of the scope has begun. Nothing was written."""


class Committer:
    """The one of a process and scope. Thread-safe. Errors: TargetUnavailable, AccessDenied."""

    def __init__(self, options: KafkaOptions, scope: str) -> None:
        self._options, self._scope = options, scope
        self._lock = threading.RLock()
        self._cluster: Cluster | None = None
        self._producer: Producer | None = None
        self._reader = CommittedReader(options)
        self._topic, self._partition = state_topic(options), state_partition(scope)
        self._positions: dict[tuple[str, int], int] = {}
        self._state = ScopeState(scope)
        self._is_current = False
        self._failed: tuple[KafkaError, str] | None = None
        """The first message that was not delivered, and its topic."""

    def state(self) -> ScopeState:
        """As it is now. Not to be changed.

        A process that was killed within a transaction leaves it open until the cluster gives it up, or until the next
        producer of the scope begins. Who waits for it in vain is that producer.
        """
        with self._lock:
            try:
                self._read()
            except TransactionOpen:
                if self._producer is not None:
                    raise
                self._owning_producer()
            return self._state

    def known_state(self) -> ScopeState:
        """As this process knows it: what others have changed since shows at the next commit."""
        with self._lock:
            return self._state if self._is_current else self.state()

    def with_state(self, check: Callable[[ScopeState], T]) -> T:
        """Check the known state, or the current one if the caller would be fenced out. Raises what `check` does."""
        with self._lock:
            try:
                return check(self.known_state())
            except Fenced:
                return check(self.state())

    def changed_by_others(self) -> None:
        """Another committer of this process has changed the scope."""
        with self._lock:
            self._is_current = False

    def commit(
        self,
        plan: Callable[[ScopeState], Sequence[Record] | None],
        messages: Callable[[], Iterable[To]] = tuple,
    ) -> bool:
        """Write messages together with changes of the state.

        `plan` gets the state, which no other process changes until the commit, and returns the changes; None: nothing
        is done, and the result is False. Both may be called more than once. Raises what they raise.
        """
        with self._lock:
            for _ in range(_ATTEMPTS):
                producer = self._owning_producer()
                records = self.with_state(plan)
                if records is None:
                    return False
                try:
                    self._transact(producer, messages(), records)
                except _Superseded:
                    continue
                for record in records:
                    self._state.apply(record.key, record.value)
                return True
        raise self._reader.unavailable("other processes write the same all the time")

    def close(self) -> None:
        """Never raises. Idempotent."""
        with self._lock:
            self._drop()
            self._reader.close()
            if self._cluster is not None:
                self._cluster.close()
                self._cluster = None

    def _read(self) -> None:
        if not self._positions:
            self._state = ScopeState(self._scope)
        for messages in self._reader.read([(self._topic, self._partition)], self._positions):
            for one in messages:
                self._state.apply(one.key or b"", one.value)
        self._is_current = self._producer is not None

    def _owning_producer(self) -> Producer:
        if self._producer is None:
            if self._cluster is None:
                self._cluster = Cluster(self._options, "target")
            self._cluster.check_brokers()
            own = {
                "transactional.id": transactional_id(self._options, self._scope),
                "transaction.timeout.ms": _TRANSACTION_SECONDS * 1000,
                "compression.type": self._options.compression,
                "delivery.report.only.error": True,
                "on_delivery": self._note,
            }
            producer = self._cluster.make(Producer, {**PRODUCER, **own})
            try:
                producer.init_transactions(_RESPONSE_SECONDS)
            except KafkaException as error:
                raise self._cluster.error(error) from error
            self._producer = producer
            self._read()
        return self._producer

    def _transact(self, producer: Producer, messages: Iterable[To], records: Sequence[Record]) -> None:
        self._failed = None
        try:
            producer.begin_transaction()
            for topic, found in messages:
                for key, value, headers in found:
                    try:
                        producer.produce(topic, value, key, headers=headers)
                    except BufferError:
                        self._put(producer, topic, value, key, headers=headers)
            for scope, key, value in records:
                self._put(producer, self._topic, value, key, partition=state_partition(scope))
            self._end(producer)
        except KafkaException as error:
            raise self._after(producer, error_in(error)) from error
        except BaseException:
            self._abort(producer)
            raise

    def _put(self, producer: Producer, topic: str, *message: Any, **further: Any) -> None:
        deadline = time.monotonic() + _COMMIT_SECONDS
        while True:
            try:
                producer.produce(topic, *message, **further)
                return
            except BufferError:
                producer.poll(_QUEUE_POLL_SECONDS)
                if time.monotonic() > deadline:
                    raise self._reader.unavailable("messages are not taken") from None

    def _end(self, producer: Producer) -> None:
        """Raises KafkaException."""
        deadline = time.monotonic() + _COMMIT_SECONDS
        while True:
            try:
                producer.commit_transaction(_RESPONSE_SECONDS)
                return
            except KafkaException as error:
                if not error_in(error).retriable() or time.monotonic() > deadline:
                    raise

    def _after(self, producer: Producer, error: KafkaError) -> Exception:
        """Error for a failed transaction, once it is undone or given up."""
        if error.code() in _FENCED:
            self._drop()
            return _Superseded()
        failed, topic = self._failed or (error, "")
        if error.txn_requires_abort():
            self._abort(producer)
        else:
            self._drop()
        assert self._cluster is not None
        if failed.code() == KafkaError.MSG_SIZE_TOO_LARGE:
            return RowRefused(table=topic, detail=failed.str())
        return self._cluster.error(failed)

    def _abort(self, producer: Producer) -> None:
        try:
            producer.purge()
            producer.abort_transaction(_RESPONSE_SECONDS)
        except KafkaException:
            self._drop()

    def _drop(self) -> None:
        """The next transaction begins with a new producer."""
        if self._producer is not None:
            with suppress(KafkaException):
                self._producer.purge()
            self._producer = None
        self._is_current = False

    def _note(self, error: KafkaError | None, message: Any) -> None:
        if error is not None and self._failed is None:
            self._failed = error, message.topic() or ""


class Committers:
    """Those of this process, each as long as it has users."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: dict[tuple[object, ...], Committer] = {}
        self._users: Counter[tuple[object, ...]] = Counter()

    def get(self, options: KafkaOptions, scope: str) -> Committer:
        """The caller gives it back by `release`."""
        key = _key(options, scope)
        with self._lock:
            self._users[key] += 1
            return self._made.setdefault(key, Committer(options, scope))

    def release(self, options: KafkaOptions, scope: str) -> None:
        """Close the committer with its last user."""
        key = _key(options, scope)
        with self._lock:
            self._users[key] -= 1
            unused = self._made.pop(key) if not self._users[key] else None
        if unused is not None:
            unused.close()


def _key(options: KafkaOptions, scope: str) -> tuple[object, ...]:
    return (*options.document().values(), *options.secrets().values(), scope)


COMMITTERS = Committers()
