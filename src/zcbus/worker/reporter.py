"""Sends a service's reports without blocking the service."""

import threading
import time
from collections.abc import Callable
from typing import TextIO

from zcbus.protocol.reports import Report, ServiceReport, StateReport

_POLL_SECONDS = 0.05
_SHARE = 20.0
"""Polling takes at most 1/20 of a processor, however many tables there are."""
_SERVICE_SECONDS = 1.0
_FIGURES_SECONDS = 1.0


class Reporter(threading.Thread):
    """Polls the service's reports up to twenty times a second.

    A table's report is sent at once when its state changed, and its figures at most once a second. The service's own
    report is sent once a second. A slow reader loses only superseded reports; reports that add up are sent as they
    arrive.
    """

    def __init__(self, measure: Callable[[], list[Report]], output: TextIO) -> None:
        super().__init__(name="reports", daemon=True)
        self._measure, self._output = measure, output
        self._finished = threading.Event()
        self._sent: dict[str, tuple[float, StateReport]] = {}

    def run(self) -> None:
        """Report until `finish`."""
        pause = _POLL_SECONDS
        while not self._finished.wait(pause):
            began = time.thread_time()
            self._send_due(everything=False)
            pause = max(_POLL_SECONDS, _SHARE * (time.thread_time() - began))

    def finish(self) -> None:
        """Send the last changes and end."""
        self._finished.set()
        self.join(timeout=5.0)
        if not self.is_alive():
            self._send_due(everything=True)

    def _send_due(self, everything: bool) -> None:
        now = time.monotonic()
        lines = []
        for report in self._measure():
            if not isinstance(report, StateReport):
                lines.append(report.model_dump_json() + "\n")
                continue
            if self._is_due(report, self._sent.get(report.subject), now, everything):
                self._sent[report.subject] = (now, report)
                lines.append(report.model_dump_json() + "\n")
        self._write("".join(lines))

    def _write(self, text: str) -> None:
        try:
            self._output.write(text)
            self._output.flush()
        except (OSError, ValueError):
            self._finished.set()  # The pipe has no reader any more; the end of input stops the service.

    @staticmethod
    def _is_due(report: StateReport, last: tuple[float, StateReport] | None, now: float, everything: bool) -> bool:
        if last is None:
            return True
        then, sent = last
        if report is sent:
            return False
        if (report.state, report.reason) != (sent.state, sent.reason):
            return True
        if isinstance(report, ServiceReport):
            return everything or now - then >= _SERVICE_SECONDS
        moved = report.model_copy(update={"at": sent.at}) != sent
        return moved and (everything or now - then >= _FIGURES_SECONDS)
