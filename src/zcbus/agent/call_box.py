"""API calls of a data service that are not reported to the control plane yet."""

from collections import deque

from zcbus.protocol.data_service import ApiCall, ApiCallsReport

_MAX_STORED = 20_000
_MAX_AT_ONCE = 500


class CallBox:
    """The newest calls; calls beyond the limit are dropped and counted."""

    def __init__(self) -> None:
        self._calls: deque[ApiCall] = deque()
        self._dropped = 0

    def put(self, report: ApiCallsReport) -> None:
        """Add calls; the oldest are dropped beyond the limit."""
        self._calls.extend(report.calls)
        self._dropped += report.dropped
        self._shorten()

    def give_back(self, report: ApiCallsReport) -> None:
        """Undo a `take` whose delivery failed."""
        self._calls.extendleft(reversed(report.calls))
        self._dropped += report.dropped
        self._shorten()

    def take(self) -> list[ApiCallsReport]:
        """A report with the oldest calls; [] if there is nothing to report."""
        if not self._calls and not self._dropped:
            return []
        calls = tuple(self._calls.popleft() for _ in range(min(_MAX_AT_ONCE, len(self._calls))))
        dropped, self._dropped = self._dropped, 0
        return [ApiCallsReport(calls=calls, dropped=dropped)]

    def _shorten(self) -> None:
        while len(self._calls) > _MAX_STORED:
            self._calls.popleft()
            self._dropped += 1
