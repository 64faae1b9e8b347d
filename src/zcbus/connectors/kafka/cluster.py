"""Metadata of a cluster, and the addresses of its brokers."""

import re
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from typing import Any, TypeVar

from confluent_kafka import IsolationLevel, KafkaError, KafkaException, TopicCollection, TopicPartition
from confluent_kafka.admin import (  # type: ignore[attr-defined]
    AdminClient,
    ConfigResource,
    OffsetSpec,
    ResourceType,
)
from confluent_kafka.cimpl import NewTopic

from zcbus.connectors.consuming.consumer import Partition, Topic, TopicTrouble
from zcbus.connectors.errors import AccessDenied, SourceUnavailable, TargetUnavailable
from zcbus.connectors.kafka.spec import KafkaOptions
from zcbus.connectors.roles import Side
from zcbus.kit import network
from zcbus.kit.kafka import GONE, PROTOCOLS, code_of, error_in, is_refusal, topic_id

T = TypeVar("T")
Properties = dict[str, Any]
RESPONSE_SECONDS = 10.0
_REFUSED_SECONDS, _POLL_SECONDS = 2.0, 0.1
"""The library tries several times within the former: a broker that is just starting also breaks connections off."""
_BROKERS_SECONDS = 10.0
_TOPIC_SECONDS = 30.0
"""Until a topic is created or deleted on all brokers."""
_INTERNAL = "__"
_CERTIFICATE = re.compile(r"-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----")
_SERVER = re.compile(r"\[?(?P<host>[^\[\]]+?)\]?(?::(?P<port>\d+))?")


