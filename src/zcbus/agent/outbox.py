"""What the agent has to tell and has not told yet. The newest report of each kind and table is enough."""

from collections import defaultdict

from zcbus.protocol.agent import ServiceReports, SyncRequest
from zcbus.protocol.reports import Attempt, PublishTableReport, Report, SyncTableReport
from zcbus.protocol.requests import Answer

_MAX_ATTEMPTS = 1000


class Outbox:
    """Collects between two syncs. Give back what could not be delivered."""

    def __init__(self) -> None:
        self._reports: dict[str, dict[tuple[str, str], Report]] = defaultdict(dict)
        self._attempts: list[Attempt] = []
        self._answers: list[Answer] = []

    def put_report(self, service: str, report: Report) -> None:
        """Keep a report; it replaces an older one of the same thing."""
        table = report.table if isinstance(report, SyncTableReport | PublishTableReport) else ""
        self._reports[service][(report.type, table)] = report

    def put_attempt(self, attempt: Attempt) -> None:
        """Keep the end of a run; the oldest go when nobody takes them."""
        self._attempts = [*self._attempts, attempt][-_MAX_ATTEMPTS:]

    def put_answer(self, answer: Answer) -> None:
        """Keep an answer."""
        self._answers.append(answer)

    def take(self) -> tuple[tuple[ServiceReports, ...], tuple[Attempt, ...], tuple[Answer, ...]]:
        """Everything collected; the box is empty afterwards."""
        reports = tuple(
            ServiceReports(service=service, reports=tuple(newest.values())) for service, newest in self._reports.items()
        )
        taken = (reports, tuple(self._attempts), tuple(self._answers))
        self._reports.clear()
        self._attempts, self._answers = [], []
        return taken

    def give_back(self, request: SyncRequest) -> None:
        """Undo a `take` whose delivery failed; newer reports stay."""
        for service in request.reports:
            for report in service.reports:
                table = report.table if isinstance(report, SyncTableReport | PublishTableReport) else ""
                self._reports[service.service].setdefault((report.type, table), report)
        self._attempts = [*request.attempts, *self._attempts][-_MAX_ATTEMPTS:]
        self._answers = [*request.answers, *self._answers]
