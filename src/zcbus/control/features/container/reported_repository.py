"""Queries over reports of agents and services."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, bindparam, case, delete, select, update

from zcbus.control.store.columns import JsonDocument, UtcTimestamp
from zcbus.control.store.tables.container import service, service_attempt
from zcbus.kit.ids import new_id

KEPT_ATTEMPTS = 50


def save_statuses(connection: Connection, agent_id: str, statuses: Sequence[Mapping[str, Any]]) -> None:
    """Store an agent's observations of its services' processes, one statement for all. Keys are prefixed with
    `new_`."""
    if not statuses:
        return
    unchanged = service.c.observed == bindparam("new_observed")
    statement = (
        update(service)
        .where(service.c.id == bindparam("service_id"), service.c.agent_id == agent_id)
        .values(
            observed=bindparam("new_observed"),
            observed_since=case(
                (unchanged, service.c.observed_since), else_=bindparam("new_observed_at", type_=UtcTimestamp())
            ),
            pid=bindparam("new_pid"),
            started_at=bindparam("new_started_at"),
            restarts=bindparam("new_restarts"),
            next_attempt_at=bindparam("new_next_attempt_at"),
            last_exit=bindparam("new_last_exit"),
            reason=bindparam("new_reason"),
            observed_at=bindparam("new_observed_at", type_=UtcTimestamp()),
        )
    )
    connection.execute(statement, list(statuses))


def save_service_reports(connection: Connection, agent_id: str, reports: Sequence[Mapping[str, Any]]) -> None:
    """Store services' reports about themselves, one statement for all. Keys are prefixed with `new_`."""
    if not reports:
        return
    unchanged = service.c.progress == bindparam("new_progress")
    same_state = service.c.report_state == bindparam("new_report_state")
    statement = (
        update(service)
        .where(service.c.id == bindparam("service_id"), service.c.agent_id == agent_id)
        .values(
            report_state=bindparam("new_report_state"),
            report_since=case(
                (same_state, service.c.report_since), else_=bindparam("new_reported_at", type_=UtcTimestamp())
            ),
            report_reason=bindparam("new_report_reason"),
            progress=bindparam("new_progress"),
            progress_at=case(
                (unchanged, service.c.progress_at), else_=bindparam("new_reported_at", type_=UtcTimestamp())
            ),
            position=bindparam("new_position"),
            lag_ms=bindparam("new_lag_ms"),
            backlog_bytes=bindparam("new_backlog_bytes"),
            memory_bytes=bindparam("new_memory_bytes"),
            cpu_percent=bindparam("new_cpu_percent"),
            retries=bindparam("new_retries"),
            bus_bytes=bindparam("new_bus_bytes"),
            feed=bindparam("new_feed"),
            traces=bindparam("new_traces"),
            came_at=bindparam("new_came_at", type_=UtcTimestamp()),
            came_ms=bindparam("new_came_ms"),
            went_at=bindparam("new_went_at", type_=UtcTimestamp()),
            went_ms=bindparam("new_went_ms"),
            reported_at=bindparam("new_reported_at", type_=UtcTimestamp()),
        )
    )
    connection.execute(statement, list(reports))


def save_needs(connection: Connection, agent_id: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Store what services need of real topics, one statement for all. Keys are prefixed with `new_`."""
    if not rows:
        return
    statement = (
        update(service)
        .where(service.c.id == bindparam("service_id"), service.c.agent_id == agent_id)
        .values(
            needs=bindparam("new_needs", type_=JsonDocument()),
            needs_at=bindparam("new_needs_at", type_=UtcTimestamp()),
        )
    )
    connection.execute(statement, list(rows))


def set_backlog(connection: Connection, service_id: str, size_bytes: int | None) -> None:
    connection.execute(update(service).where(service.c.id == service_id).values(backlog_bytes=size_bytes))


def add_attempt(connection: Connection, service_id: str, **values: Any) -> None:
    """Keep the end of a run unless it is known already; the oldest go beyond KEPT_ATTEMPTS."""
    known = select(service_attempt.c.id).where(
        service_attempt.c.service_id == service_id, service_attempt.c.started_at == values["started_at"]
    )
    if connection.execute(known).first() is None:
        connection.execute(service_attempt.insert().values(id=new_id(), service_id=service_id, **values))
        connection.execute(update(service).where(service.c.id == service_id).values(has_run=True))
        _remove_old_attempts(connection, service_id)


def _remove_old_attempts(connection: Connection, service_id: str) -> None:
    oldest_kept = (
        select(service_attempt.c.started_at)
        .where(service_attempt.c.service_id == service_id)
        .order_by(service_attempt.c.started_at.desc())
        .offset(KEPT_ATTEMPTS)
        .limit(1)
    )
    limit = connection.execute(oldest_kept).scalar()
    if limit is not None:
        connection.execute(
            delete(service_attempt).where(
                service_attempt.c.service_id == service_id, service_attempt.c.started_at <= limit
            )
        )


def select_attempts(connection: Connection, service_ids: Iterable[str]) -> Sequence[Row[Any]]:
    """The newest first."""
    return connection.execute(
        select(service_attempt)
        .where(service_attempt.c.service_id.in_(list(service_ids)))
        .order_by(service_attempt.c.started_at.desc())
    ).all()
