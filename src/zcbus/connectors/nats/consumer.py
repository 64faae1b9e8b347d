"""Reading a server's streams; see consuming.Consumer.

A stream is a topic with one partition, its offsets are the stream's sequence numbers. Each stream that is read has an
ephemeral pull consumer without acknowledgement: the server holds no state that would outlive it. Requests and headers
are those of the JetStream wire API (docs.nats.io/reference/reference-protocols/nats_api_reference).
"""

import contextlib
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from nats.aio.msg import Msg
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy, RetentionPolicy, StreamInfo
from nats.js.errors import NotFoundError

from zcbus.connectors.consuming.consumer import Message, Offsets, Partition, Topic, TopicTrouble
from zcbus.connectors.nats.link import NatsLink
from zcbus.connectors.nats.spec import NatsOptions

_MAX_MESSAGES = 5000
_BATCH_MESSAGES = 2000
_MAX_BYTES, _MIN_BYTES = 8 << 20, 64 << 10
"""Of all requests together, and of one."""
_REQUEST_SECONDS = 20.0
"""The server ends a request that got too few messages until then."""
_INACTIVE_SECONDS = 60.0
"""The server removes a consumer without a request for so long; it is created again where reading has arrived."""
_TOGETHER_SECONDS = 0.001
"""Messages that arrive with less time between them are returned together."""
_STATUS, _TOO_LARGE, _COMPLETE = "Status", "message size exceeds maxbytes", "batch completed"


@dataclass(slots=True)
class _Followed:
    """A stream that is read."""

    number: int
    """Its place among the inboxes."""
    next: int
    """The sequence number that is expected."""
    consumer: str = ""
    """Its consumer's name; empty: to be made."""
    received: int = 0
    """Messages that the consumer has delivered."""
    requested: int = 0
    """Messages that the open request may still bring; 0: none is open."""
    is_empty: bool = True
    """The open request has brought none."""
    is_single: bool = False
    """The next message is larger than a request may bring: it is requested alone."""
    end: int = 0
    """As `ends` had it last."""


