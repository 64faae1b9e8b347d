"""What the agent has to tell and has not told yet. The newest report of each kind and table is enough."""

from collections import defaultdict
from collections.abc import Callable

from zcbus.agent.call_box import CallBox
from zcbus.protocol.agent import ServiceReports, SyncRequest
from zcbus.protocol.answers import Answer
from zcbus.protocol.data_service import ApiCallsReport
from zcbus.protocol.reports import Attempt, Report, StateReport

_MAX_ATTEMPTS = 1000


class Outbox:
    """Collects between two syncs. Give back what could not be delivered."""

    def __init__(self, on_news: Callable[[], None] = lambda: None) -> None:
        """`on_news` is called when something came that somebody may be waiting for: not for mere figures."""
        self._on_news = on_news
        self._seen: dict[tuple[str, str, str], tuple[str, str]] = {}
        self._reports: dict[str, dict[tuple[str, str], StateReport]] = defaultdict(dict)
        self._calls: dict[str, CallBox] = defaultdict(CallBox)
        self._attempts: list[Attempt] = []
        self._answers: list[Answer] = []

    def put_report(self, service: str, report: Report) -> None:
        """Keep a report; it replaces an older one of the same thing. Calls add up."""
        if isinstance(report, ApiCallsReport):
            self._calls[service].put(report)
        elif isinstance(report, StateReport):
            self._put_state(service, report)

    def _put_state(self, service: str, report: StateReport) -> None:
        self._reports[service][(report.type, report.subject)] = report
        state = (report.state, report.reason.code if report.reason else "")
        if self._seen.get((service, report.type, report.subject)) != state:
            self._seen[(service, report.type, report.subject)] = state
            self._on_news()

    def put_attempt(self, attempt: Attempt) -> None:
        """Keep the end of a run; the oldest go when nobody takes them."""
        self._attempts = [*self._attempts, attempt][-_MAX_ATTEMPTS:]
        self._on_news()

    def put_answer(self, answer: Answer) -> None:
        """Keep an answer."""
        self._answers.append(answer)
        self._on_news()

    def take(self) -> tuple[tuple[ServiceReports, ...], tuple[Attempt, ...], tuple[Answer, ...]]:
        """Everything collected; the box is empty afterwards."""
        kept: dict[str, list[Report]] = {service: list(newest.values()) for service, newest in self._reports.items()}
        for service, calls in self._calls.items():
            kept.setdefault(service, []).extend(calls.take())
        reports = tuple(ServiceReports(service=service, reports=tuple(own)) for service, own in kept.items() if own)
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
