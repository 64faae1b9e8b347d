"""Agents' reports about services: their processes, the processes' own reports, ended runs."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection

from zcbus.control.features.container import reported_repository
from zcbus.protocol.reports import Attempt, Beat, ServiceReport, ServiceStatus


def save_statuses(connection: Connection, agent_id: str, statuses: Sequence[ServiceStatus]) -> None:
    """Store an agent's observations of its services' processes."""
    rows = [
        {
            "service_id": status.service,
            "new_observed": status.state.value,
            "new_pid": status.pid,
            "new_started_at": status.started_at,
            "new_restarts": status.restarts,
            "new_next_attempt_at": status.next_attempt_at,
            "new_last_exit": status.last_exit[:100],
            "new_reason": status.reason.model_dump() if status.reason else None,
            "new_observed_at": status.at,
        }
        for status in sorted(statuses, key=lambda status: status.service)
    ]
    reported_repository.save_statuses(connection, agent_id, rows)


def save_service_reports(connection: Connection, agent_id: str, reports: Sequence[tuple[str, ServiceReport]]) -> None:
    """Store services' reports about themselves."""
    rows = [
        {
            "service_id": service_id,
            "new_report_state": report.state,
            "new_report_reason": report.reason.model_dump() if report.reason else None,
            "new_progress": report.progress,
            "new_position": report.position,
            "new_lag_ms": report.lag_ms,
            "new_backlog_bytes": report.backlog_bytes,
            "new_memory_bytes": report.memory_bytes,
            "new_cpu_percent": report.cpu_percent,
            "new_retries": report.retries,
            "new_bus_bytes": report.bus_bytes,
            "new_feed": report.feed.model_dump(mode="json") if report.feed else None,
            "new_traces": report.traces.model_dump(mode="json") if report.traces else None,
            **_beat("came", report.came),
            **_beat("went", report.went),
            "new_reported_at": report.at,
        }
        for service_id, report in sorted(reports, key=lambda pair: pair[0])
    ]
    reported_repository.save_service_reports(connection, agent_id, rows)
    # A service that has not found its position yet still needs what it needed before.
    needs = [
        {"service_id": service_id, "new_needs": dict(report.needs), "new_needs_at": report.at}
        for service_id, report in sorted(reports, key=lambda pair: pair[0])
        if report.needs
    ]
    reported_repository.save_needs(connection, agent_id, needs)


def _beat(stage: str, beat: Beat | None) -> dict[str, Any]:
    return {
        f"new_{stage}_at": beat.at if beat is not None else None,
        f"new_{stage}_ms": beat.took_ms if beat is not None else None,
    }


def save_attempts(connection: Connection, own_services: Iterable[str], attempts: Sequence[Attempt]) -> None:
    """Keep how runs of services ended."""
    own = set(own_services)
    for attempt in attempts:
        if attempt.service in own:
            reported_repository.add_attempt(
                connection,
                attempt.service,
                started_at=attempt.started_at,
                ended_at=attempt.ended_at,
                result=attempt.result[:100],
                reason=attempt.reason.model_dump() if attempt.reason else None,
            )
