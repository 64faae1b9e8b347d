"""Contents of the home page, from links, tables, services and agents."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.container import service as containers
from zcbus.control.features.container.agents import list_agents
from zcbus.control.features.container.schemas import AgentRecord, ServiceRecord
from zcbus.control.features.home.schemas import LinkCount, Overview, ProblemRecord, ServiceCount, TableCount
from zcbus.control.features.stream import views as stream_queries
from zcbus.control.features.subscribe import tables
from zcbus.control.features.sync_link import listing
from zcbus.control.features.sync_link.listing import ListedLink
from zcbus.control.features.sync_link.schemas import LinkRecord
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.reasons import ReasonRecord, ReasonTexts
from zcbus.model.services import ACTIONS, TROUBLED, ServiceAction
from zcbus.model.states import DesiredState, ServiceState, SyncState

SHOWN_PROBLEMS = 20

# A service that starts or stops is on its way; these are not.
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


def overview(connection: Connection, principal: Principal, texts: ReasonTexts, now: datetime) -> Overview:
    """Figures and problems over everything the caller may see."""
    links = listing.all_links(connection, principal, texts, now)
    services = containers.list_services(connection, principal, texts, now)
    # Users at a customer's site do not see the platform's hosts.
    agents = [] if principal.client_remote else list_agents(connection, principal, now)
    failed, failed_total = tables.failed_tables(connection, principal, SHOWN_PROBLEMS)
    refusing = tables.tables_with_row_errors(connection, principal)
    others = [
        *_silent_agents(agents),
        *_troubled_services(services, links),
        *(_row_error_problem(row) for row in refusing),
        *(_difference_problem(row) for row in tables.differing_tables(connection, principal)),
        *_stream_query_problems(connection, principal, texts),
        *(problem for link in links for problem in _link_warnings(link.record)),
    ]
    problems = [*others, *(_table_problem(row, texts) for row in failed)]
    lags = [link.record.lag_ms for link in links if link.record.lag_ms is not None]
    return Overview(
        at=now,
        links=_link_counts(links),
        stale_links=sum(link.record.stale for link in links),
        tables=_table_counts(links),
        rows_per_second=round(sum(link.record.rows_per_second for link in links), 1),
        lag_ms=max(lags) if lags else None,
        services=_service_counts(services),
        agents=agents,
        problems=sorted(problems, key=lambda problem: problem.since or _LONG_AGO, reverse=True)[:SHOWN_PROBLEMS],
        problems_total=len(others) + failed_total,
    )


def _link_counts(links: Sequence[ListedLink]) -> list[LinkCount]:
    counts = Counter(link.record.state for link in links)
    held_up = Counter(link.record.state for link in links if link.record.held_up)
    marred = Counter(link.record.state for link in links if _has_errors(link.record) and not link.record.held_up)
    return [
        LinkCount(state=state, links=count, held_up=held_up[state], with_errors=marred[state])
        for state, count in counts.items()
    ]


def _has_errors(link: LinkRecord) -> bool:
    return bool(link.tables.error or link.tables.row_errors or link.tables.differing or link.warnings)


def _table_counts(links: Sequence[ListedLink]) -> list[TableCount]:
    counts: Counter[SyncState] = Counter()
    marred: Counter[SyncState] = Counter()
    for link in links:
        counts.update(link.figures.tables)
        marred.update(link.figures.tables_with_trouble)
    return [TableCount(state=state, tables=count, with_errors=marred[state]) for state, count in counts.items()]


def _service_counts(services: Sequence[ServiceRecord]) -> list[ServiceCount]:
    counts = Counter((service.state, service.observed) for service in services)
    held_up = Counter((service.state, service.observed) for service in services if service.held_up)
    return [
        ServiceCount(state=state, observed=observed, services=count, held_up=held_up[state, observed])
        for (state, observed), count in counts.items()
    ]


def _silent_agents(agents: Sequence[AgentRecord]) -> list[ProblemRecord]:
    return [
        ProblemRecord(
            kind="agent",
            subject=agent.host,
            state="disconnected",
            link_id=None,
            task_id=None,
            link_name=None,
            reason=None,
            since=agent.heartbeat_at,
        )
        for agent in agents
        if not agent.alive
    ]


def _troubled_services(services: Sequence[ServiceRecord], links: Sequence[ListedLink]) -> list[ProblemRecord]:
    """Services that do not run as they should, and those that wait for something outside."""
    link_of = {service_id: link.record for link in links for service_id in link.service_ids}
    return [
        ProblemRecord(
            kind="service",
            subject=service.service_name,
            state=service.state.value,
            link_id=link_of[service.id].id if service.id in link_of else None,
            task_id=link_of[service.id].task_id if service.id in link_of else None,
            link_name=link_of[service.id].name if service.id in link_of else None,
            reason=service.reason,
            held_up=service.held_up,
            since=_troubled_since(service),
            mend="start" if ServiceAction.START in ACTIONS[service.state] else None,
            service_id=service.id,
        )
        for service in services
        if service.desired is DesiredState.RUNNING and _is_troubled(service)
    ]


def _is_troubled(service: ServiceRecord) -> bool:
    """Whether it needs attention of its own; that its host is silent is a problem of the host."""
    if service.state is ServiceState.NOT_RUNNING:
        # Without a reason it was ordered just now, and a host takes it in its next sync.
        return service.reason is not None
    return service.state in TROUBLED or (service.held_up and not service.stale)


def _troubled_since(service: ServiceRecord) -> datetime | None:
    """Since when it waits or fails, not since when its process runs."""
    since = [moment for moment in (service.report_since, service.state_since) if moment is not None]
    return max(since, default=None)


def _link_warnings(link: LinkRecord) -> list[ProblemRecord]:
    return [
        ProblemRecord(
            kind="warning",
            subject=link.name,
            state=link.state.value,
            link_id=link.id,
            task_id=link.task_id,
            link_name=link.name,
            reason=ReasonRecord(code=f"alert.{one.kind}", text=one.text, remedy=one.remedy, facts={}),
            since=one.since,
        )
        for one in link.warnings
    ]


def _stream_query_problems(connection: Connection, principal: Principal, texts: ReasonTexts) -> list[ProblemRecord]:
    found = []
    for row in stream_queries.failed(connection, principal):
        link = stream_queries.link_of(connection, row.id)
        found.append(
            ProblemRecord(
                kind="computation",
                subject=row.name,
                state=row.current_state,
                link_id=link.id if link is not None else None,
                task_id=None,
                link_name=link.name if link is not None else None,
                reason=texts.record(row.reason),
                since=row.current_since,
            )
        )
    return found


def _table_problem(row: Row[Any], texts: ReasonTexts) -> ProblemRecord:
    return ProblemRecord(
        kind="table",
        subject=f"{row.source_schema}.{row.source_table}",
        state=row.current_state,
        link_id=row.link_id,
        task_id=row.task_id,
        link_name=row.link_name,
        reason=tables.reason_of(row, texts),
        since=row.current_since,
        mend="retry" if row.link_id is not None else None,
    )


def _row_error_problem(row: Row[Any]) -> ProblemRecord:
    return ProblemRecord(
        kind="row-errors",
        subject=f"{row.source_schema}.{row.source_table}",
        state=row.current_state,
        link_id=row.link_id,
        task_id=row.task_id,
        link_name=row.link_name,
        reason=None,
        since=row.row_errors_since,
        row_errors=row.row_errors,
    )


def _difference_problem(row: Row[Any]) -> ProblemRecord:
    return ProblemRecord(
        kind="differences",
        subject=f"{row.source_schema}.{row.source_table}",
        state=row.current_state,
        link_id=row.link_id,
        task_id=row.task_id,
        link_name=row.link_name,
        reason=None,
        since=row.differences_since,
        differences=row.differences,
    )
