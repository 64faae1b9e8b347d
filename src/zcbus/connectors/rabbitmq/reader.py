"""Reading queues; see consuming.acknowledging.Acknowledging.

A queue has no identity. So each queue that is read is bound to an exchange of our own, which the broker deletes with
the queue (an auto-delete exchange goes with its last binding): where that exchange is missing, the queue is another
one. Nothing is published to it.
"""

import hashlib
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from typing import Any

from pika.exceptions import ChannelClosedByBroker

from zcbus.connectors.consuming.acknowledging.reader import Delivery
from zcbus.connectors.consuming.consumer import Topic, TopicTrouble, Trouble
from zcbus.connectors.rabbitmq.link import Answered, RabbitLink, Received
from zcbus.connectors.rabbitmq.messages import headers_of
from zcbus.connectors.rabbitmq.queue_types import IN_USE, is_stream, require_there
from zcbus.connectors.rabbitmq.spec import RabbitOptions

MARKER = "zcbus."
"""What names of our exchanges begin with."""
_MAX_MESSAGES, _MAX_BYTES = 5000, 8 << 20
_MAX_NAME_LENGTH = 255
_NOT_FOUND, _RESOURCE_LOCKED = 404, 405


class RabbitReader:
    """Connects when it is used."""

    def __init__(self, options: RabbitOptions, node: str = "") -> None:
        """`node`: whose queues are read; empty: queues are listed only."""
        self._options, self._node = options, node
        self._made: RabbitLink | None = None
        self._followed: list[str] = []
        self._is_drained = False

    def identity(self) -> str:
        return f"{self._options.address}/{self._options.vhost}"

    def names(self) -> list[str]:
        return self._options.queues()

    def topics(self, names: Iterable[str]) -> dict[str, Topic]:
        selected = self._options.queues()
        return {name: Topic(name, "", (0,)) for name in names if name in selected and self._is_queue(name)}

    def begin(self, topics: Sequence[str], removed: Sequence[str], begun: Collection[str]) -> Collection[str]:
        lost = [name for name in topics if name in begun and not self._is_marked(name)]
        if lost:
            return lost
        for name in removed:
            self._unmark(name)
        for name in topics:
            self._require_alone(name)
            self._mark(name)
        self._followed = list(topics)
        try:
            self._link.consume(topics, self._options.prefetch)
        except ChannelClosedByBroker as error:
            if IN_USE in error.reply_text:
                raise self._link.error(error.reply_text) from error
            named = (name for name in topics if f"'{name}'" in error.reply_text)
            raise TopicTrouble(next(named, topics[0]), "topic-denied", error.reply_text) from error
        return ()

    def read(self, timeout: float) -> Sequence[Delivery]:
        found: list[Delivery] = []
        for one in self._link.take(timeout, _MAX_BYTES, _MAX_MESSAGES):
            if isinstance(one, Received):
                found.append(_delivery(one))
            elif isinstance(one, Answered):
                self._note_answer(one)
        return found

    def acknowledge(self, tokens: Sequence[Hashable]) -> None:
        """All that was delivered before the last one is durable, too: frames have deliveries in their order."""
        if tokens:
            token = tokens[-1]
            assert isinstance(token, int)
            self._link.acknowledge(token)

    def ask(self) -> None:
        self._is_drained = False
        self._link.ask(self._followed)

    def is_drained(self) -> bool:
        return self._is_drained

    def try_mark(self, name: str) -> None:
        """Whether the queue can be bound: it is, and is not any more. Raises TopicTrouble."""
        self._mark(name)
        self._unmark(name)

    def forget(self) -> None:
        for name in self._options.queues():
            self._unmark(name)

    def close(self) -> None:
        if self._made is not None:
            self._made.close()

    @property
    def _link(self) -> RabbitLink:
        if self._made is None:
            self._made = RabbitLink(self._options)
        return self._made

    def _note_answer(self, one: Answered) -> None:
        """Raises TopicTrouble where others consume: what they got does not come here."""
        if one.shared:
            raise TopicTrouble(one.shared[0], "queue-shared", one.shared[0])
        self._is_drained = one.ready == 0

    def _is_queue(self, name: str) -> bool:
        """Whether it exists. Raises TopicTrouble for one that cannot be read as a queue."""
        if self._done(name, lambda channel: channel.queue_declare(name, passive=True)) is None:
            return False
        if is_stream(self._link, name):
            raise TopicTrouble(name, "queue-unsuitable", f"{name}: x-queue-type = stream")
        return True

    def _require_alone(self, name: str) -> None:
        """Raises SourceUnavailable while another consumer is there: it may be our own of before."""
        found = self._done(name, lambda channel: channel.queue_declare(name, passive=True))
        if found is not None and found.method.consumer_count:
            raise self._link.error(f"queue '{name}' has another consumer")

    def _mark(self, name: str) -> None:
        marker = self._marker(name)

        def mark(channel: Any) -> bool:
            channel.exchange_declare(marker, "direct", durable=True, auto_delete=True)
            channel.queue_bind(name, marker, routing_key=marker)
            return True

        if self._done(name, mark) is None:
            raise self._link.error(f"queue '{name}' was deleted")

    def _is_marked(self, name: str) -> bool:
        marker = self._marker(name)
        return self._done(name, lambda channel: channel.exchange_declare(marker, passive=True)) is not None

    def _unmark(self, name: str) -> None:
        self._done(name, lambda channel: channel.exchange_delete(self._marker(name)))

    def _marker(self, queue: str) -> str:
        found = f"{MARKER}{self._node}.{queue}"
        if len(found.encode()) > _MAX_NAME_LENGTH:
            return f"{MARKER}{self._node}.{hashlib.blake2b(queue.encode(), digest_size=16).hexdigest()}"
        return found

    def _done(self, queue: str, work: Callable[[Any], Any]) -> Any:
        """The result of something done to a queue; None: it is missing. Raises TopicTrouble."""
        try:
            return self._link.on_channel(work)
        except ChannelClosedByBroker as error:
            require_there(self._link, error)
            if error.reply_code == _NOT_FOUND:
                return None
            reason: Trouble = "queue-unsuitable" if error.reply_code == _RESOURCE_LOCKED else "topic-denied"
            raise TopicTrouble(queue, reason, error.reply_text) from error


def _delivery(one: Received) -> Delivery:
    method, properties = one.method, one.properties
    time_ms = one.time_ms if properties.timestamp is None else properties.timestamp * 1000
    more = [method.exchange, properties.message_id, "t" if method.redelivered else "f"]
    key = method.routing_key.encode()
    return Delivery(one.queue, time_ms, key, one.body, headers_of(properties), more, method.delivery_tag)
