"""A log that never holds up who writes it, whether somebody reads it or not."""

import contextlib
import os
import queue
import threading

_MOST_LINES = 10_000
_LAST_WORDS = 2.0
"""Seconds."""


class PatientOutput:
    """Takes text for a file descriptor; a thread writes it. While nobody reads the other end, the newest of what does
    not fit is lost, and its number of lines is told once there is room. Any thread may write."""

    def __init__(self, descriptor: int, most_lines: int = _MOST_LINES) -> None:
        self._descriptor = descriptor
        self._waiting: queue.Queue[bytes | None] = queue.Queue(most_lines)
        self._lost = 0
        self._thread = threading.Thread(target=self._pass_on, name="log", daemon=True)
        self._thread.start()

    def write(self, text: str) -> int:
        """One line, with its end. Returns at once."""
        try:
            self._waiting.put_nowait(text.encode(errors="backslashreplace"))
        except queue.Full:
            self._lost += 1
        return len(text)

    def flush(self) -> None:
        """Nothing waits longer than it must."""

    def close(self, seconds: float = _LAST_WORDS) -> None:
        """Wait until all is written, but not longer than that."""
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