class NatsConsumer:
    """Connects at creation."""

    def __init__(self, options: NatsOptions) -> None:
        self._link = NatsLink(options)
        self._followed: dict[str, _Followed] = {}
        self._inboxes = 0
        self._inbox = self._link.client.new_inbox()
        self._came = self._link.run(self._subscribe())

    def identity(self) -> str:
        return self._link.identity

    def names(self) -> list[str]:
        return self._link.run(self._names())

    def keeper(self, subject: str) -> str:
        """The stream that keeps a subject; empty: there is none."""
        try:
            return self._link.run(self._link.streams.find_stream_name_by_subject(subject))
        except NotFoundError:
            return ""

    def topics(self, names: Iterable[str]) -> dict[str, Topic]:
        found = ((name, self._info(name)) for name in names)
        return {name: _topic(info) for name, info in found if info is not None}

    def firsts(self, partitions: Iterable[Partition]) -> dict[Partition, int]:
        states = {one: self._state(one[0]) for one in partitions}
        # Sequence numbers begin with 1: a stream that has lost nothing can be read from offset 0 on.
        return {one: state.first_seq if state.first_seq > 1 else 0 for one, state in states.items()}

    def ends(self, partitions: Iterable[Partition]) -> dict[Partition, int]:
        states = {one: self._state(one[0]) for one in partitions}
        ends = {one: state.last_seq + 1 if state.last_seq else 0 for one, state in states.items()}
        for (stream, _), end in ends.items():
            if stream in self._followed:
                self._followed[stream].end = end
        return ends

    def follow(self, starts: Offsets) -> None:
        for (stream, _), offset in starts.items():
            self._followed[stream] = _Followed(self._inboxes, max(1, offset))
            self._inboxes += 1

    def leave(self, partitions: Iterable[Partition]) -> None:
        for stream, _ in partitions:
            followed = self._followed.pop(stream, None)
            if followed is not None:
                self._link.run(self._remove(stream, followed))

    def read(self, timeout: float) -> tuple[Sequence[Message], Offsets]:
        return self._link.run(self._read(timeout), timeout + _REQUEST_SECONDS)

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self.leave([(stream, 0) for stream in self._followed])
        self._link.close()

    async def _subscribe(self) -> Any:
        return await self._link.client.subscribe(f"{self._inbox}.*")

    async def _names(self) -> list[str]:
        names: list[str] = []
        while True:
            # The library's own call reads the first page only.
            page = await self._link.streams.streams_info(offset=len(names))
            names += [info.config.name or "" for info in page]
            if not page:
                return names

    def _info(self, stream: str) -> StreamInfo | None:
        try:
            return self._link.run(self._link.streams.stream_info(stream))
        except NotFoundError:
            return None

    def _state(self, stream: str) -> Any:
        info = self._info(stream)
        if info is None:
            raise _deleted(stream)
        return info.state

    async def _read(self, timeout: float) -> tuple[Sequence[Message], Offsets]:
        messages: list[Message] = []
        size = 0
        until = time.monotonic() + timeout
        while size < _MAX_BYTES and len(messages) < _MAX_MESSAGES:
            for stream, followed in self._followed.items():
                if not followed.requested:
                    await self._request(stream, followed)
            wait = _TOGETHER_SECONDS if messages else max(_TOGETHER_SECONDS, until - time.monotonic())
            try:
                came = await self._came.next_msg(timeout=wait)
            except TimeoutError:
                break
            if came.headers and _STATUS in came.headers and came.subject.startswith(self._inbox):
                self._end_request(came)
            elif (message := await self._taken(came)) is not None:
                messages.append(message)
                size += message.size
        return messages, {} if messages else await self._passed()

    async def _request(self, stream: str, followed: _Followed) -> None:
        if not followed.consumer:
            await self._make(stream, followed)
        count = 1 if followed.is_single else _BATCH_MESSAGES
        request = {"batch": count, "expires": int(_REQUEST_SECONDS * 1e9)}
        if not followed.is_single:
            request["max_bytes"] = max(_MIN_BYTES, _MAX_BYTES // len(self._followed))
        subject = f"$JS.API.CONSUMER.MSG.NEXT.{stream}.{followed.consumer}"
        await self._link.client.publish(subject, orjson.dumps(request), reply=f"{self._inbox}.{followed.number}")
        followed.requested, followed.is_empty, followed.is_single = count, True, False

    async def _make(self, stream: str, followed: _Followed) -> None:
        config = ConsumerConfig(
            deliver_policy=DeliverPolicy.BY_START_SEQUENCE,
            opt_start_seq=followed.next,
            ack_policy=AckPolicy.NONE,
            inactive_threshold=_INACTIVE_SECONDS,
            mem_storage=True,
            num_replicas=1,
        )
        try:
            made = await self._link.streams.add_consumer(stream, config)
        except NotFoundError as error:
            raise _deleted(stream) from error
        followed.consumer, followed.received = made.name, 0

    async def _remove(self, stream: str, followed: _Followed) -> None:
        """The server would remove it by itself, later."""
        if followed.consumer:
            with contextlib.suppress(Exception):
                await self._link.streams.delete_consumer(stream, followed.consumer)

    def _end_request(self, came: Msg) -> None:
        """The server ends a request: it has run out, the next message is too large for it, or the consumer is gone."""
        number, headers = came.subject.rpartition(".")[2], came.headers or {}
        followed = next((one for one in self._followed.values() if str(one.number) == number), None)
        if followed is None or headers[_STATUS] == "100":  # the server is alive
            return
        why = headers.get("Description", "").lower()
        followed.requested = 0
        followed.is_single = _TOO_LARGE in why and followed.is_empty
        if headers[_STATUS] not in ("404", "408") and not any(word in why for word in (_TOO_LARGE, _COMPLETE)):
            followed.consumer = ""

    async def _taken(self, came: Msg) -> Message | None:
        """The message, if it is its consumer's next one; else reading begins again where it had arrived."""
        about = came.metadata
        stream, at, number = about.stream, about.sequence.stream, about.sequence.consumer
        followed = self._followed.get(stream)
        if followed is None or about.consumer != followed.consumer:
            return None
        if number != followed.received + 1:
            followed.consumer, followed.requested = "", 0
            return None
        if at > followed.next:
            await self._check_kept(stream, followed.next, at)
        followed.received, followed.next = number, at + 1
        followed.requested, followed.is_empty = followed.requested - 1, False
        headers = tuple((name, value.encode()) for name, value in (came.headers or {}).items())
        time_ms = round(about.timestamp.timestamp() * 1000)
        return Message(stream, 0, at, time_ms, came.subject.encode(), came.data, headers)

    async def _check_kept(self, stream: str, expected: int, came: int) -> None:
        """Raise TopicTrouble where messages between may have been removed before they were read."""
        try:
            info = await self._link.streams.stream_info(stream)
        except NotFoundError as error:
            raise _deleted(stream) from error
        if info.state.first_seq > expected:
            detail = f"{stream}: {expected} … {min(came, info.state.first_seq) - 1}"
            raise TopicTrouble(stream, "messages-lost", detail)

    async def _passed(self) -> Offsets:
        """The ends of streams whose last messages are gone: nothing more comes before them."""
        passed: dict[Partition, int] = {}
        for stream, followed in self._followed.items():
            if not followed.consumer or followed.next >= followed.end:
                continue
            try:
                info = await self._link.streams.consumer_info(stream, followed.consumer)
            except NotFoundError:
                followed.consumer, followed.requested = "", 0
                continue
            delivered = info.delivered.consumer_seq if info.delivered is not None else 0
            if info.num_pending == 0 and delivered == followed.received:
                await self._check_kept(stream, followed.next, followed.end)
                followed.next = followed.end
                passed[stream, 0] = followed.end
        return passed


def _deleted(stream: str) -> TopicTrouble:
    return TopicTrouble(stream, "topic-replaced", f"{stream}: deleted")


def _topic(info: StreamInfo) -> Topic:
    """Raises TopicTrouble for a stream that loses messages by another rule than its age and size."""
    name, config = info.config.name or "", info.config
    faults = {
        "retention": config.retention not in (None, RetentionPolicy.LIMITS),
        "max_msgs_per_subject": (config.max_msgs_per_subject or 0) > 0,
        "allow_msg_ttl": bool(config.allow_msg_ttl),
        "allow_rollup_hdrs": bool(config.allow_rollup_hdrs),
    }
    for setting, is_fault in faults.items():
        if is_fault:
            raise TopicTrouble(name, "stream-unsuitable", f"{name}: {setting} = {getattr(config, setting)}")
    return Topic(name, f"{name}@{info.created}", (0,))
