"""A connection to an MQTT broker: the library's thread receives, others take what has come."""

import socket
import ssl
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from zcbus.connectors import tls
from zcbus.connectors.errors import AccessDenied, SourceUnavailable
from zcbus.connectors.mqtt.filters import subscription_identifier
from zcbus.connectors.mqtt.spec import MqttOptions
from zcbus.kit import network
from zcbus.kit.clock import now_ms
from zcbus.kit.keepalive import enable_keepalive
from zcbus.kit.network import Route

_SECONDS, _PUBLISH_SECONDS = 10.0, 30.0
"""For each answer of the broker, and for those to all messages of a call."""
_KEEPALIVE_SECONDS = 60
_MAX_BYTES = 32 << 20
"""Of messages that wait to be taken; then the connection is not read."""
_TOGETHER_SECONDS = 0.002
"""Messages that come within this time after the first are taken together."""
_DENIED = {0x86, 0x87, 0x8C}
"""Reason codes: bad user name or password, not authorized, bad authentication method."""
RETAINED_ONCE, RETAINED_NEVER = 1, 2
"""Whether the broker sends retained messages for a subscription: for one that it did not have, or not at all."""


@dataclass(frozen=True, slots=True)
class Received:
    """A message and when it came, in milliseconds since 1970-01-01 UTC."""

    message: MQTTMessage
    time_ms: int


@dataclass(frozen=True, slots=True)
class Answered:
    """The broker answered `ask`, behind `received` messages with QoS 1 of this connection."""

    number: int
    received: int


