"""Limit of the bytes of one row; libpq itself takes a row of any size into memory."""

import os
import socket
import threading

from zcbus.kit.received import received

_INTERVAL_SECONDS = 0.01
"""A row may exceed the limit by what arrives in this time."""


class AnswerLimit:
    """Shuts a connection down over which more than `most` bytes arrive between two calls of `begin_row`.

    A thread of its own counts them: once libpq knows the length of a row, it continues one read while the server sends
    faster. The socket is duplicated, so that the thread never reads the counter of another connection.
    """

    def __init__(self, descriptor: int, most: int) -> None:
        self.most = most
        self.exceeded = False
        self._socket = socket.socket(fileno=os.dup(descriptor))
        self._before = received(self._socket.fileno())
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="answer-limit", daemon=True)
        self._thread.start()

    def begin_row(self) -> None:
        """Bytes from here on belong to the next row."""
        self._before = received(self._socket.fileno())

    def close(self) -> None:
        """Stop counting. Idempotent."""
        self._closed.set()
        self._thread.join()
        self._socket.close()

    def _watch(self) -> None:
        while not self._closed.wait(_INTERVAL_SECONDS):
            if received(self._socket.fileno()) - self._before > self.most:
                self.exceeded = True
                self._socket.shutdown(socket.SHUT_RDWR)
                return
