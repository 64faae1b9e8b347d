"""Figures over a container's services and hosts. Services of tenants that the caller may not see do not count."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, func, select, union_all

from zcbus.control.features.cluster.schemas import (
    ClusterStatistics,
    ExceptionKind,
    ExceptionKindCount,
    StatusCount,
    StatusStatistics,
    StatusStatisticsRequest,
    TypeCount,
)
from zcbus.control.features.container import views as containers
from zcbus.control.platform.principal import Principal
from zcbus.control.store.tables.container import agent, service
from zcbus.control.store.tables.data_source import data_source
from zcbus.control.store.tables.publish import publish_node
from zcbus.control.store.tables.subscribe import channel, customer, master, subscribed_table
from zcbus.model.reduction import Origin
from zcbus.model.reduction.services import Worker, is_stale
from zcbus.model.services import AT_WORK, WITHOUT_PROCESS
from zcbus.model.states import ERROR_STATES, DesiredState, ServiceState

_FIGURES = ("memory_used", "memory_total", "disk_used", "disk_total")


def by_type(connection: Connection, principal: Principal, container_id: str) -> list[TypeCount]:
    """The most first."""
    rows = _counts(connection, _of(principal, container_id), service.c.type)
    return [TypeCount(type=kind, count=count) for kind, count in rows]


def by_status(connection: Connection, principal: Principal, container_id: str) -> list[StatusCount]:
    """The most first."""
    rows = _counts(connection, _of(principal, container_id), service.c.current_state)
    return [StatusCount(status=status, count=count) for status, count in rows]


def by_type_and_status(
    connection: Connection, principal: Principal, request: StatusStatisticsRequest
) -> list[StatusStatistics]:
    """The most first."""
    conditions = [_of(principal, request.containerid)]
    if request.type:
        conditions.append(service.c.type == request.type)
    if isinstance(request.status, ServiceState):
        conditions.append(service.c.current_state == request.status)
    if request.subtypes:
        conditions.append(service.c.id.in_(_services_of_kinds([kind.strip() for kind in request.subtypes.split(",")])))
    if request.customerid:
        conditions.append(service.c.id.in_(_services_of_customer(request.customerid)))
    rows = _counts(connection, and_(*conditions), service.c.type, service.c.current_state)
    return [StatusStatistics(type=kind, status=status, count=count) for kind, status, count in rows]


def exceptions(
    connection: Connection, principal: Principal, container_id: str, now: datetime
) -> list[ExceptionKindCount]:
    """Problems by kind; kinds without any are left out."""
    here = _of(principal, container_id)
    to_run = and_(here, service.c.desired == DesiredState.RUNNING)
    tables = select(func.count(), func.sum(subscribed_table.c.row_errors)).select_from(
        subscribed_table.join(channel, channel.c.id == subscribed_table.c.channel_id).join(
            service, service.c.id == channel.c.service_id
        )
    )
    # Tables whose service ended for good count once, as that service.
    by_themselves = subscribed_table.c.current_origin != Origin.SERVICE
    failed = tables.where(here, subscribed_table.c.current_state.in_(ERROR_STATES), by_themselves)
    counts: dict[ExceptionKind, int] = {
        "host-away": sum(is_stale(row.heartbeat_at, now) for row in _hosts(connection, container_id)),
        "service-abnormal": _count(connection, to_run, service.c.current_state == ServiceState.ABNORMAL),
        "service-waiting": _count(
            connection,
            to_run,
            service.c.worker == Worker.BLOCKED,
            containers.trouble_of(service).is_not(None),
        ),
        "table-error": connection.execute(failed).one()[0],
        "row-error": int(connection.execute(tables.where(here)).one()[1] or 0),
    }
    return [ExceptionKindCount(kind=kind, count=count) for kind, count in counts.items() if count]


def statistics(connection: Connection, principal: Principal, container_id: str, now: datetime) -> ClusterStatistics:
    """The container in one row of figures."""
    hosts = _hosts(connection, container_id)
    online = [row for row in hosts if not is_stale(row.heartbeat_at, now)]
    states = {one.status: one.count for one in by_status(connection, principal, container_id)}
    measured = [row for row in online if row.cpu_percent is not None]
    return ClusterStatistics(
        at=now,
        hosts=len(hosts),
        hosts_online=len(online),
        services=sum(states.values()),
        services_running=sum(states.get(state, 0) for state in AT_WORK),
        services_abnormal=states.get(ServiceState.ABNORMAL, 0),
        services_stopped=sum(states.get(state, 0) for state in WITHOUT_PROCESS),
        cpu_percent=round(sum(row.cpu_percent for row in measured) / len(measured), 1) if measured else None,
        **{name: sum(getattr(row, name) for row in measured) if measured else None for name in _FIGURES},
    )


def _of(principal: Principal, container_id: str) -> ColumnElement[bool]:
    in_container = and_(service.c.container_id == container_id, service.c.removed_at.is_(None))
    return and_(in_container, containers.by_tenant(principal))


def _counts(connection: Connection, condition: ColumnElement[bool], *columns: Any) -> Sequence[Any]:
    statement = select(*columns, func.count()).where(condition).group_by(*columns)
    return connection.execute(statement.order_by(func.count().desc(), *columns)).all()


def _count(connection: Connection, *conditions: ColumnElement[bool]) -> int:
    return connection.execute(select(func.count()).select_from(service).where(*conditions)).scalar_one()


def _hosts(connection: Connection, container_id: str) -> Sequence[Row[Any]]:
    return connection.execute(select(agent).where(agent.c.container_id == container_id)).all()


def _services_of_kinds(kinds: Sequence[str]) -> Any:
    """Those whose database, the source of a publish service or the target of a subscriber, is of one of these kinds."""
    publish = select(publish_node.c.service_id).join(data_source, data_source.c.id == publish_node.c.data_source_id)
    subscribe = (
        select(channel.c.service_id)
        .join(master, master.c.id == channel.c.master_id)
        .join(customer, customer.c.id == master.c.customer_id)
        .join(data_source, data_source.c.id == customer.c.data_source_id)
    )
    to_run = data_source.c.kind.in_(kinds)
    return union_all(publish.where(to_run), subscribe.where(to_run))


def _services_of_customer(customer_id: str) -> Any:
    return (
        select(channel.c.service_id)
        .join(master, master.c.id == channel.c.master_id)
        .where(master.c.customer_id == customer_id)
    )
