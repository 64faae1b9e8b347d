"""Links and their tables as they are now: stored settings and last reports, put together in SQL."""

from typing import Any

from sqlalchemy import ColumnElement, FromClause, Select, Subquery, and_, case, func, literal, or_, select

from zcbus.control.store.tables.container import agent, container, service
from zcbus.control.store.tables.data_source import data_source
from zcbus.control.store.tables.publish import publish_node, published_table
from zcbus.control.store.tables.subscribe import channel, customer, subscribed_table
from zcbus.control.store.tables.sync_link import sync_link, sync_task
from zcbus.model.states import DesiredState, LoadMode, PublishState, ServiceState, SyncState

PUBLISH_FAILED = (PublishState.PUBLISH_FAILED, PublishState.NO_PRIMARY_KEY)
_BEFORE_CHANGES = (SyncState.UNINITIALIZED, SyncState.FULL_ALLOWED, SyncState.FULL_RUNNING)
_ON_THE_WAY = (
    SyncState.FULL_ALLOWED,
    SyncState.FULL_RUNNING,
    SyncState.INCREMENTAL_ALLOWED,
    SyncState.INCREMENTAL_RUNNING,
)
_ALIVE = (ServiceState.STARTED, ServiceState.STOPPING)

publish_service = service.alias("publish_service")
subscribe_service = service.alias("subscribe_service")
source = data_source.alias("source")
target = data_source.alias("target")
publish_agent = agent.alias("publish_agent")


def links() -> Select[Any]:
    """Links with both connections, both services, container and task: one row a link."""
    return (
        select(
            sync_link,
            sync_task.c.id.label("task_id"),
            sync_task.c.channel_id,
            channel.c.load_threads,
            container.c.name.label("container_name"),
            publish_node.c.data_source_id.label("source_id"),
            customer.c.data_source_id.label("target_id"),
            source.c.kind.label("source_kind"),
            source.c.options.label("source_options"),
            target.c.kind.label("target_kind"),
            target.c.options.label("target_options"),
            publish_service.c.id.label("publish_service_id"),
            publish_service.c.observed.label("publish_observed"),
            publish_service.c.report_state.label("publish_report_state"),
            _is_pending(publish_service, publish_agent).label("publish_pending"),
            publish_service.c.reason.label("publish_reason"),
            publish_service.c.report_reason.label("publish_report_reason"),
            subscribe_service.c.id.label("subscribe_service_id"),
            subscribe_service.c.observed.label("subscribe_observed"),
            subscribe_service.c.report_state.label("subscribe_report_state"),
            _is_pending(subscribe_service, agent).label("subscribe_pending"),
            subscribe_service.c.reason.label("subscribe_reason"),
            subscribe_service.c.report_reason.label("subscribe_report_reason"),
            agent.c.heartbeat_at.label("agent_seen_at"),
            subscribe_service.c.agent_id.label("agent_id"),
        )
        .join(sync_task, sync_task.c.link_id == sync_link.c.id)
        .join(channel, channel.c.id == sync_task.c.channel_id)
        .join(container, container.c.id == sync_link.c.container_id)
        .join(publish_node, publish_node.c.id == sync_link.c.node_id)
        .join(customer, customer.c.id == sync_link.c.customer_id)
        .join(source, source.c.id == publish_node.c.data_source_id)
        .join(target, target.c.id == customer.c.data_source_id)
        .join(publish_service, publish_service.c.id == publish_node.c.service_id)
        .join(subscribe_service, subscribe_service.c.id == channel.c.service_id)
        .outerjoin(agent, agent.c.id == subscribe_service.c.agent_id)
        .outerjoin(publish_agent, publish_agent.c.id == publish_service.c.agent_id)
    )


def tables() -> Subquery:
    """Tables of links with the state that holds now (`current_state`): one row a table."""
    state = _current_state()
    return (
        select(
            subscribed_table,
            sync_task.c.link_id,
            sync_task.c.id.label("task_id"),
            sync_link.c.tenant_id,
            sync_link.c.name.label("link_name"),
            published_table.c.schema_name.label("source_schema"),
            published_table.c.table_name.label("source_table"),
            published_table.c.state.label("publish_state"),
            published_table.c.reason.label("publish_reason"),
            published_table.c.state_since.label("publish_since"),
            published_table.c.rows_total.label("publish_rows_total"),
            published_table.c.generation.label("published_generation"),
            published_table.c.key_columns.label("published_key_columns"),
            published_table.c.reported_generation.label("publish_reported_generation"),
            state.label("current_state"),
            _is_moving().label("moving"),
            _is_up().label("up"),
        )
        .join(published_table, published_table.c.id == subscribed_table.c.published_table_id)
        .join(channel, channel.c.id == subscribed_table.c.channel_id)
        .join(sync_task, sync_task.c.channel_id == channel.c.id)
        .join(sync_link, sync_link.c.id == sync_task.c.link_id)
        .join(service, service.c.id == channel.c.service_id)
        .subquery("link_table")
    )


