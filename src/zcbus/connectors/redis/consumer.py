"""Reading a server's streams; see consuming.Consumer.

A stream is a topic with one partition, its offsets are places (see entry_ids). Nothing is stored at the server: no
consumer group, no acknowledgement. Each part of a stream is read in one MULTI … EXEC with what the server counts and
with the entry that was read last, so that an entry that was removed before it was read, or has become another one, is
noticed.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from redis.exceptions import NoPermissionError, ResponseError

from zcbus.connectors.consuming.consumer import Mark, Message, Offsets, Partition, Topic, TopicTrouble, mark_of
from zcbus.connectors.errors import SourceUnavailable
from zcbus.connectors.redis.connection import WAIT_SECONDS, Command, RedisConnection
from zcbus.connectors.redis.entries import message_of
from zcbus.connectors.redis.entry_ids import Place, place_of
from zcbus.connectors.redis.names import stream_names
from zcbus.connectors.redis.spec import RedisOptions
from zcbus.connectors.redis.stream_state import StreamState, state_of

_MAX_BYTES = 8 << 20
"""About so many are held."""
_PART_BYTES, _MAX_PART_BYTES = _MAX_BYTES // 4, 4 * _MAX_BYTES
"""Of a part whose entries are as the last ones were, and of one whose entries are as the largest known one is."""
_FIRST, _MOST = 16, 2000
"""Entries of a part."""
_GONE = ("no such key", "WRONGTYPE")


@dataclass(slots=True)
class _Followed:
    """A stream that is read."""

    reached: Place
    count: int
    """Of the entries that are read at once."""
    mark: Mark | None = None
    """What was read last."""
    has_more: bool = True
    """There may be entries behind the place."""
    end: int = 0
    """As `ends` had it last."""

    @property
    def is_ready(self) -> bool:
        """Whether to read on without waiting. The end also moves where all that was added is gone."""
        return self.has_more or (self.reached.is_counted and self.reached.offset() < self.end)


class RedisConsumer:
    """Connects at creation. A lost connection is not made again."""

    def __init__(self, options: RedisOptions, wait: float = WAIT_SECONDS) -> None:
        """`wait`: seconds for a response, at most."""
        self._options = options
        self._connection = RedisConnection(options, wait, "source")
        self._followed: dict[str, _Followed] = {}
        self._marks: dict[Partition, Mark] = {}
        """Of streams that are followed next."""

    def identity(self) -> str:
        return f"{self._options.address}/{self._options.database}"

    def names(self) -> list[str]:
        return stream_names(self._connection, self._options)

    def topics(self, names: Iterable[str]) -> dict[str, Topic]:
        """Raises SourceUnavailable where the server is a replica, which may lag without an end."""
        wanted = list(names)
        role, *types = self._connection.try_each([("ROLE",), *(("TYPE", name) for name in wanted)])[0]
        if isinstance(role, ResponseError):
            raise self._connection.error(role) from role
        if role[0] != b"master":
            raise self._unavailable(f"role:{role[0].decode()}")
        for name, type_ in zip(wanted, types, strict=True):
            if isinstance(type_, ResponseError):
                raise self._failed(name, type_) from type_
        found = [name for name, type_ in zip(wanted, types, strict=True) if type_ == b"stream"]
        return {name: Topic(name, f"{name}@{self._options.database}", (0,)) for name in found}

    def firsts(self, partitions: Iterable[Partition]) -> dict[Partition, int]:
        """Whatever is there follows offset 0. What is missing is noticed when it is read."""
        return dict.fromkeys(partitions, 0)

    def ends(self, partitions: Iterable[Partition]) -> dict[Partition, int]:
        wanted = list(partitions)
        ends = {one: state.end.offset() for one, state in zip(wanted, self._states(wanted), strict=True)}
        for (stream, _), end in ends.items():
            if stream in self._followed:
                self._followed[stream].end = end
        return ends

    def held(self, partitions: Iterable[Partition]) -> int:
        """See CountingConsumer."""
        return sum(state.length for state in self._states(list(partitions)))

    def recognise(self, marks: Mapping[Partition, Mark]) -> None:
        """See RecognisingConsumer."""
        self._marks = dict(marks)

    def follow(self, starts: Offsets) -> None:
        """Raises TopicTrouble where what follows is known to be lost."""
        for ((stream, _), offset), state in zip(starts.items(), self._states(list(starts)), strict=True):
            count = _next_count(_FIRST, (), state.largest)
            followed = _Followed(place_of(offset), count, self._marks.pop((stream, 0), None))
            state.check(followed.reached)
            self._check_mark(stream, followed)
            self._followed[stream] = followed

    def leave(self, partitions: Iterable[Partition]) -> None:
        for stream, _ in partitions:
            self._followed.pop(stream, None)

    def read(self, timeout: float) -> tuple[Sequence[Message], Offsets]:
        if not any(one.is_ready for one in self._followed.values()):
            self._wait(timeout)
        return self._read_ready()

    def close(self) -> None:
        self._connection.close()

    def _states(self, partitions: Sequence[Partition]) -> list[StreamState]:
        replies, _ = self._connection.try_each(("XINFO", "STREAM", stream) for stream, _ in partitions)
        return [self._state(stream, reply) for (stream, _), reply in zip(partitions, replies, strict=True)]

    def _state(self, stream: str, reply: Any) -> StreamState:
        if isinstance(reply, ResponseError):
            raise self._failed(stream, reply) from reply
        return state_of(stream, reply)

    def _read_ready(self) -> tuple[list[Message], dict[Partition, int]]:
        messages: list[Message] = []
        passed: dict[Partition, int] = {}
        size = 0
        for stream in [name for name, one in self._followed.items() if one.is_ready]:
            part, end = self._read_part(stream, self._followed[stream])
            messages += part
            size += sum(message.size for message in part)
            if end is not None:
                passed[stream, 0] = end
            # Those that were read go behind those that were not.
            self._followed[stream] = self._followed.pop(stream)
            if size >= _MAX_BYTES:
                break
        return messages, passed

    def _read_part(self, stream: str, followed: _Followed) -> tuple[list[Message], int | None]:
        """The next entries, and the offset that was reached behind the last one, if it is another one."""
        begin, count = followed.reached, followed.count
        state, entries = self._take(stream, followed)
        state.check(begin)
        messages = list(self._messages(stream, begin, entries))
        reached = place_of(messages[-1].offset + 1) if messages else begin
        if len(entries) < count:
            state.compare(begin, len(entries))
            reached = Place(*state.end[:2], state.end.counted if begin.is_counted else None)
        followed.reached, followed.has_more = reached, len(entries) == count
        followed.count = _next_count(count, messages, state.largest)
        followed.mark = mark_of(messages[-1]) if messages else followed.mark
        after = messages[-1].offset + 1 if messages else begin.offset()
        # A load that does not count entries nevertheless has reached the end that the server named.
        end = state.end.offset() if len(entries) < count else after
        return messages, end if end > after else None

    def _take(self, stream: str, followed: _Followed) -> tuple[StreamState, list[Any]]:
        """The state, and the next entries, both of one moment. Raises TopicTrouble where the last one read is another
        one."""
        info: Command = ("XINFO", "STREAM", stream)
        read: Command = ("XREAD", "COUNT", followed.count, "STREAMS", stream, followed.reached.id)
        commands = [info, read, *_mark_commands(stream, followed)]
        replies, failed = self._connection.try_each([("MULTI",), *commands, ("EXEC",)])
        if failed is not None:
            raise self._failed(stream, failed) from failed
        for reply in replies[-1]:
            if isinstance(reply, ResponseError):
                raise self._failed(stream, reply) from reply
        found, entries, *marked = replies[-1]
        self._recognise(stream, followed, marked)
        return state_of(stream, found), entries[0][1] if entries else []

    def _check_mark(self, stream: str, followed: _Followed) -> None:
        replies, failed = self._connection.try_each(_mark_commands(stream, followed))
        if failed is not None:
            raise self._failed(stream, failed) from failed
        self._recognise(stream, followed, replies)

    def _recognise(self, stream: str, followed: _Followed, replies: Sequence[Any]) -> None:
        """`replies`: to _mark_commands. The entry may be gone, which others may do with what was read."""
        for entries in replies:
            (found,) = self._messages(stream, place_of(0), entries) if entries else (None,)
            if found is not None and followed.mark is not None and mark_of(found).digest != followed.mark.digest:
                detail = f"{stream}: the entry {place_of(followed.mark.offset).id} is another one than was read"
                raise TopicTrouble(stream, "topic-replaced", detail)

    def _messages(self, stream: str, begin: Place, entries: Sequence[Any]) -> Iterator[Message]:
        place = begin
        for name, fields in entries:
            place = place.entry(name)
            yield message_of(stream, place, fields, self._options.field)

    def _wait(self, timeout: float) -> None:
        """Wait until one of the streams has more, `timeout` seconds at most."""
        if not self._followed:
            time.sleep(timeout)
            return
        places = [one.reached.id for one in self._followed.values()]
        milliseconds = max(1, int(timeout * 1000))  # 0 would be for ever
        command: Command = ("XREAD", "COUNT", 1, "BLOCK", milliseconds, "STREAMS", *self._followed, *places)
        (reply,), failed = self._connection.try_each([command])
        if failed is not None:
            self._find_fault(failed)
            return
        for name, _ in reply or ():
            self._followed[name.decode()].has_more = True

    def _find_fault(self, failed: ResponseError) -> None:
        """The server does not say which stream it means; reading each does."""
        if not isinstance(failed, NoPermissionError) and not str(failed).startswith(_GONE):
            raise self._connection.error(failed) from failed
        for followed in self._followed.values():
            followed.has_more = True

    def _failed(self, stream: str, failed: ResponseError) -> Exception:
        if isinstance(failed, NoPermissionError):
            return TopicTrouble(stream, "topic-denied", f"{stream}: {failed}")
        if str(failed).startswith(_GONE):
            return TopicTrouble(stream, "topic-replaced", f"{stream}: {failed}")
        return self._connection.error(failed)

    def _unavailable(self, detail: str) -> SourceUnavailable:
        return SourceUnavailable(kind=self._options.kind, address=self._options.address, detail=detail)


def _mark_commands(stream: str, followed: _Followed) -> list[Command]:
    """For the entry that was read last."""
    if followed.mark is None:
        return []
    last = place_of(followed.mark.offset).id
    return [("XRANGE", stream, last, last)]


def _next_count(count: int, messages: Sequence[Message], largest: int) -> int:
    """Of the entries of the next part. The server limits a part by entries, never by bytes. `largest`: bytes of
    the largest entry that is known."""
    average = sum(message.size for message in messages) // len(messages) if messages else 0
    limits = (_MOST, 2 * count, _PART_BYTES // max(1, average), _MAX_PART_BYTES // max(1, largest))
    return max(1, min(limits))
