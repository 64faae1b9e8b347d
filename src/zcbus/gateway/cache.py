"""Cache of answers."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

from zcbus.gateway.calls import Reply

_MAX_BYTES = 64 << 20


class AnswerCache:
    """Cache of the answers used last, limited in bytes. Thread-safe."""

    def __init__(self, monotonic: Callable[[], float], most_bytes: int = _MAX_BYTES) -> None:
        self._monotonic, self._most = monotonic, most_bytes
        self._lock = threading.Lock()
        self._replies: OrderedDict[Hashable, tuple[float, Reply]] = OrderedDict()
        self._bytes = 0

    def get(self, key: Hashable) -> Reply | None:
        with self._lock:
            if key not in self._replies:
                return None
            until, reply = self._replies[key]
            if until <= self._monotonic():
                self._drop(key)
                return None
            self._replies.move_to_end(key)
            return reply

    def put(self, key: Hashable, reply: Reply, seconds: float) -> None:
        with self._lock:
            if key in self._replies:
                self._drop(key)
            self._replies[key] = (self._monotonic() + seconds, reply)
            self._bytes += len(reply.body)
            while self._bytes > self._most:
                self._drop(next(iter(self._replies)))

    def clear(self) -> None:
        with self._lock:
            self._replies.clear()
            self._bytes = 0

    def _drop(self, key: Hashable) -> None:
        self._bytes -= len(self._replies.pop(key)[1].body)
