"""Reading one side in a thread of its own, some parts ahead of where it is compared."""

import threading
from collections.abc import Generator, Iterator
from contextlib import closing
from queue import Empty, Full, Queue
from typing import Any

from zcbus.engine.contrast.merge import Part

_AHEAD = 3
_LOOK_SECONDS = 0.2


class Cancelled(Exception):
    """Nobody wants the comparison any more. A signal within the engine."""


class ReadAhead:
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