class Cluster:
    """Connects at creation. Not thread-safe. All calls raise SourceUnavailable (a target's: TargetUnavailable),
    AccessDenied."""

    def __init__(self, options: KafkaOptions, side: Side = "source") -> None:
        self._options, self._side = options, side
        self._refusal: KafkaError | None = None
        self._failure: KafkaError | None = None
        """The last connection's error."""
        self._identity = ""
        self._brokers_seen = 0.0
        self._permit(_addresses(options.servers))
        self._admin: AdminClient = self.make(AdminClient, {"socket.timeout.ms": int(RESPONSE_SECONDS * 1000)})
        self.check_brokers()

    @property
    def identity(self) -> str:
        """The cluster's id."""
        return self._identity

    def close(self) -> None:
        """Close all connections at once: the library's object refers to this one by its callback, so both would stay
        until garbage collection."""
        vars(self).pop("_admin", None)

    def check_brokers(self) -> None:
        """Check the addresses of all brokers against the network rules, if a check is due.

        Brokers join and move, and the library connects to them by itself, so no other request is sent before the rules
        allow all of them.
        """
        if time.monotonic() < self._brokers_seen + _BROKERS_SECONDS:
            return
        described = self.response(self._admin.describe_cluster(request_timeout=RESPONSE_SECONDS))
        self._permit([(node.host, node.port) for node in described.nodes])
        self._identity = described.cluster_id or ""
        self._brokers_seen = time.monotonic()

    def names(self) -> list[str]:
        """All topics but the brokers' own."""
        try:
            found = self._admin.list_topics(timeout=RESPONSE_SECONDS).topics
        except KafkaException as error:
            raise self.error(error) from error
        return [name for name in found if not name.startswith(_INTERNAL)]

    def topics(self, names: Iterable[str]) -> dict[str, Topic]:
        """See Consumer."""
        self.check_brokers()
        requested = list(names)
        if not requested:
            return {}
        pending = self._admin.describe_topics(TopicCollection(requested), request_timeout=RESPONSE_SECONDS)
        found = ((name, self._described(name, future)) for name, future in pending.items())
        return {name: topic for name, topic in found if topic is not None}

    def _described(self, name: str, future: "Future[Any]") -> Topic | None:
        try:
            description = self._wait(future)
        except KafkaException as error:
            if code_of(error) in GONE:
                return None
            if code_of(error) == KafkaError.TOPIC_AUTHORIZATION_FAILED:
                raise TopicTrouble(name, "topic-denied", error_in(error).str()) from error
            raise self.error(error) from error
        partitions = tuple(sorted(one.id for one in description.partitions))
        return Topic(name, f"{self._identity}/{topic_id(description).hex()}", partitions)

    def settings(self, name: str) -> dict[str, str]:
        """A topic's settings, those of the brokers' defaults among them."""
        resource = ConfigResource(ResourceType.TOPIC, name)
        (pending,) = self._admin.describe_configs([resource], request_timeout=RESPONSE_SECONDS).values()
        return {entry.name: entry.value or "" for entry in self.response(pending).values()}

    def validate(self, name: str, partitions: int, replication: int) -> None:
        """Whether a topic could be created. Raises the error of `create`."""
        made = NewTopic(name, num_partitions=partitions, replication_factor=replication or -1)
        request = {"validate_only": True, "request_timeout": RESPONSE_SECONDS}
        (pending,) = self._admin.create_topics([made], **request).values()
        self.response(pending)

    def create(self, name: str, partitions: int, replication: int, settings: dict[str, str]) -> None:
        """Create a topic, once a deleted one of its name is gone. `replication`: 0: as the brokers' default says."""
        self.check_brokers()
        made = NewTopic(name, num_partitions=partitions, replication_factor=replication or -1, config=settings)
        deadline = time.monotonic() + _TOPIC_SECONDS
        while True:
            (pending,) = self._admin.create_topics([made], request_timeout=RESPONSE_SECONDS).values()
            try:
                self._wait(pending)
            except KafkaException as error:
                exists = code_of(error) == KafkaError.TOPIC_ALREADY_EXISTS
                if not exists or time.monotonic() > deadline:
                    raise self.error(error) from error
                if self.topics([name]):
                    break
                time.sleep(_POLL_SECONDS)
            else:
                break
        self._wait_until_led(name, deadline)

    def _wait_until_led(self, name: str, deadline: float) -> None:
        """A new topic's partitions have no leader at first."""
        while True:
            try:
                found = self.topics([name])
                if found and self.ends([(name, number) for number in found[name].partitions]):
                    return
            except (SourceUnavailable, TargetUnavailable):
                if time.monotonic() > deadline:
                    raise
            if time.monotonic() > deadline:
                raise self.unavailable(f"{name}: not created in time")
            time.sleep(_POLL_SECONDS)

    def delete(self, name: str) -> None:
        """Delete a topic and wait until it is gone. Idempotent."""
        (pending,) = self._admin.delete_topics([name], request_timeout=RESPONSE_SECONDS).values()
        try:
            self._wait(pending)
        except KafkaException as error:
            if code_of(error) not in GONE:
                raise self.error(error) from error
        deadline = time.monotonic() + _TOPIC_SECONDS
        while self.topics([name]) and time.monotonic() < deadline:
            time.sleep(_POLL_SECONDS)

    def firsts(self, partitions: Iterable[Partition]) -> dict[Partition, int]:
        """See Consumer."""
        return self._offsets(partitions, OffsetSpec.earliest())  # type: ignore[no-untyped-call]

    def ends(self, partitions: Iterable[Partition]) -> dict[Partition, int]:
        """See Consumer."""
        return self._offsets(partitions, OffsetSpec.latest())  # type: ignore[no-untyped-call]

    def undecided_ends(self, partitions: Iterable[Partition]) -> dict[Partition, int]:
        """As `ends`, behind the messages of open transactions."""
        latest = OffsetSpec.latest()  # type: ignore[no-untyped-call]
        return self._offsets(partitions, latest, IsolationLevel.READ_UNCOMMITTED)

    def _offsets(
        self,
        partitions: Iterable[Partition],
        which: Any,
        isolation: IsolationLevel = IsolationLevel.READ_COMMITTED,
    ) -> dict[Partition, int]:
        requested = [TopicPartition(topic, number) for topic, number in partitions]
        if not requested:
            return {}
        pending = self._admin.list_offsets(
            dict.fromkeys(requested, which),
            isolation_level=isolation,
            request_timeout=RESPONSE_SECONDS,
        )
        return {(one.topic, one.partition): self.response(future).offset for one, future in pending.items()}

    def make(self, kind: Callable[[Properties], T], properties: Properties) -> T:
        """Create a client of the library. Raises AccessDenied if it rejects the options (a certificate)."""
        try:
            return kind({**_properties(self._options), **properties, "error_cb": self._note})
        except KafkaException as error:
            raise self._denied(error_in(error)) from error

    def response(self, future: "Future[T]") -> T:
        """The cluster's response."""
        try:
            return self._wait(future)
        except KafkaException as error:
            raise self.error(error) from error

    def _wait(self, future: "Future[T]") -> T:
        """Who is refused again and again need not wait for more. Raises KafkaException."""
        self._note(None)
        began = time.monotonic()
        while True:
            try:
                return future.result(_POLL_SECONDS)
            except TimeoutError:
                self._admin.poll(0)
                if self._refusal is not None and time.monotonic() - began > _REFUSED_SECONDS:
                    raise KafkaException(self._refusal) from None

    def error(self, error: KafkaError | KafkaException) -> SourceUnavailable | TargetUnavailable | AccessDenied:
        """The error's cause; if the cluster reported why it refuses connections, that."""
        found = self._refusal or error_in(error)
        if is_refusal(found):
            return self._denied(found)
        found = self._failure or found
        self._failure = None
        return self.unavailable(found.str() or found.name())

    def _denied(self, error: KafkaError) -> AccessDenied:
        options = self._options
        detail = error.str() or error.name()
        return AccessDenied(kind=options.kind, address=options.address, user=options.user, detail=detail)

    def unavailable(self, detail: str) -> SourceUnavailable | TargetUnavailable:
        """The error for what passes."""
        kind = SourceUnavailable if self._side == "source" else TargetUnavailable
        return kind(kind=self._options.kind, address=self._options.address, detail=detail)

    def _permit(self, brokers: Iterable[tuple[str, int]]) -> None:
        for host, port in brokers:
            try:
                network.addresses(host, port)
            except network.AddressRefused as error:
                raise self.unavailable(str(error)) from error
            except OSError as error:
                raise self.unavailable(f"{host}: {error}") from error

    def _note(self, error: KafkaError | None) -> None:
        """Record the reason of the cluster's refusals; None: unknown again."""
        if error is None or is_refusal(error):
            self._refusal = error
        elif error.code() != KafkaError._ALL_BROKERS_DOWN:
            self._failure = error


