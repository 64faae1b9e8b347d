"""Rules of services: placement, desired state, observed state."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.container import reported_repository, repository, views
from zcbus.control.features.container.errors import ContainerUnknownError
from zcbus.control.features.container.schemas import AttemptRecord, JsonExportRecord, ServiceRecord
from zcbus.control.platform.agent_requests import Destination, NoAgentError
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.reasons import ReasonRecord, ReasonTexts
from zcbus.model.reduction.services import is_held_up, is_stale
from zcbus.model.services import AT_REST, BLOCKED_OR_DOWN
from zcbus.model.states import DesiredState, ServiceState
from zcbus.protocol.base import Reason


def effective_reason(row: Row[Any], texts: ReasonTexts, now: datetime) -> ReasonRecord | None:
    """Why a service is in its state: the silence of its host where a process may or should run, or that no host took
    it in the time of many syncs, else the last reported reason. `row` is one of `select_services`."""
    if row.current_state == ServiceState.NOT_RUNNING and is_stale(row.current_since, now):
        return texts.record(Reason(code="not-taken", facts={"container": row.container_name}))
    settled = row.desired != DesiredState.RUNNING and row.observed in AT_REST and row.agent_revision == row.revision
    if row.agent_id is not None and not settled and is_stale(row.agent_seen_at, now):
        facts = {"host": row.agent_host, "since": f"{row.agent_seen_at:%Y-%m-%d %H:%M:%S} UTC"}
        return texts.record(Reason(code="host-silent", facts=facts))
    return texts.record(row.reason) or texts.record(row.report_reason)


def reported_reason(row: Row[Any], texts: ReasonTexts) -> ReasonRecord | None:
    """Why a node or a channel is not at work, as its agent or else its service reported; its host's silence is shown
    apart. `row`: with `current_state`, `service_reason` and `report_reason`."""
    return texts.record(row.service_reason or row.report_reason) if row.current_state in BLOCKED_OR_DOWN else None


def find_destination(connection: Connection, principal: Principal, name: str | None = None) -> Destination:
    """A container the caller may use: the one named, else the oldest. Raises ContainerUnknownError."""
    for row in repository.select_containers(connection, principal):
        if name is None or row.name == name:
            return Destination(row.id, row.name)
    raise ContainerUnknownError(name=name or "-")


def find_container(connection: Connection, container_id: str) -> Row[Any]:
    """A container's row; there is one."""
    return repository.find_container(connection, container_id)


def find_usable(connection: Connection, principal: Principal, container_id: str) -> Row[Any]:
    """A container that the caller may use. Raises ContainerUnknownError."""
    for row in repository.select_containers(connection, principal):
        if row.id == container_id:
            return row
    raise ContainerUnknownError(name=container_id)


def usable_ids(connection: Connection, principal: Principal) -> list[str]:
    """Ids of the containers that the caller may use."""
    return [row.id for row in repository.select_containers(connection, principal)]


def create_container(connection: Connection, **values: Any) -> str | None:
    """Create a container; returns its id, None where its name is taken."""
    if repository.find_container_by_name(connection, values["name"]) is not None:
        return None
    return repository.insert_container(connection, **values)


def revision_of(connection: Connection, container_id: str) -> int:
    """Grows with every change of a container's orders."""
    return repository.revision_of(connection, container_id)


def create_service(
    connection: Connection,
    *,
    tenant_id: str,
    container_id: str,
    kind: str,
    name: str,
    now: datetime,
    removed_at: datetime | None = None,
) -> str:
    """Create a service, stopped at first. `removed_at`: no container runs it yet."""
    return repository.insert_service(
        connection,
        tenant_id=tenant_id,
        container_id=container_id,
        type=kind,
        name=name,
        desired=DesiredState.STOPPED,
        removed_at=removed_at,
        created_at=now,
    )


def set_desired(
    connection: Connection, service_ids: Iterable[str], desired: DesiredState, *, forced: bool = False
) -> None:
    """Order services to run or to stop. The caller notifies the agents."""
    repository.order(connection, service_ids, {"desired": desired, "forced": forced})


def lock_services(connection: Connection, service_ids: Iterable[str]) -> None:
    """Keep others from changing services until this transaction ends."""
    repository.lock_services(connection, service_ids)


def order_services(connection: Connection, service_ids: Sequence[str], values: Mapping[str, Any]) -> None:
    """Change the desired state of services. The caller notifies the agents."""
    repository.order(connection, service_ids, values)


def assign_services(connection: Connection, service_ids: Sequence[str], agent_id: str, now: datetime) -> None:
    """Assign services that surely no host runs to an agent; agents are notified."""
    repository.give(connection, service_ids, agent_id, now)