def counts_by_state(link_ids: list[str] | None, condition: ColumnElement[bool] | None = None) -> Select[Any]:
    """Per link and state: number of tables, rows per second, greatest lag, newest report."""
    table = tables()
    statement = select(
        table.c.link_id,
        table.c.current_state,
        func.count().label("tables"),
        func.sum(case((table.c.moving, table.c.rows_per_second), else_=0.0)).label("rows_per_second"),
        func.max(table.c.lag_ms).label("lag_ms"),
        func.sum(table.c.rows_loaded).label("rows_loaded"),
        func.sum(func.coalesce(table.c.rows_total, table.c.publish_rows_total, table.c.rows_loaded)).label(
            "rows_total"
        ),
    ).group_by(table.c.link_id, table.c.current_state)
    if link_ids is not None:
        statement = statement.where(table.c.link_id.in_(link_ids))
    return statement


def _is_pending(of: FromClause, by: FromClause) -> ColumnElement[bool]:
    """Whether the agent does not yet follow the newest order of a service, so that what it sees is no answer to it.
    A service that no agent ever had does not wait for one to stand still."""
    return and_(of.c.agent_id.is_not(None), by.c.orders_revision < of.c.revision)


def _current_state() -> ColumnElement[str]:
    reported = subscribed_table.c.state
    reloading = and_(
        subscribed_table.c.reported_generation < subscribed_table.c.generation,
        subscribed_table.c.load_mode != LoadMode.INCREMENTAL,
        subscribed_table.c.reported_at.is_not(None),
    )
    return case(
        (and_(_publish_failed(), reported.in_(_BEFORE_CHANGES)), literal(SyncState.FULL_ERROR.value)),
        (_publish_failed(), literal(SyncState.INCREMENTAL_ERROR.value)),
        (_snapshot_expired(), literal(SyncState.FULL_INFO_EXPIRED.value)),
        (and_(_held_back(), or_(reloading, reported.in_(_ON_THE_WAY))), literal(SyncState.SUSPENDED.value)),
        (reloading, literal(SyncState.FULL_ALLOWED.value)),
        (and_(_not_up(), reported == SyncState.FULL_RUNNING), literal(SyncState.FULL_ALLOWED.value)),
        (and_(_not_up(), reported == SyncState.INCREMENTAL_RUNNING), literal(SyncState.INCREMENTAL_ALLOWED.value)),
        else_=reported,
    )


def _publish_failed() -> ColumnElement[bool]:
    return published_table.c.state.in_(PUBLISH_FAILED)


def _snapshot_expired() -> ColumnElement[bool]:
    return and_(
        published_table.c.state == PublishState.FULL_TOPIC_EXPIRED,
        subscribed_table.c.state.in_(_BEFORE_CHANGES),
        published_table.c.reported_generation == published_table.c.generation,
    )


def _held_back() -> ColumnElement[bool]:
    """Nobody wants the table to move, and the process that moved it is gone."""
    return and_(
        or_(sync_link.c.desired != DesiredState.RUNNING, subscribed_table.c.suspended),
        service.c.observed.not_in(_ALIVE),
    )


def _not_up() -> ColumnElement[bool]:
    """The process that reported the state is not the one that runs now, or none runs."""
    return or_(
        service.c.observed.not_in(_ALIVE),
        service.c.started_at.is_(None),
        subscribed_table.c.reported_at < service.c.started_at,
    )


def _is_up() -> ColumnElement[bool]:
    """Whether the last report is of the process that runs now."""
    return and_(service.c.observed.in_(_ALIVE), subscribed_table.c.reported_at >= service.c.started_at)


def _is_moving() -> ColumnElement[bool]:
    """Whether the last report's rates are of a process that runs."""
    return and_(
        service.c.observed.in_(_ALIVE),
        subscribed_table.c.state.in_((SyncState.FULL_RUNNING, SyncState.INCREMENTAL_RUNNING)),
    )