def _addresses(servers: str) -> list[tuple[str, int]]:
    """Hosts and ports; the port by default is the library's."""
    parts = (_SERVER.fullmatch(one) for one in servers.split(","))
    return [(part["host"], int(part["port"] or 9092)) for part in parts if part is not None]


def _certificates(text: str) -> str:
    """Forms have one line for them, so ends of lines are put back."""
    bodies = ("".join(body.split()) for body in _CERTIFICATE.findall(text))
    wrapped = ("\n".join(body[at : at + 64] for at in range(0, len(body), 64)) for body in bodies)
    return "".join(f"-----BEGIN CERTIFICATE-----\n{body}\n-----END CERTIFICATE-----\n" for body in wrapped)


def _properties(options: KafkaOptions) -> Properties:
    """Holds secrets: never to be logged."""
    found: Properties = {
        "bootstrap.servers": options.servers,
        "client.id": "zcbus",
        "security.protocol": PROTOCOLS[options.security],
        "socket.keepalive.enable": True,
        "reconnect.backoff.ms": 50,
        "reconnect.backoff.max.ms": 1000,
        "allow.auto.create.topics": False,
        "log_level": 0,
    }
    if "sasl" in options.security:
        found |= {
            "sasl.mechanism": options.mechanism,
            "sasl.username": options.user,
            "sasl.password": options.password,
        }
    if "tls" in options.security and options.ca:
        found["ssl.ca.pem"] = _certificates(options.ca)
    return found
