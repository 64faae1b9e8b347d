"""A log output that never blocks its writers."""

import contextlib
import os
import queue
import threading

_MAX_LINES = 10_000
_CLOSE_SECONDS = 2.0
"""How long `close` waits by default."""


class NonBlockingOutput:
    """Text for a file descriptor, written by a thread. Any thread may write.

    While the other end is not read, the newest lines beyond the limit are lost; their number is logged once there is
    space.
    """

    def __init__(self, descriptor: int, most_lines: int = _MAX_LINES) -> None:
        self._descriptor = descriptor
        self._waiting: queue.Queue[bytes | None] = queue.Queue(most_lines)
        self._lost = 0
        self._thread = threading.Thread(target=self._pass_on, name="log", daemon=True)
        self._thread.start()

    def write(self, text: str) -> int:
        """Queue one line, with its end. Returns at once."""
        try:
            self._waiting.put_nowait(text.encode(errors="backslashreplace"))
        except queue.Full:
            self._lost += 1
        return len(text)

    def flush(self) -> None:
        """Do nothing: lines are written as soon as possible."""

    def close(self, seconds: float = _CLOSE_SECONDS) -> None:
        """Wait until all lines are written, `seconds` at most."""
        with contextlib.suppress(queue.Full):
            self._waiting.put(None, timeout=seconds)
            self._thread.join(seconds)

    def _pass_on(self) -> None:
        with contextlib.suppress(OSError):
            while (data := self._waiting.get()) is not None:
                self._write(data)
                if self._lost and self._waiting.qsize() == 0:
                    lost, self._lost = self._lost, 0
                    self._write(b'{"event": "log lines lost", "lines": %d, "level": "warning"}\n' % lost)

    def _write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._descriptor, data) :]
