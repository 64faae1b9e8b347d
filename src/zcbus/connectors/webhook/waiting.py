"""Requests between the thread that receives them and the one that stores them: bounded, each answered once."""

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

_MAX_REQUESTS, _MAX_BYTES = 1000, 64 << 20
"""In hand: being received, waiting, or with rows that are not durable yet."""
_TOGETHER_SECONDS = 0.002
"""Requests that come within this time after the first are taken together."""


@dataclass(frozen=True, slots=True)
class Answer:
    """To a sender."""

    status: int
    detail: str = ""
    rows: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)


NOT_NOW = Answer(503, "not stored, send it again", headers={"retry-after": "5"})


@dataclass(frozen=True, slots=True)
class Request:
    """A verified request. `body`: as it came, not decompressed."""

    path: str
    time_ms: int
    """When it had come, in milliseconds since 1970-01-01 UTC."""
    headers: tuple[tuple[str, bytes], ...]
    """Names in lower case; none that holds a secret."""
    query: str
    sender: str
    body: bytes
    is_compressed: bool
    number: int = 0
    """Grows with each request that is handed over to a `Waiting`, which gives it."""


@dataclass(slots=True)
class Held:
    """What a request takes of what may be in hand."""

    size: int = 0
    """Bytes of its body."""
    is_handed_over: bool = False


class Waiting:
    """Of one listener. `answered` belongs to the thread of its loop, `take` and `answer` to another one."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._change = threading.Condition()
        self._queue: OrderedDict[int, Request] = OrderedDict()
        self._bytes = self._requests = self._last = 0
        self._answers: dict[int, asyncio.Future[Answer]] = {}
        self._held: dict[int, Held] = {}
        """Of requests that are handed over and not answered, or whose rows are still with whom took them."""
        self._is_closed = False

    @property
    def last(self) -> int:
        """Number of the last request that was handed over."""
        return self._last

    def enter(self) -> Held | None:
        """A place for a request that is going to be received; None: there is none. One that is not handed over must
        `leave`."""
        with self._change:
            if self._is_closed or self._requests >= _MAX_REQUESTS:
                return None
            self._requests += 1
            return Held()

    def grow(self, held: Held, size: int) -> bool:
        """Room for so many more bytes of its body; False: there is none."""
        with self._change:
            if self._bytes + size > _MAX_BYTES:
                return False
            self._bytes += size
            held.size += size
            return True

    def leave(self, held: Held) -> None:
        """Give back the place of a request, unless it was handed over."""
        with self._change:
            if not held.is_handed_over:
                self._give_back(held)

    async def answered(self, request: Request, held: Held, seconds: float) -> Answer:
        """Hand a request over, and wait for its answer. Its place is given back when it is answered: also when its time
        is over, it may still be with whom took it."""
        future: asyncio.Future[Answer] = self._loop.create_future()
        number = self._put(request, held, future)
        if number:
            done, _ = await asyncio.wait({future}, timeout=seconds)
            if done:
                return future.result()
            with self._change:
                self._answers.pop(number, None)
                if self._queue.pop(number, None) is not None:
                    self._give_back(self._held.pop(number))
        return NOT_NOW

    def take(self, timeout: float, most_bytes: int) -> list[Request]:
        """What has come, in its order, waiting up to `timeout` seconds for the first."""
        with self._change:
            self._change.wait_for(lambda: self._queue, timeout)
            if self._queue:
                self._change.wait(_TOGETHER_SECONDS)
            taken: list[Request] = []
            size = 0
            while self._queue and size < most_bytes:
                _, one = self._queue.popitem(last=False)
                size += len(one.body)
                taken.append(one)
            return taken

    def has(self, number: int) -> bool:
        """Whether a request up to this number waits to be taken."""
        with self._change:
            return next(iter(self._queue), number + 1) <= number

    def answer(self, numbers: Collection[int], answer: Answer) -> None:
        """Answer requests that were taken. One whose time is over has been answered already."""
        with self._change:
            for number in numbers:
                if number in self._held:
                    self._give_back(self._held.pop(number))
            futures = [self._answers.pop(number) for number in numbers if number in self._answers]
        self._settle(futures, answer)

    def close(self) -> None:
        """Take no more requests, and answer all that wait: they are not known to be stored."""
        with self._change:
            self._is_closed = True
            futures = list(self._answers.values())
            self._answers.clear()
            self._queue.clear()
        self._settle(futures, NOT_NOW)

    def _put(self, request: Request, held: Held, future: asyncio.Future[Answer]) -> int:
        """Its number; 0: closed."""
        with self._change:
            if self._is_closed:
                return 0
            held.is_handed_over = True
            self._last += 1
            self._queue[self._last] = replace(request, number=self._last)
            self._answers[self._last], self._held[self._last] = future, held
            if len(self._queue) == 1:  # a wake-up for each of many would cost more
                self._change.notify_all()
            return self._last

    def _give_back(self, held: Held) -> None:
        self._bytes -= held.size
        self._requests -= 1

    def _settle(self, futures: Collection[asyncio.Future[Answer]], answer: Answer) -> None:
        def settle() -> None:
            for future in futures:
                if not future.done():
                    future.set_result(answer)

        if futures:
            with suppress(RuntimeError):  # the loop has ended, and with it each connection
                self._loop.call_soon_threadsafe(settle)
