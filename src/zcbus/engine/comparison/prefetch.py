"""Prefetch of one side in its own thread, a few parts ahead of the comparison."""

import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import closing
from queue import Empty, Full, Queue
from typing import Any, TypeVar

from zcbus.engine.comparison.rows import Part

_MAX_PARTS = 3
_POLL_SECONDS = 0.2
_Result = TypeVar("_Result")


class Cancelled(Exception):
    """The comparison was cancelled. A signal within the engine."""


class Prefetch:
    """Iterates the parts of a generator. Raises what the generator raises, or Cancelled. Context manager."""

    def __init__(self, parts: Generator[Part, None, None], cancelled: threading.Event) -> None:
        self._parts, self._cancelled = parts, cancelled
        self._queue: Queue[Any] = Queue(_MAX_PARTS)
        self._left = threading.Event()
        self._thread = threading.Thread(target=self._read, name="compared rows", daemon=True)

    def __enter__(self) -> Iterator[Part]:
        self._thread.start()
        return self._items()

    def __exit__(self, *details: object) -> None:
        self._left.set()
        self._thread.join()

    def _items(self) -> Iterator[Part]:
        while True:
            if self._cancelled.is_set():
                raise Cancelled
            try:
                item = self._queue.get(timeout=_POLL_SECONDS)
            except Empty:
                continue
            if item is None:
                return
            if isinstance(item, BaseException):
                raise item
            yield item

    def _read(self) -> None:
        try:
            # Closed in this thread: a connection belongs to one thread at a time.
            with closing(self._parts):
                for part in self._parts:
                    if not self._put(part):
                        return
        except Exception as error:  # noqa: BLE001 - raised by the consumer
            self._put(error)
        else:
            self._put(None)

    def _put(self, item: object) -> bool:
        while not (self._left.is_set() or self._cancelled.is_set()):
            try:
                self._queue.put(item, timeout=_POLL_SECONDS)
            except Full:
                continue
            return True
        return False


def in_parallel(cancelled: threading.Event, queries: Sequence[Callable[[], _Result]]) -> list[_Result]:
    """Run long queries at the same time and return their results. Raises what they raise. Raises Cancelled at once when
    cancelled: the queries then end when their connections are closed."""
    futures = [_start(query) for query in queries]
    for future in futures:
        while not future.done():
            if cancelled.is_set():
                raise Cancelled
            wait([future], _POLL_SECONDS)
    return [future.result() for future in futures]


def _start(query: Callable[[], _Result]) -> "Future[_Result]":
    future: Future[_Result] = Future()

    def run() -> None:
        try:
            future.set_result(query())
        except Exception as error:  # noqa: BLE001 - raised by `result`
            future.set_exception(error)

    threading.Thread(target=run, name="compared sums", daemon=True).start()
    return future
