"""Where streams begin and end. AMQP says neither, so a consumer is opened there and its offsets are noted.

The consumers have a connection of their own, so that nothing of it comes among the messages that are read.
"""

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from pika.exceptions import ChannelClosedByBroker

from zcbus.connectors.consuming.consumer import TopicTrouble
from zcbus.connectors.rabbitmq.link import STREAM_OFFSET, RabbitLink, Received
from zcbus.connectors.rabbitmq.queue_types import is_stream, require_there, trouble
from zcbus.connectors.rabbitmq.spec import RabbitOptions
from zcbus.kit.clock import now_ms

_QUIET_SECONDS = 0.3
"""A stream that hands out nothing for so long has nothing, unless something says that it has."""
_PATIENT_SECONDS = 10.0
"""Then it is waited for. The number of messages in a declaration's answer is up to 5 s old."""
_STEP_SECONDS = 0.02
_ALL = 65535
"""The largest prefetch count: more than a chunk, in which the broker stores messages that came together."""
_NOT_FOUND = 404


@dataclass(slots=True)
class _Seen:
    """Offsets that a consumer got."""

    tag: int
    """Of the first delivery."""
    first: int
    last: int


class StreamEdges:
    """Connects when it is asked."""

    def __init__(self, options: RabbitOptions) -> None:
        self._options = options
        self._made: RabbitLink | None = None
        self._streams: set[str] = set()
        """Queues that are known to be streams."""

    def exists(self, name: str) -> bool:
        """Raises TopicTrouble for a queue that is no stream, or may not be read, SourceUnavailable for one that is
        away."""
        try:
            self._link.on_channel(lambda channel: channel.queue_declare(name, passive=True))
        except ChannelClosedByBroker as error:
            require_there(self._link, error)
            self._streams.discard(name)
            if error.reply_code == _NOT_FOUND:
                return False
            raise TopicTrouble(name, "topic-denied", error.reply_text) from error
        if name not in self._streams and not is_stream(self._link, name):
            raise TopicTrouble(name, "queue-unsuitable", f"{name}: x-queue-type ≠ stream")
        self._streams.add(name)
        return True

    def firsts(self, streams: Sequence[str]) -> dict[str, int]:
        """Offsets of the first messages; 0 where there is none."""
        seen = self._seek(streams, "first", 1, ())
        return {name: seen[name].first if name in seen else 0 for name in streams}

    def ends(self, streams: Sequence[str], filled: Collection[str]) -> dict[str, int]:
        """The offsets after the last messages; 0 where there is none. `filled`: streams that had messages before.
        Raises SourceUnavailable where a stream that has messages does not hand out its last ones."""
        seen = self._seek(streams, "last", _ALL, filled)
        return {name: seen[name].last + 1 if name in seen else 0 for name in streams}

    def nearest(self, stream: str, offset: int) -> Received | None:
        """The first message from an offset on; None: there is none."""
        found: list[Received] = []

        def work(channel: Any) -> None:
            channel.basic_qos(prefetch_count=1)
            receive = partial(_keep_first, found, stream)
            channel.basic_consume(stream, receive, arguments={STREAM_OFFSET: offset})
            until = time.monotonic() + _QUIET_SECONDS
            while not found and time.monotonic() < until:
                channel.connection.process_data_events(_STEP_SECONDS)

        try:
            self._link.on_channel(work)
        except ChannelClosedByBroker as error:
            raise trouble(self._link, stream, error) from error
        return found[0] if found else None

    def close(self) -> None:
        if self._made is not None:
            self._made.close()

    @property
    def _link(self) -> RabbitLink:
        if self._made is None:
            self._made = RabbitLink(self._options)
        return self._made

    def _seek(self, streams: Sequence[str], where: str, prefetch: int, filled: Collection[str]) -> Mapping[str, _Seen]:
        try:
            seen, held = self._link.on_channel(lambda channel: _seek(channel, streams, where, prefetch, filled))
        except ChannelClosedByBroker as error:
            name = next((name for name in streams if f"'{name}'" in error.reply_text), streams[0])
            raise trouble(self._link, name, error) from error
        for name in held.keys() - seen.keys():
            if held[name]:
                raise self._link.error(f"stream '{name}' has {held[name]} messages, but hands out none")
        return seen


def _keep_first(found: list[Received], stream: str, _channel: Any, method: Any, properties: Any, body: bytes) -> None:
    if not found:
        found.append(Received(stream, method, properties, body, now_ms()))


def _seek(
    channel: Any, streams: Iterable[str], where: str, prefetch: int, filled: Collection[str]
) -> tuple[Mapping[str, _Seen], Mapping[str, int]]:
    """What consumers got that begin there, and how many messages the broker says that the others have."""
    seen: dict[str, _Seen] = {}
    left = set(streams)
    channel.basic_qos(prefetch_count=prefetch)
    for name in left:
        channel.basic_consume(name, _noting(seen, name), arguments={STREAM_OFFSET: where})
    began = time.monotonic()
    held = _wait(channel, seen, left, began + _QUIET_SECONDS)
    awaited = {name for name, count in held.items() if count or name in filled}
    held |= _wait(channel, seen, awaited, began + _PATIENT_SECONDS)
    _settle(channel, seen)
    return seen, held


def _noting(seen: dict[str, _Seen], name: str) -> Any:
    def note(_channel: Any, method: Any, properties: Any, _body: bytes) -> None:
        offset = int(properties.headers[STREAM_OFFSET])
        one = seen.setdefault(name, _Seen(method.delivery_tag, offset, offset))
        one.last = max(one.last, offset)

    return note


def _wait(channel: Any, seen: Mapping[str, _Seen], streams: Collection[str], until: float) -> dict[str, int]:
    """Until each of the streams has handed out something; returns the others, with their numbers of messages."""
    while any(name not in seen for name in streams) and time.monotonic() < until:
        channel.connection.process_data_events(_STEP_SECONDS)
    missing = [name for name in streams if name not in seen]
    return {name: int(channel.queue_declare(name, passive=True).method.message_count) for name in missing}


def _settle(channel: Any, seen: Mapping[str, _Seen]) -> None:
    """Get all that is committed by now: an acknowledgement makes the broker read the stream to its end, and the answer
    to a question comes behind what it found."""
    for name, one in seen.items():
        channel.basic_ack(one.tag)
        channel.queue_declare(name, passive=True)
    channel.connection.process_data_events(0)
