"""A connection to a RabbitMQ broker: a thread of its own serves it, others take what has come."""

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotDone
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import pika
from pika.exceptions import (
    AMQPConnectionError,
    AMQPError,
    ChannelClosedByBroker,
    ConnectionClosedByBroker,
    ConnectionWrongStateError,
    ProbableAccessDeniedError,
    ProbableAuthenticationError,
)

from zcbus.connectors import tls
from zcbus.connectors.errors import AccessDenied, SourceUnavailable
from zcbus.connectors.rabbitmq.spec import RabbitOptions
from zcbus.kit import network
from zcbus.kit.clock import now_ms

T = TypeVar("T")
_CONNECT_SECONDS, _RESPONSE_SECONDS, _CLOSE_SECONDS = 10.0, 30.0, 5.0
_HEARTBEAT_SECONDS = 30
"""The broker gives up a connection after twice the time, and with it the consumers that keep others out."""
_WAIT_SECONDS = 5.0
_MAX_BYTES = 32 << 20
"""Of messages that wait to be taken; then the connection is not read."""
_TOGETHER_SECONDS = 0.002
"""Messages that come within this time after the first are taken together."""
STREAM_OFFSET = "x-stream-offset"
"""Where a consumer of a stream begins, and the header that says where each message is."""
_LOGIN_REFUSED = {403, 530}
"""Codes of the broker: wrong user or password, no access to the virtual host."""


@dataclass(frozen=True, slots=True)
class Received:
    """A message of a queue, and when it came, in milliseconds since 1970-01-01 UTC."""

    queue: str
    method: Any
    properties: Any
    body: bytes
    time_ms: int

    @property
    def size(self) -> int:
        """Bytes of the value."""
        return len(self.body)


@dataclass(frozen=True, slots=True)
class Answered:
    """What the broker said of the queues behind all messages that it had sent before."""

    ready: int
    """Messages that it has not sent."""
    shared: Sequence[str]
    """Queues that others consume, too."""
    size: int = 0


@dataclass(frozen=True, slots=True)
class Cancelled:
    """The broker ended the reading of a stream: it was deleted, or its node is not available."""

    queue: str
    size: int = 0


Event = Received | Answered | Cancelled


