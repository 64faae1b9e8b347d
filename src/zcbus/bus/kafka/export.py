"""An export: an ordinary Kafka topic of one partition, written in transactions.

The source offset is that of a consumer group with the export's name on the source topic, committed in the same
transaction: messages and offset exist together or not at all. It is valid for that very topic id: a topic that was
created again has other records at its offsets. Readers with `isolation.level=read_committed` (the default of most
clients but Java's) get each message once.
"""

import time
from collections.abc import Callable, Sequence
from types import TracebackType

from confluent_kafka import KafkaError, KafkaException, TopicPartition

from zcbus.bus.contract import ExportMessage, Retention
from zcbus.bus.kafka.clients import CALL_SECONDS, Clients
from zcbus.bus.kafka.errors import BusAway

_BEGIN_SECONDS = 60.0
"""An earlier writer's open transaction must end first."""


class KafkaExportWriter:
    """See ExportWriter."""

    def __init__(self, clients: Clients, name: str, source: str, retention: Retention) -> None:
        """Open an export. Raises BusAway, BusRefused.

        `name`: its Kafka topic; `source`: the Kafka topic of its records.
        """
        self._clients, self._name = clients, name
        self._source = TopicPartition(source, 0)
        clients.ensure(name, _config(retention))
        self._source_id = clients.ensure(source).hex()
        self._producer = clients.transactional_producer(name)
        self._member = clients.group_member(name)
        self._is_open = self._closed = False
        try:
            self._call(lambda: self._producer.init_transactions(CALL_SECONDS), _BEGIN_SECONDS)
            self._source_offset = self._committed()
        except BaseException:
            self.close()
            raise

    @property
    def source_offset(self) -> int | None:
        return self._source_offset

    def send(self, messages: Sequence[ExportMessage]) -> None:
        self._begin()
        for message in messages:
            self._produce(message)

    def commit(self, source_offset: int) -> None:
        self._begin()
        target = [TopicPartition(self._source.topic, 0, source_offset, self._source_id)]
        group = self._member.consumer_group_metadata()
        self._call(lambda: self._producer.send_offsets_to_transaction(target, group, CALL_SECONDS))
        self._call(lambda: self._producer.commit_transaction(CALL_SECONDS), _BEGIN_SECONDS)
        self._is_open, self._source_offset = False, source_offset

    def rollback(self) -> None:
        if self._is_open:
            self._call(lambda: self._producer.abort_transaction(CALL_SECONDS))
            self._is_open = False

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._is_open:
            # If this fails, the next writer aborts the transaction.
            self._producer.purge()
        self._member.close()

    def _begin(self) -> None:
        if not self._is_open:
            self._call(self._producer.begin_transaction)
            self._is_open = True

    def _produce(self, message: ExportMessage) -> None:
        while True:
            try:
                self._producer.produce(self._name, message.value, message.key, partition=0, timestamp=message.time)
            except BufferError:
                self._producer.poll(0.1)
            except KafkaException as error:
                raise self._clients.error(error) from error
            else:
                return

    def _call(self, work: Callable[[], object], seconds: float = CALL_SECONDS) -> None:
        """Run a call, retrying retriable errors. Raises BusAway, BusRefused."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                work()
                return
            except KafkaException as error:
                found: KafkaError = error.args[0]
                if not found.retriable() or time.monotonic() > deadline:
                    raise self._clients.error(error) from error

    def _committed(self) -> int | None:
        found = self._clients.call(lambda: self._member.committed([self._source], timeout=CALL_SECONDS))[0]
        if found.error is not None:
            raise BusAway(servers=self._clients.servers, detail=found.error.str())
        is_same_topic = found.metadata in (None, "", self._source_id)
        return found.offset if found.offset >= 0 and is_same_topic else None

    def __enter__(self) -> "KafkaExportWriter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _config(retention: Retention) -> dict[str, str]:
    config = {"cleanup.policy": "delete"}
    if retention.time is not None:
        config["retention.ms"] = str(int(retention.time.total_seconds() * 1000))
    if retention.size_bytes is not None:
        config["retention.bytes"] = str(retention.size_bytes)
    return config