class MqttLink:
    """Connects at creation. A lost connection is not made again: the engine opens another link."""

    def __init__(self, options: MqttOptions, client_id: str, *, clean: bool, expiry: int) -> None:
        """`clean`: an existing session is discarded; `expiry`: seconds. Raises SourceUnavailable, AccessDenied."""
        self._options = options
        self._change = threading.Condition()
        self._came: deque[Received | Answered] = deque()
        self._bytes = self._received = 0
        self._answers: dict[int, list[ReasonCode]] = {}
        self._published: dict[int, ReasonCode] = {}
        self._connected: tuple[bool, ReasonCode, Properties] | None = None
        self._fault = ""
        self._closing = False
        self._client = self._make(client_id)
        try:
            self._connect(clean, expiry)
        except BaseException:
            self.close()
            raise

    @property
    def has_session(self) -> bool:
        """Whether the broker had a session of this client."""
        return self._connected is not None and self._connected[0]

    def granted(self, name: str) -> Any:
        """A property of the broker's answer to the connection; None: it has none."""
        return getattr(self._connected[2], name, None) if self._connected is not None else None

    def subscribe(self, topic_filter: str, retained: int) -> ReasonCode:
        """The broker's answer: the granted QoS or a refusal."""
        properties = properties_of(PacketTypes.SUBSCRIBE)
        if self.granted("SubscriptionIdentifierAvailable") != 0:
            properties.SubscriptionIdentifier = subscription_identifier(topic_filter)
        # With QoS 2 the library confirms a message before it is durable; the broker sends those with QoS 1, too.
        wanted = SubscribeOptions(qos=1, retainAsPublished=True, retainHandling=retained)
        code, number = self._client.subscribe(topic_filter, options=wanted, properties=properties)
        self._require(code)
        return self._answer(number)[0]

    def unsubscribe(self, topic_filter: str) -> None:
        """One that the broker does not have is no error."""
        code, number = self._client.unsubscribe(topic_filter)
        self._require(code)
        self._answer(number)

    def ask(self) -> int:
        """Number of a request that changes nothing: take() returns its answer behind the messages before it."""
        code, number = self._client.unsubscribe(f"{self._options.client}none")
        self._require(code)
        assert number is not None
        return number

    def take(self, timeout: float, most_bytes: int, most: int) -> list[Received | Answered]:
        """What has come, waiting up to `timeout` seconds for the first. Raises SourceUnavailable where nothing is left
        and the connection is lost."""
        with self._change:
            self._change.wait_for(lambda: self._came or self._fault, timeout)
            if not self._came and self._fault:
                raise self.error(self._fault)
            if self._came:
                self._change.wait(_TOGETHER_SECONDS)  # each batch has its cost, whatever its size
            taken: list[Received | Answered] = []
            size = 0
            while self._came and size < most_bytes and len(taken) < most:
                one = self._came.popleft()
                size += _size(one)
                taken.append(one)
            self._bytes -= size
            self._change.notify_all()
            return taken

    def acknowledge(self, number: int) -> None:
        """The broker may forget a message. One that it does not learn of is delivered again."""
        self._client.ack(number, 1)

    def publish(self, topic: str, messages: Sequence[tuple[bytes, Properties]]) -> list[ReasonCode]:
        """Publish with QoS 1, in this order; returns the broker's answers. Raises SourceUnavailable."""
        # Another packet with the same number can only be of this call: none of an earlier one is open.
        self._published = {}
        numbers = []
        for body, properties in messages:
            sent = self._client.publish(topic, body, 1, properties=properties)
            self._require(sent.rc)
            numbers.append(sent.mid)
        self._wait(lambda: len(self._published) == len(numbers), _PUBLISH_SECONDS)
        return [self._published[number] for number in numbers]

    def error(self, detail: str) -> SourceUnavailable:
        """The error of what the broker or the library says."""
        options = self._options
        return SourceUnavailable(kind=options.kind, address=options.address, detail=detail)

    def close(self, expiry: int | None = None) -> None:
        """End the connection; the session stays. `expiry`: seconds for which it does from now on; 0: it ends.
        Idempotent."""
        with self._change:
            self._closing = True
            self._change.notify_all()
        properties = None
        if expiry is not None:
            properties = properties_of(PacketTypes.DISCONNECT)
            properties.SessionExpiryInterval = expiry
        self._client.disconnect(properties=properties)
        self._client.loop_stop()

    def _make(self, client_id: str) -> Client:
        client = _Client(
            self._options.way,
            CallbackAPIVersion.VERSION2,
            client_id=client_id,
            protocol=MQTTProtocolVersion.MQTTv5,
            reconnect_on_failure=False,
            manual_ack=True,
        )
        client.connect_timeout = _SECONDS
        client.on_socket_open = _tune
        client.on_connect, client.on_disconnect = self._on_connect, self._on_disconnect
        client.on_message, client.on_publish = self._on_message, self._on_publish
        client.on_subscribe, client.on_unsubscribe = self._on_subscribe, self._on_unsubscribe
        if self._options.user or self._options.password:
            client.username_pw_set(self._options.user, self._options.password or None)
        if self._options.tls != "disable":
            context = tls.context(self._options.tls)
            context.sslsocket_class = _ClosingSocket
            client.tls_set_context(context)
        return client

    def _connect(self, clean: bool, expiry: int) -> None:
        options = self._options
        properties = properties_of(PacketTypes.CONNECT)
        properties.SessionExpiryInterval, properties.ReceiveMaximum = expiry, options.window
        try:
            self._client.connect(
                options.host, options.port, _KEEPALIVE_SECONDS, clean_start=clean, properties=properties
            )
        except OSError as error:
            raise self.error(str(error) or type(error).__name__) from error
        self._client.loop_start()
        self._wait(lambda: self._connected is not None, _SECONDS)
        assert self._connected is not None
        reason = self._connected[1]
        if reason.value in _DENIED:
            raise AccessDenied(kind=options.kind, address=options.address, user=options.user, detail=str(reason))
        if reason.is_failure:
            raise self.error(str(reason))

    def _answer(self, number: int | None) -> list[ReasonCode]:
        assert number is not None
        self._wait(lambda: number in self._answers, _SECONDS)
        return self._answers.pop(number)

    def _wait(self, is_done: Callable[[], bool], seconds: float) -> None:
        with self._change:
            self._change.wait_for(lambda: is_done() or self._fault, seconds)
            if not is_done():
                raise self.error(self._fault or "no response")

    def _require(self, code: int) -> None:
        if code:
            raise self.error(self._fault or "connection lost")

    def _on_connect(
        self, client: Client, _: Any, flags: ConnectFlags, reason: ReasonCode, properties: Properties | None
    ) -> None:
        with self._change:
            self._connected = (flags.session_present, reason, properties or properties_of(PacketTypes.CONNACK))
            self._change.notify_all()

    def _on_disconnect(
        self, client: Client, _: Any, flags: DisconnectFlags, reason: ReasonCode, properties: Properties | None
    ) -> None:
        with self._change:
            # After the broker's own word the library reports the end of the connection once more.
            fault = str(reason) if flags.is_disconnect_packet_from_server else f"connection lost: {reason}"
            self._fault = self._fault or fault
            self._change.notify_all()

    def _on_message(self, client: Client, _: Any, message: MQTTMessage) -> None:
        with self._change:
            self._change.wait_for(lambda: self._bytes < _MAX_BYTES or self._closing)
            received = Received(message, now_ms())
            self._came.append(received)
            self._bytes += _size(received)
            self._received += message.qos > 0
            if len(self._came) == 1:  # a wake-up for each of many would cost more
                self._change.notify_all()

    def _on_publish(
        self, client: Client, _: Any, number: int, reason: ReasonCode, properties: Properties | None
    ) -> None:
        with self._change:
            self._published[number] = reason
            self._change.notify_all()

    def _on_subscribe(
        self, client: Client, _: Any, number: int, reasons: list[ReasonCode], properties: Properties | None
    ) -> None:
        with self._change:
            self._answers[number] = reasons
            self._change.notify_all()

    def _on_unsubscribe(
        self, client: Client, _: Any, number: int, reasons: Sequence[ReasonCode], properties: Properties | None
    ) -> None:
        with self._change:
            self._answers = {number: list(reasons)}  # at most one is waited for
            self._came.append(Answered(number, self._received))
            self._change.notify_all()


def properties_of(packet: int) -> Properties:
    """Of a packet; none is set."""
    return Properties(packet)  # type: ignore[no-untyped-call]


class _Client(Client):
    """The library's client, by the connection's route and to addresses that the network rules allow."""

    def __init__(self, way: Route | None, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._way = way

    def _create_socket_connection(self) -> socket.socket:
        return network.dial(self._host, self._port, self._connect_timeout, self._way)


class _ClosingSocket(ssl.SSLSocket):
    """Closed where the handshake fails: the library leaves it open."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except BaseException:
            self.close()
            raise


def _tune(client: Client, _: Any, connection: Any) -> None:
    if isinstance(connection, socket.socket):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        enable_keepalive(connection)


def _size(one: Received | Answered) -> int:
    return len(one.message.payload) + len(one.message.topic) if isinstance(one, Received) else 0