class RabbitLink:
    """Connects at creation. A lost connection is not made again: the engine opens another link."""

    def __init__(self, options: RabbitOptions) -> None:
        """Raises SourceUnavailable, AccessDenied."""
        self._options = options
        self._change = threading.Condition()
        self._came: deque[Event] = deque()
        self._bytes = 0
        self._answers: list[Answered] = []
        self._jobs: deque[Callable[[], None]] = deque()
        self._fault = ""
        self._closing = False
        self._channel: Any = None
        """Of the consumers."""
        self._streams: dict[str, Any] = {}
        """Channels of streams that are read, by name."""
        self._connection: Any = self._connect()
        self._thread = threading.Thread(target=self._serve, name="rabbitmq", daemon=True)
        self._thread.start()

    def on_channel(self, work: Callable[[Any], T]) -> T:
        """The result of something done on a channel of its own. Raises ChannelClosedByBroker: the broker refuses it."""

        def do() -> T:
            channel = self._connection.channel()
            try:
                return work(channel)
            finally:
                _end(channel)

        return self._run(do)

    def consume(self, queues: Sequence[str], prefetch: int) -> None:
        """Receive the queues' messages from now on, alone where the kind of queue allows that. Raises
        ChannelClosedByBroker."""
        self._run(lambda: self._consume(queues, prefetch))

    def acknowledge(self, tag: int) -> None:
        """The broker may forget the message, and all before it."""
        self._post(lambda: self._channel.basic_ack(tag, multiple=True))

    def follow(self, stream: str, offset: int, prefetch: int) -> str:
        """Receive a stream's messages from an offset on; returns what `method.consumer_tag` of them is. Raises
        ChannelClosedByBroker."""
        return self._run(lambda: self._follow(stream, offset, prefetch))

    def leave(self, stream: str) -> None:
        """Receive it no longer. What has come already is still taken."""
        self._run(lambda: self._leave(stream))

    def grant(self, stream: str, tag: int) -> None:
        """The broker may send as many more of a stream as came up to this one. It forgets none."""
        self._post(lambda: self._grant(stream, tag))

    def ask(self, queues: Sequence[str]) -> None:
        """Ask how many messages the broker has; take() returns its answer."""
        self._post(lambda: self._answers.append(self._count(queues)))

    def take(self, timeout: float, most_bytes: int, most: int) -> list[Event]:
        """What has come, waiting up to `timeout` seconds for the first. Raises SourceUnavailable where nothing is left
        and the connection is lost."""
        with self._change:
            self._change.wait_for(lambda: self._came or self._fault, timeout)
            if not self._came and self._fault:
                raise self.error(self._fault)
            if self._came:
                self._change.wait(_TOGETHER_SECONDS)  # each batch has its cost, whatever its size
            taken: list[Event] = []
            size = 0
            while self._came and size < most_bytes and len(taken) < most:
                one = self._came.popleft()
                size += one.size
                taken.append(one)
            self._bytes -= size
            self._change.notify_all()
            return taken

    def error(self, detail: str) -> SourceUnavailable:
        """The error of what the broker or the library says."""
        options = self._options
        return SourceUnavailable(kind=options.kind, address=options.address, detail=detail)

    def close(self) -> None:
        """End the connection: unacknowledged messages go back to their queues. Idempotent."""
        with self._change:
            self._closing = True
            self._change.notify_all()
        self._wake()
        self._thread.join(_CLOSE_SECONDS)  # of a broker that does not answer, it ends with the heartbeats

    def _connect(self) -> Any:
        options = self._options
        try:
            # Names are resolved here: the library would connect to any address that a name means by then.
            found = network.addresses(options.host, options.port)
            return pika.BlockingConnection([self._parameters(address) for address in found])
        except (ProbableAuthenticationError, ProbableAccessDeniedError) as error:
            raise self._denied(str(error)) from error
        except ConnectionClosedByBroker as error:
            if error.reply_code in _LOGIN_REFUSED:
                raise self._denied(error.reply_text) from error
            raise self.error(error.reply_text) from error
        except (AMQPError, OSError) as error:
            raise self.error(_text(error)) from error

    def _parameters(self, address: str) -> Any:
        options = self._options
        secured = None
        if options.tls != "disable":
            secured = pika.SSLOptions(tls.context(options.tls), options.host)
        return pika.ConnectionParameters(
            address,
            options.port,
            options.vhost,
            pika.PlainCredentials(options.user, options.password),
            heartbeat=_HEARTBEAT_SECONDS,
            ssl_options=secured,
            connection_attempts=1,
            socket_timeout=_CONNECT_SECONDS,
            stack_timeout=_CONNECT_SECONDS,
            blocked_connection_timeout=_RESPONSE_SECONDS,
            client_properties={"connection_name": "zcbus"},
        )

    def _denied(self, detail: str) -> AccessDenied:
        options = self._options
        return AccessDenied(kind=options.kind, address=options.address, user=options.user, detail=detail)

    def _consume(self, queues: Sequence[str], prefetch: int) -> None:
        channel = self._connection.channel()
        channel.basic_qos(prefetch_count=prefetch)
        channel.add_on_cancel_callback(self._on_cancel)
        self._channel = channel
        for queue in queues:
            channel.basic_consume(queue, self._receiver(queue), exclusive=True)

    def _follow(self, stream: str, offset: int, prefetch: int) -> str:
        channel = self._streams[stream] = self._connection.channel()
        channel.basic_qos(prefetch_count=prefetch)
        channel.add_on_cancel_callback(lambda _: self._note(Cancelled(stream)))
        return str(channel.basic_consume(stream, self._receiver(stream), arguments={STREAM_OFFSET: offset}))

    def _leave(self, stream: str) -> None:
        channel = self._streams.pop(stream, None)
        if channel is not None:
            _end(channel)

    def _grant(self, stream: str, tag: int) -> None:
        channel = self._streams.get(stream)
        if channel is not None and channel.is_open:
            channel.basic_ack(tag, multiple=True)

    def _count(self, queues: Sequence[str]) -> Answered:
        """Asked twice: the first answer may overtake messages that the queue has handed to the channel; the second one
        comes behind them."""
        for queue in queues:
            self._channel.queue_declare(queue, passive=True)
        found = {queue: self._channel.queue_declare(queue, passive=True).method for queue in queues}
        shared = [queue for queue, one in found.items() if one.consumer_count > 1]
        return Answered(sum(one.message_count for one in found.values()), shared)

    def _receiver(self, queue: str) -> Callable[[Any, Any, Any, bytes], None]:
        def receive(channel: Any, method: Any, properties: Any, body: bytes) -> None:
            with self._change:
                self._change.wait_for(lambda: self._bytes < _MAX_BYTES or self._closing)
                self._put(Received(queue, method, properties, body, now_ms()))

        return receive

    def _put(self, one: Event) -> None:
        self._came.append(one)
        self._bytes += one.size
        if len(self._came) == 1:  # a wake-up for each of many would cost more
            self._change.notify_all()

    def _note(self, one: Event) -> None:
        with self._change:
            self._put(one)

    def _on_cancel(self, frame: Any) -> None:
        self._fail("the broker cancelled a consumer: its queue was deleted or is not available")

    def _serve(self) -> None:
        """Of the thread. The library allows one thread at a time on its connection."""
        try:
            is_closing = False
            while not is_closing:
                is_closing = self._closing  # asked before the jobs: acknowledgements of before the end are still sent
                self._connection.process_data_events(0 if is_closing else _WAIT_SECONDS)
                while self._jobs:
                    self._jobs.popleft()()
                if self._answers:
                    self._hand_over_answers()
        except Exception as error:  # noqa: BLE001  whatever the library raises ends the connection
            self._fail(_text(error))
        finally:
            self._fail("connection closed")
            with suppress(AMQPConnectionError, ConnectionWrongStateError):
                for stream in list(self._streams):
                    self._leave(stream)
                self._connection.close()

    def _hand_over_answers(self) -> None:
        """Behind the messages that came before them, which the library has kept meanwhile."""
        self._connection.process_data_events(0)
        with self._change:
            for one in self._answers:
                self._put(one)
            self._change.notify_all()
        self._answers.clear()

    def _fail(self, detail: str) -> None:
        with self._change:
            self._fault = self._fault or detail
            self._change.notify_all()

    def _post(self, job: Callable[[], None]) -> None:
        self._jobs.append(job)
        self._wake()

    def _wake(self) -> None:
        with suppress(ConnectionWrongStateError):
            self._connection.add_callback_threadsafe(lambda: None)

    def _run(self, work: Callable[[], T]) -> T:
        done: Future[T] = Future()

        def job() -> None:
            try:
                done.set_result(work())
            except ChannelClosedByBroker as refused:
                done.set_exception(refused)

        self._post(job)
        deadline = time.monotonic() + _RESPONSE_SECONDS
        while True:
            with suppress(NotDone):
                return done.result(_TOGETHER_SECONDS * 50)
            if self._fault or time.monotonic() > deadline:
                raise self.error(self._fault or "no response")


def _end(channel: Any) -> None:
    """Close a channel, with the consumers of streams that it has.

    The library cancels consumers first, and rejects what they have not handed over; the broker ends a connection that
    rejects a stream's message.
    """
    if channel.is_open:
        channel._consumer_infos.clear()
        channel.close()


def _text(error: BaseException) -> str:
    """The cause, which the library packs into errors of its own."""
    cause = getattr(error, "exception", None) or next(iter(error.args), None)
    return _text(cause) if isinstance(cause, BaseException) else str(error) or type(error).__name__
