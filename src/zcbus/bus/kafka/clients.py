"""Connections to a cluster, and what is asked of it besides messages."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from enum import Enum
from typing import Any, TypeVar

from confluent_kafka import Consumer, KafkaError, KafkaException, Producer, TopicCollection
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from zcbus.bus.kafka.errors import BusAway, BusRefused, bus_error
from zcbus.bus.kafka.properties import ANSWER_MS, KafkaProperties, Properties
from zcbus.kit import kafka
from zcbus.kit.kafka import GONE, code_of, is_refusal
from zcbus.kit.settings import SettingsError

T = TypeVar("T")
CALL_SECONDS = 10.0
_REFUSED_SECONDS, _LOOK_SECONDS = 2.0, 0.1
"""The library tries several times within the former: a broker that is just starting also breaks connections off."""
_MOST_SPARE = 8
_TRANSACTION_MS = 600_000
"""So long a transaction may be open: one of the source may be large, and its end may take long to come."""
_TOPIC = {
    "cleanup.policy": "delete",
    # Retention is ours: it goes by records, and must not begin before a snapshot is complete.
    "retention.ms": "-1",
    "retention.bytes": "-1",
    "message.timestamp.type": "CreateTime",
    # A clock that was put back or forward must not make the cluster refuse or drop records.
    "message.timestamp.before.max.ms": str(2**63 - 1),
    "message.timestamp.after.max.ms": str(2**63 - 1),
}


class Use(Enum):
    """What a consumer is for."""

    LOOK = "look"
    """Reads here and there: the cluster answers at once that there is nothing more, and the next place is free."""
    FOLLOW = "follow"
    """Reads on and on: the cluster waits a little for news."""
    SURVEY = "survey"
    """As LOOK, in many topics at once: of each only a little is fetched ahead."""


class Clients:
    """Everything that talks to one cluster. Methods may be used by any thread; consumers and producers that are given
    out belong to who asked for them."""

    def __init__(self, properties: KafkaProperties) -> None:
        """Connects at the first use. Raises SettingsError where librdkafka does not take the properties."""
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
        """A producer that shuts out every earlier one of the same identity, once it begins."""
        properties = {**self.properties.push, "transactional.id": identity, "transaction.timeout.ms": _TRANSACTION_MS}
        return self._make(Producer, properties, "ZCBUS_BUS_PUSH_PROPERTIES")

    def group_member(self, group: str) -> Consumer:
        """A consumer by which a group's places are read and written; it reads nothing."""
        properties = {**self.properties.look, "group.id": group}
        return self._make(Consumer, properties, "ZCBUS_BUS_CLIENT_PROPERTIES")

    def consumer(self, use: Use) -> Consumer:
        """A consumer without assignment, a spare one where there is one."""
        with self._lock:
            if self._spare[use]:
                return self._spare[use].pop()
        kinds = {Use.LOOK: self.properties.look, Use.FOLLOW: self.properties.client, Use.SURVEY: self.properties.survey}
        return self._make(Consumer, kinds[use], "ZCBUS_BUS_CLIENT_PROPERTIES")

    def give_back(self, consumer: Consumer, use: Use) -> None:
        """The consumer is not used any more."""
        with self._lock:
            if len(self._spare[use]) < _MOST_SPARE:
                consumer.unassign()
                self._spare[use].append(consumer)
                return
        consumer.close()

    def topic_id(self, name: str) -> bytes | None:
        """Id of a Kafka topic (16 bytes); None where there is none."""
        return self.topic_ids([name]).get(name)

    def topic_ids(self, names: Sequence[str]) -> dict[str, bytes]:
        """Ids of those of the Kafka topics that there are, by name. One question, however many they are."""
        if not names:
            return {}
        try:
            asked = self._admin.describe_topics(TopicCollection(list(names)), request_timeout=ANSWER_MS / 1000)
        except KafkaException as error:
            raise self.error(error) from error
        found = {name: self._found(future) for name, future in asked.items()}
        return {name: kafka.topic_id(description) for name, description in found.items() if description is not None}

    def _found(self, future: "Future[Any]") -> Any:
        """A topic's description; None where there is none."""
        try:
            return self._answer(future)
        except KafkaException as error:
            if code_of(error) in GONE:
                return None
            raise self.error(error) from error

    def ensure(self, name: str, config: Mapping[str, str] = _TOPIC) -> bytes:
        """Make a topic where there is none; returns its id."""
        deadline = time.monotonic() + CALL_SECONDS
        while (found := self.topic_id(name)) is None:
            if time.monotonic() > deadline:
                raise BusAway(servers=self.servers, detail=f"{name} was made and is not there")
            if not self.create([name], config):
                time.sleep(0.02)  # made, but not known everywhere yet
        return found

    def create(self, names: Sequence[str], config: Mapping[str, str] = _TOPIC) -> int:
        """Make topics in one request; how many there were not. They may not be known everywhere when it returns."""
        topics = [NewTopic(name, num_partitions=1, replication_factor=-1, config=dict(config)) for name in names]
        if not topics:
            return 0
        asked = self._admin.create_topics(topics, request_timeout=CALL_SECONDS)
        return sum(self._is_created(future) for future in asked.values())

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
                raise BusAway(servers=self.servers, detail=f"{name} was deleted and is still there")
            time.sleep(0.02)

    def delete_before(self, partition: Any) -> None:
        """Remove the records of a partition before its offset."""
        futures = self._admin.delete_records([partition], request_timeout=CALL_SECONDS)
        self.call(lambda: [future.result() for future in futures.values()])

    def forget_group(self, name: str) -> None:
        """Remove a group's places; none is no error."""
        try:
            self._answer(self._admin.delete_consumer_groups([name], request_timeout=CALL_SECONDS)[name])
        except KafkaException as error:
            if code_of(error) != KafkaError.GROUP_ID_NOT_FOUND:
                raise self.error(error) from error

    def _answer(self, future: "Future[T]") -> T:
        """What the cluster answers. Who is refused again and again need not wait for more. Raises KafkaException."""
        self._note(None)
        began = time.monotonic()
        while True:
            try:
                return future.result(_LOOK_SECONDS)
            except TimeoutError:
                self._admin.poll(0)
                if self._refusal is not None and time.monotonic() - began > _REFUSED_SECONDS:
                    raise KafkaException(self._refusal) from None

    def names(self) -> list[str]:
        """All Kafka topics."""
        return list(self.call(lambda: self._admin.list_topics(timeout=CALL_SECONDS).topics))

    def call(self, work: Callable[[], T]) -> T:
        """Do something with a client. Raises the contract's errors for Kafka's."""
        try:
            return work()
        except KafkaException as error:
            raise self.error(error) from error

    def error(self, error: KafkaError | KafkaException) -> BusAway | BusRefused:
        """The contract's error; where the cluster let us know why it does not talk to us, that."""
        self._admin.poll(0)
        found = bus_error(error, self.servers)
        if isinstance(found, BusAway):
            self.close()  # connections of spare clients may be as dead, which would take each its time to be seen
            if self._refusal is not None:
                found, self._refusal = bus_error(self._refusal, self.servers), None
        return found

    def close(self) -> None:
        """Close what nobody uses."""
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
        """Why the cluster lets nobody in; None: from now on nothing is known of that."""
        if error is None or is_refusal(error):
            self._refusal = error
