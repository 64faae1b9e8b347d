"""Reports, attempts and answers that are not sent yet. Only the newest report of each kind and table is kept."""

from collections import defaultdict
from collections.abc import Callable

from zcbus.agent.call_box import CallBox
from zcbus.protocol.agent import ServiceReports, SyncRequest
from zcbus.protocol.answers import Answer
from zcbus.protocol.data_service import ApiCallsReport
from zcbus.protocol.reports import Attempt, Report, StateReport

_MAX_ATTEMPTS = 1000


class Outbox:
    """Collects between two syncs. Return undelivered messages with `give_back`."""

    def __init__(self, on_event: Callable[[], None] = lambda: None) -> None:
        """`on_event` is called for changes that should be sent at once, not for mere figures."""
        self._on_event = on_event
        self._last_states: dict[tuple[str, str, str], tuple[str, str]] = {}
        self._reports: dict[str, dict[tuple[str, str], StateReport]] = defaultdict(dict)
        self._calls: dict[str, CallBox] = defaultdict(CallBox)
        self._attempts: list[Attempt] = []
        self._answers: list[Answer] = []

    def put_report(self, service: str, report: Report) -> None:
        """Add a report, which replaces an older one of the same subject. API calls add up."""
        if isinstance(report, ApiCallsReport):
            self._calls[service].put(report)
        elif isinstance(report, StateReport):
            self._put_state(service, report)

    def _put_state(self, service: str, report: StateReport) -> None:
        self._reports[service][(report.type, report.subject)] = report
        state = (report.state, report.reason.code if report.reason else "")
        if self._last_states.get((service, report.type, report.subject)) != state:
            self._last_states[(service, report.type, report.subject)] = state
            self._on_event()

    def put_attempt(self, attempt: Attempt) -> None:
        """Add the end of a run; the oldest are dropped beyond the limit."""
        self._attempts = [*self._attempts, attempt][-_MAX_ATTEMPTS:]
        self._on_event()

    def put_answer(self, answer: Answer) -> None:
        """Add an answer."""
        self._answers.append(answer)
        self._on_event()

    def take(self) -> tuple[tuple[ServiceReports, ...], tuple[Attempt, ...], tuple[Answer, ...]]:
        """All collected messages; the box is empty afterwards."""
        newest: dict[str, list[Report]] = {service: list(own.values()) for service, own in self._reports.items()}
        for service, calls in self._calls.items():
            newest.setdefault(service, []).extend(calls.take())
        reports = tuple(ServiceReports(service=service, reports=tuple(own)) for service, own in newest.items() if own)
        taken = (reports, tuple(self._attempts), tuple(self._answers))
        self._reports.clear()
        self._attempts, self._answers = [], []
        return taken

    def give_back(self, request: SyncRequest) -> None:
        """Undo a `take` whose delivery failed; newer reports stay."""
        for service in request.reports:
            for report in service.reports:
                if isinstance(report, ApiCallsReport):
                    self._calls[service.service].give_back(report)
                elif isinstance(report, StateReport):
                    self._reports[service.service].setdefault((report.type, report.subject), report)
        self._attempts = [*request.attempts, *self._attempts][-_MAX_ATTEMPTS:]
        self._answers = [*request.answers, *self._answers]
