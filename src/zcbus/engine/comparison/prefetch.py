"""Reading one side in a thread of its own, some parts ahead of where it is compared."""

import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import closing
from queue import Empty, Full, Queue
from typing import Any, TypeVar

from zcbus.engine.comparison.merge import Part

_AHEAD = 3
_LOOK_SECONDS = 0.2
_Answer = TypeVar("_Answer")


class Cancelled(Exception):
    """Nobody wants the comparison any more. A signal within the engine."""


class Prefetch:
    """Iterates the parts that another iterator gives, and raises what it raises, or Cancelled. Context manager."""

    def __init__(self, parts: Generator[Part, None, None], cancelled: threading.Event) -> None:
        self._parts, self._cancelled = parts, cancelled
        self._queue: Queue[Any] = Queue(_AHEAD)
        self._left = threading.Event()
        self._thread = threading.Thread(target=self._read, name="compared rows", daemon=True)

    def __enter__(self) -> Iterator[Part]:
        self._thread.start()
        return self._taken()

    def __exit__(self, *details: object) -> None:
        self._left.set()
        self._thread.join()

    def _taken(self) -> Iterator[Part]:
        while True:
            if self._cancelled.is_set():
                raise Cancelled
            try:
                item = self._queue.get(timeout=_LOOK_SECONDS)
            except Empty:
                continue
            if item is None:
                return
            if isinstance(item, BaseException):
                raise item
            yield item

    def _read(self) -> None:
        try:
            # What is half read is given up here: a connection belongs to one thread at a time.
            with closing(self._parts):
                for part in self._parts:
                    if not self._put(part):
                        return
        except Exception as error:  # noqa: BLE001 - raised where the parts are taken
            self._put(error)
        else:
            self._put(None)

    def _put(self, item: object) -> bool:
        while not (self._left.is_set() or self._cancelled.is_set()):
            try:
                self._queue.put(item, timeout=_LOOK_SECONDS)
            except Full:
                continue
            return True
        return False


def beside(cancelled: threading.Event, works: Sequence[Callable[[], _Answer]]) -> list[_Answer]:
    """What long questions answer, all asked at once; raises what they raise. Raises Cancelled as soon as nobody wants
    it any more: the questions then end when their connections are closed."""
    futures = [_asked(work) for work in works]
    for future in futures:
        while not future.done():
            if cancelled.is_set():
                raise Cancelled
            wait([future], _LOOK_SECONDS)
    return [future.result() for future in futures]


def _asked(work: Callable[[], _Answer]) -> "Future[_Answer]":
    future: Future[_Answer] = Future()

    def ask() -> None:
        try:
            future.set_result(work())
        except Exception as error:  # noqa: BLE001 - raised where the answer is taken
            future.set_exception(error)

    threading.Thread(target=ask, name="compared sums", daemon=True).start()
    return future
