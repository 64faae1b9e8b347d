"""Reading streams; see consuming.Consumer.

A stream is a topic with one partition. Its messages have offsets, so reading begins where it ended, and nothing is kept
at the broker: an acknowledgement only lets it send more. A stream has no identity. So reading begins with the message
that was read last, which must be the same.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pika.exceptions import ChannelClosedByBroker

from zcbus.connectors.consuming.consumer import Mark, Message, Offsets, Partition, Topic, TopicTrouble, mark_of
from zcbus.connectors.rabbitmq.edges import StreamEdges
from zcbus.connectors.rabbitmq.link import STREAM_OFFSET, Cancelled, RabbitLink, Received
from zcbus.connectors.rabbitmq.messages import headers_of
from zcbus.connectors.rabbitmq.queue_types import trouble
from zcbus.connectors.rabbitmq.spec import RabbitOptions

_MAX_MESSAGES, _MAX_BYTES = 5000, 8 << 20
_OF_SEGMENTS = 1
"""Offsets that the broker takes for itself where it begins another file: for what it remembers of publishers."""


@dataclass(slots=True)
class _Followed:
    """A stream that is read."""

    next: int
    """The offset that is expected."""
    mark: Mark | None
    """What was read last."""
    consumer: str = ""
    """Tag of its consumer."""


class RabbitStreams:
    """Connects when it is used. A lost connection is not made again."""

    def __init__(self, options: RabbitOptions) -> None:
        self._options = options
        self._edges = StreamEdges(options)
        self._made: RabbitLink | None = None
        self._followed: dict[str, _Followed] = {}
        self._marks: dict[Partition, Mark] = {}
        """Of streams that are followed next."""

    def identity(self) -> str:
        return f"{self._options.address}/{self._options.vhost}"

    def names(self) -> list[str]:
        return self._options.queues()

    def topics(self, names: Iterable[str]) -> dict[str, Topic]:
        selected = self._options.queues()
        found = [name for name in names if name in selected and self._edges.exists(name)]
        return {name: Topic(name, f"{name}@{self._options.vhost}", (0,)) for name in found}

    def firsts(self, partitions: Iterable[Partition]) -> dict[Partition, int]:
        return _by_partition(self._edges.firsts([name for name, _ in partitions]))

    def ends(self, partitions: Iterable[Partition]) -> dict[Partition, int]:
        filled = [name for name, one in self._followed.items() if one.next]
        return _by_partition(self._edges.ends([name for name, _ in partitions], filled))

    def recognise(self, marks: Mapping[Partition, Mark]) -> None:
        """See RecognisingConsumer."""
        self._marks = dict(marks)

    def follow(self, starts: Offsets) -> None:
        for (stream, _), offset in starts.items():
            self._followed[stream] = _Followed(offset, self._marks.pop((stream, 0), None))
            self._begin(stream)

    def leave(self, partitions: Iterable[Partition]) -> None:
        for stream, _ in partitions:
            if self._followed.pop(stream, None) is not None:
                self._link.leave(stream)

    def read(self, timeout: float) -> tuple[Sequence[Message], Offsets]:
        messages: list[Message] = []
        tags: dict[str, int] = {}
        for one in self._link.take(timeout, _MAX_BYTES, _MAX_MESSAGES):
            if isinstance(one, Cancelled):
                self._begin_again(one.queue)
                tags.pop(one.queue, None)
            elif isinstance(one, Received) and self._is_expected(one):
                tags[one.queue] = one.method.delivery_tag
                messages += self._taken(one)
        for stream, tag in tags.items():
            self._link.grant(stream, tag)
        return messages, {}

    def close(self) -> None:
        if self._made is not None:
            self._made.close()
        self._edges.close()

    @property
    def _link(self) -> RabbitLink:
        if self._made is None:
            self._made = RabbitLink(self._options)
        return self._made

    def _begin(self, stream: str) -> None:
        """With the message before the expected one, by which the stream is known again."""
        followed = self._followed[stream]
        if followed.mark is not None:
            self._check_mark(stream, followed.mark)
        start = followed.mark.offset if followed.mark is not None else max(0, followed.next - 1)
        try:
            followed.consumer = self._link.follow(stream, start, self._options.prefetch)
        except ChannelClosedByBroker as error:
            raise trouble(self._link, stream, error) from error

    def _begin_again(self, stream: str) -> None:
        """The broker ended the consumer: the stream was deleted, and perhaps made again, or its node is away."""
        if stream not in self._followed:
            return
        self._link.leave(stream)
        if not self._edges.exists(stream):
            raise TopicTrouble(stream, "topic-replaced", f"{stream}: deleted")
        self._begin(stream)

    def _is_expected(self, one: Received) -> bool:
        """Whether it comes of a consumer of now."""
        followed = self._followed.get(one.queue)
        return followed is not None and followed.consumer == one.method.consumer_tag

    def _taken(self, one: Received) -> list[Message]:
        """The message, unless it was read before."""
        message = _message(one)
        followed = self._followed[one.queue]
        if message.offset < followed.next:
            followed.mark = mark_of(message)
            return []
        if message.offset > followed.next:
            self._check_gap(one.queue, followed.next, message.offset)
        followed.next, followed.mark = message.offset + 1, mark_of(message)
        return [message]

    def _check_mark(self, stream: str, mark: Mark) -> None:
        """Raise TopicTrouble unless what was read last is what it was, or is gone with all before it."""
        found = self._edges.nearest(stream, mark.offset)
        if found is None:  # a stream that ends before is noticed by its end
            return
        message = _message(found)
        if mark_of(message) != mark and self._edges.firsts([stream])[stream] <= mark.offset:
            detail = f"{stream}: the message at {mark.offset} is another one than was read"
            raise TopicTrouble(stream, "topic-replaced", detail)

    def _check_gap(self, stream: str, expected: int, came: int) -> None:
        """Raise TopicTrouble where messages may be missing between two offsets."""
        first = self._edges.firsts([stream])[stream]
        if first > expected:
            raise TopicTrouble(stream, "messages-lost", f"{stream}: {expected} … {min(came, first) - 1}")
        if came - expected > _OF_SEGMENTS and self._options.gaps == "stop":
            raise TopicTrouble(stream, "stream-gap", f"{stream}: {expected} … {came - 1}")


def _by_partition(offsets: Mapping[str, int]) -> dict[Partition, int]:
    return {(name, 0): offset for name, offset in offsets.items()}


def _message(one: Received) -> Message:
    """Equal whenever it is read."""
    method, properties = one.method, one.properties
    time_ms = None if properties.timestamp is None else properties.timestamp * 1000
    headers = headers_of(properties, STREAM_OFFSET)
    more = [method.exchange, properties.message_id]
    offset = int(properties.headers[STREAM_OFFSET])
    return Message(one.queue, 0, offset, time_ms, method.routing_key.encode(), one.body, headers, more)