def void_reports(connection: Connection, service_ids: Iterable[str]) -> None:
    """Void reports of services whose task is about to change. The caller notifies the agents."""
    repository.order(connection, service_ids, {})


def restart(connection: Connection, service_ids: Iterable[str], *, forced: bool = False) -> None:
    """Order a restart, also of services that could not start; `forced` does not wait for draining. The caller notifies
    the agents."""
    repository.request_restart(connection, service_ids, forced)


def note_backlog(connection: Connection, service_id: str, size_bytes: int | None) -> None:
    """Store the size of the log that a source retains for a stopped service, which cannot report it."""
    reported_repository.set_backlog(connection, service_id, size_bytes)


def remove_services(connection: Connection, service_ids: Iterable[str]) -> None:
    """Delete services, and notify the agents of their containers, which stop services without orders.

    Containers are locked after services, as everywhere: two changes then never wait for each other.
    """
    container_ids = repository.containers_of(connection, service_ids)
    repository.delete_services(connection, service_ids)
    for container_id in container_ids:
        repository.bump_revision(connection, container_id)


def notify_container(connection: Connection, container_id: str) -> None:
    """Notify the container's agents of changed orders."""
    repository.bump_revision(connection, container_id)


def notify_services(connection: Connection, service_ids: Iterable[str]) -> None:
    """Notify the agents of the services' containers of changed orders."""
    for container_id in repository.containers_of(connection, service_ids):
        repository.bump_revision(connection, container_id)


def find_service(connection: Connection, principal: Principal, service_id: str) -> Row[Any]:
    """A service of a tenant the caller may see. Raises RecordNotFoundError."""
    rows = repository.select_services(connection, views.by_tenant(principal) & repository.by_ids([service_id]))
    if not rows:
        raise RecordNotFoundError(kind="service", id=service_id)
    return rows[0]


def destination_of_service(connection: Connection, service_id: str) -> Destination:
    """The agent that has a service. Raises RecordNotFoundError, NoAgentError."""
    rows = repository.select_services(connection, repository.by_ids([service_id]))
    if not rows:
        raise RecordNotFoundError(kind="service", id=service_id)
    if rows[0].agent_id is None:
        raise NoAgentError(container=rows[0].container_name, seconds=0)
    return Destination(rows[0].container_id, rows[0].container_name, rows[0].agent_id)


def list_services(
    connection: Connection, principal: Principal, texts: ReasonTexts, now: datetime, ids: Sequence[str] | None = None
) -> list[ServiceRecord]:
    """The caller's services with their last runs; `ids`: only these."""
    condition = views.by_tenant(principal)
    if ids is not None:
        condition = condition & repository.by_ids(ids)
    rows = repository.select_services(connection, condition)
    attempts: dict[str, list[AttemptRecord]] = {row.id: [] for row in rows}
    for attempt in reported_repository.select_attempts(connection, attempts):
        attempts[attempt.service_id].append(
            AttemptRecord(
                started_at=attempt.started_at,
                ended_at=attempt.ended_at,
                result=attempt.result,
                reason=texts.record(attempt.reason),
            )
        )
    return [_service_record(row, texts, now, attempts[row.id]) for row in rows]


def _json_export_record(feed: Any, texts: ReasonTexts) -> JsonExportRecord | None:
    if feed is None:
        return None
    known = {name: value for name, value in feed.items() if name in JsonExportRecord.model_fields}
    return JsonExportRecord(**{**known, "reason": texts.record(feed["reason"])})


def _service_record(row: Row[Any], texts: ReasonTexts, now: datetime, attempts: list[AttemptRecord]) -> ServiceRecord:
    reason = effective_reason(row, texts, now)
    return ServiceRecord(
        id=row.id,
        service_name=row.name,
        container_id=row.container_id,
        container_name=row.container_name,
        type=row.type,
        desired=row.desired,
        observed=row.observed,
        observed_since=row.observed_since,
        state=row.current_state,
        state_since=row.current_since,
        held_up=is_held_up(row.current_state, reason),
        stale=is_stale(row.agent_seen_at, now),
        agent_host=row.agent_host,
        agent_seen_at=row.agent_seen_at,
        pid=row.pid,
        started_at=row.started_at,
        restarts=row.restarts,
        next_attempt_at=row.next_attempt_at,
        last_exit=row.last_exit,
        reason=reason,
        report_state=row.report_state,
        report_since=row.report_since,
        progress=row.progress,
        progress_at=row.progress_at,
        position=row.position,
        lag_ms=row.lag_ms,
        backlog_bytes=row.backlog_bytes,
        memory_bytes=row.memory_bytes,
        feed=_json_export_record(row.feed, texts),
        reported_at=row.reported_at,
        attempts=attempts,
    )
