"""Links as they are now: stored settings and last reports, put together in SQL."""

from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Select, Subquery, case, func, select

from zcbus.control.features.subscribe.table_state import publish_service, subscribe_service
from zcbus.control.features.subscribe.views import tables
from zcbus.control.store.tables.container import agent, container
from zcbus.control.store.tables.data_source import data_source
from zcbus.control.store.tables.publish import publish_node
from zcbus.control.store.tables.subscribe import channel, customer
from zcbus.control.store.tables.sync_link import sync_link, sync_task
from zcbus.model.states import SyncState

source = data_source.alias("source")
target = data_source.alias("target")


@cache
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
            publish_service.c.worker.label("publish_worker"),
            publish_service.c.removed_at.label("publish_removed_at"),
            publish_service.c.reason.label("publish_reason"),
            publish_service.c.report_reason.label("publish_report_reason"),
            subscribe_service.c.id.label("subscribe_service_id"),
            subscribe_service.c.worker.label("subscribe_worker"),
            subscribe_service.c.removed_at.label("subscribe_removed_at"),
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
    )


def counts_by_state(link_ids: list[str] | None, condition: ColumnElement[bool] | None = None) -> Select[Any]:
    """Per link and state: number of tables, rows per second, greatest lag, open row errors, tables with something wrong
    with their rows, rows."""
    table = tables()
    statement = select(
        table.c.link_id,
        table.c.current_state,
        func.count().label("tables"),
        func.sum(case((table.c.moving, table.c.rows_per_second), else_=0.0)).label("rows_per_second"),
        func.max(table.c.current_lag_ms).label("lag_ms"),
        func.sum(table.c.row_errors).label("row_errors"),
        func.sum(case((table.c.has_trouble, 1), else_=0)).label("tables_with_trouble"),
        func.sum(case((table.c.differences > 0, 1), else_=0)).label("differing"),
        func.min(case((_verifiable(table), table.c.verified_until))).label("verified_until"),
        func.sum(case((_verifiable(table) & table.c.verified_until.is_(None), 1), else_=0)).label("unverified"),
        func.sum(table.c.rows_loaded).label("rows_loaded"),
        func.sum(
            case(
                (table.c.loads, func.coalesce(table.c.rows_total, table.c.publish_rows_total, table.c.rows_loaded)),
                else_=table.c.rows_loaded,
            )
        ).label("rows_total"),
    ).group_by(table.c.link_id, table.c.current_state)
    if link_ids is not None:
        statement = statement.where(table.c.link_id.in_(link_ids))
    return statement


def _verifiable(table: Subquery) -> ColumnElement[bool]:
    """Its changes are applied, and nothing keeps it from being verified."""
    running = table.c.current_state == SyncState.INCREMENTAL_RUNNING
    return running & table.c.verification_reason.is_(None) & table.c.verification_number.is_not(None)
