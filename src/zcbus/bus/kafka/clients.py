"""Connections to a cluster, and administrative requests."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from enum import Enum
from typing import Any, TypeVar

from confluent_kafka import Consumer, KafkaError, KafkaException, Producer, TopicCollection
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from zcbus.bus.contract import Placement
from zcbus.bus.kafka.errors import BusAway, BusRefused, bus_error
from zcbus.bus.kafka.properties import ANSWER_MS, KafkaProperties, Properties
from zcbus.kit import kafka
from zcbus.kit.kafka import GONE, code_of, is_refusal
from zcbus.kit.setting_source import SettingsError

T = TypeVar("T")
CALL_SECONDS = 10.0
_REFUSED_SECONDS, _POLL_SECONDS = 2.0, 0.1
"""The library retries within the former: a broker that is starting also drops connections."""
_MAX_SPARE = 8
_TRANSACTION_MS = 600_000
"""Timeout of a transaction: one of the source may be large and end late."""
_TOPIC = {
    "cleanup.policy": "delete",
    # The platform enforces retention itself: by records, and never before a snapshot is complete.
    "retention.ms": "-1",
    "retention.bytes": "-1",
    "message.timestamp.type": "CreateTime",
    # A changed clock must not make the cluster refuse or drop records.
    "message.timestamp.before.max.ms": str(2**63 - 1),
    "message.timestamp.after.max.ms": str(2**63 - 1),
}


class Use(Enum):
    """Uses of a consumer."""

    LOOKUP = "lookup"
    """Single reads: the cluster answers at once that there is no more data, and a seek is fast."""
    FOLLOW = "follow"
    """Continuous reads: the cluster waits a little for new data."""
    SURVEY = "survey"
    """As LOOKUP, in many topics at once: only little of each is prefetched."""


class Clients:
    """All connections to one cluster. Thread-safe; lent consumers and producers belong to the borrower."""

    def __init__(self, properties: KafkaProperties) -> None:
        """Connects on demand. Raises SettingsError if librdkafka rejects the properties."""
        self.properties = properties
        self._refusal: KafkaError | None = None
        self._spare: dict[Use, list[Consumer]] = {use: [] for use in Use}
        self._lock = threading.Lock()
        self._admin: AdminClient = self._make(AdminClient, properties.admin, "ZCBUS_BUS_CLIENT_PROPERTIES")

    @property
    def servers(self) -> str:
        return self.properties.servers

    def producer(self) -> Producer:
        """A new producer."""
        return self._make(Producer, self.properties.push, "ZCBUS_BUS_PUSH_PROPERTIES")

    def transactional_producer(self, identity: str) -> Producer:
        """A producer that fences out all earlier ones with its identity, once it begins."""
        properties = {**self.properties.push, "transactional.id": identity, "transaction.timeout.ms": _TRANSACTION_MS}
        return self._make(Producer, properties, "ZCBUS_BUS_PUSH_PROPERTIES")

    def group_member(self, group: str) -> Consumer:
        """A consumer to read and write a group's offsets; it reads no messages."""
        properties = {**self.properties.lookup, "group.id": group}
        return self._make(Consumer, properties, "ZCBUS_BUS_CLIENT_PROPERTIES")

    def consumer(self, use: Use) -> Consumer:
        """A consumer without assignment, reused if possible."""
        with self._lock:
            if self._spare[use]:
                return self._spare[use].pop()
        kinds = {
            Use.LOOKUP: self.properties.lookup,
            Use.FOLLOW: self.properties.client,
            Use.SURVEY: self.properties.survey,
        }
        return self._make(Consumer, kinds[use], "ZCBUS_BUS_CLIENT_PROPERTIES")

    def give_back(self, consumer: Consumer, use: Use) -> None:
        """Return a consumer."""
        with self._lock:
            if len(self._spare[use]) < _MAX_SPARE:
                consumer.unassign()
                self._spare[use].append(consumer)
                return
        consumer.close()

    def topic_id(self, name: str) -> bytes | None:
        """Id of a Kafka topic (16 bytes); None if it does not exist."""
        return self.topic_ids([name]).get(name)

    def topic_ids(self, names: Sequence[str]) -> dict[str, bytes]:
        """Ids of the existing ones of these Kafka topics, by name. One request for all."""
        return {name: kafka.topic_id(description) for name, description in self._describe(names).items()}

    def placement(self, name: str) -> Placement | None:
        """Partitions and replicas of a Kafka topic; None if it does not exist."""
        partitions = [one for description in self._describe([name]).values() for one in description.partitions]
        if not partitions:
            return None
        replicas, in_sync = (
            min(map(len, sets)) for sets in zip(*((p.replicas, p.isr) for p in partitions), strict=True)
        )
        return Placement(len(partitions), replicas, in_sync, disk_bytes=None)

    def _describe(self, names: Sequence[str]) -> dict[str, Any]:
        """Descriptions of the existing ones of these Kafka topics, by name. One request for all."""
        if not names:
            return {}
        try:
            futures = self._admin.describe_topics(TopicCollection(list(names)), request_timeout=ANSWER_MS / 1000)
        except KafkaException as error:
            raise self.error(error) from error
        found = {name: self._found(future) for name, future in futures.items()}
        return {name: description for name, description in found.items() if description is not None}

    def _found(self, future: "Future[Any]") -> Any:
        """A topic's description; None if it does not exist."""
        try:
            return self._answer(future)
        except KafkaException as error:
            if code_of(error) in GONE:
                return None
            raise self.error(error) from error

    def ensure(self, name: str, config: Mapping[str, str] = _TOPIC) -> bytes:
        """Create a topic if missing; returns its id."""
        deadline = time.monotonic() + CALL_SECONDS
        while (found := self.topic_id(name)) is None:
            if time.monotonic() > deadline:
                raise BusAway(servers=self.servers, detail=f"{name} was created and does not exist")
            if not self.create([name], config):
                time.sleep(0.02)  # Created, but not on all brokers yet.
        return found

    def create(self, names: Sequence[str], config: Mapping[str, str] = _TOPIC) -> int:
        """Create topics in one request; returns how many were missing. Brokers may learn of them later."""
        topics = [NewTopic(name, num_partitions=1, replication_factor=-1, config=dict(config)) for name in names]
        if not topics:
            return 0
        futures = self._admin.create_topics(topics, request_timeout=CALL_SECONDS)
        return sum(self._is_created(future) for future in futures.values())

    def _is_created(self, future: "Future[None]") -> bool:
        try:
            self._answer(future)
        except KafkaException as error:
            if code_of(error) != KafkaError.TOPIC_ALREADY_EXISTS:
                raise self.error(error) from error
            return False
        return True

    def delete(self, name: str) -> None:
        """Remove a topic; returns when it is gone."""
        deadline = time.monotonic() + CALL_SECONDS
        try:
            self._answer(self._admin.delete_topics([name], request_timeout=CALL_SECONDS)[name])
        except KafkaException as error:
            if code_of(error) not in GONE:
                raise self.error(error) from error
        while self.topic_id(name) is not None:
            if time.monotonic() > deadline:
                raise BusAway(servers=self.servers, detail=f"{name} was deleted and still exists")
            time.sleep(0.02)

    def delete_before(self, partition: Any) -> None:
        """Remove a partition's records before its offset."""
        futures = self._admin.delete_records([partition], request_timeout=CALL_SECONDS)
        self.call(lambda: [future.result() for future in futures.values()])

    def forget_group(self, name: str) -> None:
        """Remove a group's offsets. Idempotent."""
        try:
            self._answer(self._admin.delete_consumer_groups([name], request_timeout=CALL_SECONDS)[name])
        except KafkaException as error:
            if code_of(error) != KafkaError.GROUP_ID_NOT_FOUND:
                raise self.error(error) from error

    def _answer(self, future: "Future[T]") -> T:
        """Wait for an answer; ends early if connections are refused repeatedly. Raises KafkaException."""
        self._note(None)
        began = time.monotonic()
        while True:
            try:
                return future.result(_POLL_SECONDS)
            except TimeoutError:
                self._admin.poll(0)
                if self._refusal is not None and time.monotonic() - began > _REFUSED_SECONDS:
                    raise KafkaException(self._refusal) from None

    def names(self) -> list[str]:
        """Names of all Kafka topics."""
        return list(self.call(lambda: self._admin.list_topics(timeout=CALL_SECONDS).topics))

    def call(self, work: Callable[[], T]) -> T:
        """Use a client, converting Kafka's errors to the contract's."""
        try:
            return work()
        except KafkaException as error:
            raise self.error(error) from error

    def error(self, error: KafkaError | KafkaException) -> BusAway | BusRefused:
        """The contract's error for Kafka's, or the refusal that the cluster reported."""
        self._admin.poll(0)
        found = bus_error(error, self.servers)
        if isinstance(found, BusAway):
            self.close()  # Connections of idle clients may be dead too, and each would need time to notice.
            if self._refusal is not None:
                found, self._refusal = bus_error(self._refusal, self.servers), None
        return found

    def close(self) -> None:
        """Close idle clients."""
        with self._lock:
            spare = [consumer for consumers in self._spare.values() for consumer in consumers]
            self._spare = {use: [] for use in Use}
        for consumer in spare:
            consumer.close()

    def _make(self, kind: Callable[[Any], T], properties: Properties, setting: str) -> T:
        try:
            return kind({**properties, "error_cb": self._note})
        except KafkaException as error:
            raise SettingsError(
                name=setting, value="…", expected=f"librdkafka's properties: {bus_error(error, '').facts['detail']}"
            ) from error

    def _note(self, error: KafkaError | None) -> None:
        """Why the cluster refuses connections; None: unknown from now on."""
        if error is None or is_refusal(error):
            self._refusal = error
