"""Records of the home page."""

from datetime import datetime
from typing import Literal

from zcbus.control.features.container.schemas import AgentRecord
from zcbus.control.platform.reasons import ReasonRecord
from zcbus.control.platform.schema import Schema
from zcbus.model.states import LinkState, ServiceState, SyncState


class LinkCount(Schema):
    """`heldUp`: number of these that are to run, but are blocked for a reported reason. `withErrors`: number of the
    others with tables in error or open row errors."""

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
    """`heldUp`: number of these that are to run, but are blocked for a reported reason, such as an unreachable
    database."""

    observed: ServiceState
    services: int
    held_up: int


class ProblemRecord(Schema):
    """A problem to check: a service that does not run as it should, a table in error, a table with refused rows
    (`rowErrors` of them are open), a table with rows that differ from its source (`differences` of them), a silent
    agent.

    `subject` is the service's name, the table as `schema.table`, or the agent's host.
    """

    kind: Literal["service", "table", "row-errors", "differences", "agent"]
    subject: str
    state: str
    link_id: str | None
    task_id: str | None
    link_name: str | None
    reason: ReasonRecord | None
    since: datetime | None
    row_errors: int = 0
    differences: int = 0


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
