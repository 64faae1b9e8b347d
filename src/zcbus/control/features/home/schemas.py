"""Records of the home page."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from zcbus.control.features.container.schemas import AgentRecord
from zcbus.control.platform.reasons import ReasonRecord
from zcbus.control.platform.schema import Schema
from zcbus.model.states import LinkState, ServiceState, SyncState


class LinkCount(Schema):
    """`heldUp`: number of these that are to run, but are blocked for a reported reason. `withErrors`: number of the
    others with tables in error, open row errors, rows that differ or warnings."""

    state: LinkState
    links: int
    held_up: int
    with_errors: int


class TableCount(Schema):
    """`withErrors`: number of these with open row errors, or rows that differ from their source."""

    state: SyncState
    tables: int
    with_errors: int


class ServiceCount(Schema):
    """Services in a state, as all pages show it. `heldUp`: number of these that are to run, but are blocked for a
    reported reason, such as an unreachable database. `observed`: their processes' state by their agents; services that
    differ in it only are counted apart."""

    state: ServiceState
    observed: ServiceState
    services: int
    held_up: int


class ProblemRecord(Schema):
    """A problem to check: a service that does not run as it should, a table in error, a table with refused rows
    (`rowErrors` of them are open), a table with rows that differ from its source (`differences` of them), a
    stream query in error, a link with a warning, a silent agent.

    `subject` is the service's name, the table as `schema.table`, the stream query's name, the link's name, or the
    agent's host. `heldUp`: the service is to work, but `reason` prevents it. `mend`: what an operator may ask for here:
    another try of a table of the link, the start of the service `serviceId`; null: it is mended elsewhere.
    """

    kind: Literal["service", "table", "row-errors", "differences", "computation", "warning", "agent"]
    subject: str
    state: str
    link_id: str | None
    task_id: str | None
    link_name: str | None
    reason: ReasonRecord | None
    since: datetime | None
    held_up: bool = False
    row_errors: int = 0
    differences: int = 0
    mend: Literal["retry", "start"] | None = None
    service_id: str | None = None


class Overview(Schema):
    """Figures over everything the caller may see. `lagMs`: the greatest of all tables; `staleLinks`: links whose agent
    has been silent for more than ten seconds, so that their figures are old. `problems`: the newest first."""

    at: datetime
    links: list[LinkCount]
    stale_links: int
    tables: list[TableCount]
    rows_per_second: float
    lag_ms: int | None
    services: list[ServiceCount]
    agents: list[AgentRecord]
    problems: list[ProblemRecord]
    problems_total: int


class HistoryRequest(Schema):
    """`linkIds`: sync links whose own history is asked for. `utcOffset`: the minutes by which the viewer's clock is
    ahead of UTC; days are divided by its whole hours."""

    link_ids: list[str] = Field(default_factory=list, max_length=50)
    utc_offset: int = Field(default=0, ge=-720, le=840)


class LinkHistory(Schema):
    """`rowsPerSecond`: changes applied, one value for each minute, null where nothing was measured."""

    link_id: str
    rows_per_second: list[float | None]


class DayVolume(Schema):
    """A day that begins at `at`, the last one up to now. Null: nothing was measured."""

    at: datetime
    changes: int | None
    rows_loaded: int | None


class DueJob(Schema):
    """A task plan and when it is due next."""

    id: str
    name: str
    next_at: datetime


class HomeHistory(Schema):
    """`times`: the beginnings of the last hour's minutes, milliseconds since 1970; changes applied per second and the
    highest lag for each, null where nothing was measured. `links`: of those asked for, those the caller may see.
    `days`: the last 14. `plans`: the first that are due; empty without the right to view task plans."""

    times: list[int]
    rows_per_second: list[float | None]
    lag_ms: list[float | None]
    links: list[LinkHistory]
    days: list[DayVolume]
    plans: list[DueJob]
