"""Subscribed tables as they are now: stored settings and last reports, put together in SQL."""

from functools import cache
from typing import Any

from sqlalchemy import Label, Select, Subquery, case, func, select

from zcbus.control.features.subscribe import table_state, verifications
from zcbus.control.features.subscribe.table_state import publish_service, subscribe_service
from zcbus.control.store.change_counts import waiting_changes
from zcbus.control.store.tables.container import agent
from zcbus.control.store.tables.contrast import comparison
from zcbus.control.store.tables.publish import publish_node, published_table
from zcbus.control.store.tables.subscribe import channel, customer, master, subscribed_table
from zcbus.control.store.tables.sync_link import sync_link, sync_task
from zcbus.control.store.tables.verification import verification
from zcbus.model.table_states import FAILED

_COMPARISON = (
    "number",
    "reported_number",
    "stopped",
    "method",
    "columns",
    "rounds",
    "state",
    "reason",
    "rows_total",
    "rows_compared",
    "missing",
    "extra",
    "different",
    "unsettled",
    "not_checked",
    "repair",
    "reported_repair",
    "repair_state",
    "repair_reason",
    "repaired",
    "finished_at",
)


def comparison_columns() -> list[Label[Any]]:
    """Of the table's comparison, with `comparison_` in front; NULL: it was never compared."""
    return [comparison.c[name].label(f"comparison_{name}") for name in _COMPARISON]


def _left(name: str) -> Label[int]:
    """How many failing changes are still skipped: as reported, or all where the count is newer than the report."""
    columns = subscribed_table.c
    is_known = columns.reported_skip_revision == columns.skip_revision
    return case((is_known, columns[f"{name}_left"]), else_=columns[name]).label(f"current_{name}")


@cache  # building it takes as long as what is asked of it
def tables() -> Subquery:
    """Subscribed tables with the stored state that is shown (`current_state`): one row a table. `link_id` and `task_id`
    are NULL without a sync link; `link_name` is then its customer's name."""
    return (
        select(
            subscribed_table,
            sync_task.c.link_id,
            sync_task.c.id.label("task_id"),
            func.coalesce(sync_link.c.name, customer.c.name).label("link_name"),
            customer.c.tenant_id,
            customer.c.client_type,
            customer.c.id.label("customer_id"),
            customer.c.name.label("customer_name"),
            master.c.id.label("master_id"),
            master.c.name.label("master_name"),
            master.c.load_type,
            channel.c.name.label("channel_name"),
            channel.c.load_threads,
            publish_node.c.id.label("node_id"),
            publish_node.c.name.label("node_name"),
            publish_service.c.id.label("publish_service_id"),
            subscribe_service.c.id.label("subscribe_service_id"),
            agent.c.heartbeat_at.label("agent_seen_at"),
            *comparison_columns(),
            *verifications.columns(),
            published_table.c.schema_name.label("source_schema"),
            published_table.c.table_name.label("source_table"),
            published_table.c.state.label("publish_state"),
            published_table.c.reason.label("publish_reason"),
            published_table.c.state_since.label("publish_since"),
            published_table.c.rows_total.label("publish_rows_total"),
            published_table.c.generation.label("published_generation"),
            published_table.c.gap.label("published_gap"),
            published_table.c.expires_at.label("full_expires_at"),
            published_table.c.key_columns.label("published_key_columns"),
            published_table.c.append_only.label("published_append_only"),
            published_table.c.reported_generation.label("publish_reported_generation"),
            table_state.current_lag().label("current_lag_ms"),
            table_state.silent_since().label("silent_since"),
            waiting_changes().label("changes_waiting"),
            publish_node.c.retention_hours,
            _left("dml_skip"),
            _left("ddl_skip"),
            table_state.loads().label("loads"),
            table_state.is_moving().label("moving"),
            table_state.trouble().label("trouble"),
            table_state.worker_ended().label("worker_ended"),
        )
        .join(published_table, published_table.c.id == subscribed_table.c.published_table_id)
        .join(channel, channel.c.id == subscribed_table.c.channel_id)
        .join(master, master.c.id == channel.c.master_id)
        .join(customer, customer.c.id == master.c.customer_id)
        .join(subscribe_service, subscribe_service.c.id == channel.c.service_id)
        .join(publish_node, publish_node.c.id == master.c.node_id)
        .join(publish_service, publish_service.c.id == publish_node.c.service_id)
        .outerjoin(comparison, comparison.c.table_id == subscribed_table.c.id)
        .outerjoin(verification, verification.c.table_id == subscribed_table.c.id)
        .outerjoin(sync_task, sync_task.c.channel_id == channel.c.id)
        .outerjoin(sync_link, sync_link.c.id == sync_task.c.link_id)
        .outerjoin(agent, agent.c.id == subscribe_service.c.agent_id)
        .subquery("subscribed")
    )


def channel_figures() -> Select[Any]:
    """Per channel: number of tables and of those in error, rows per second, greatest lag."""
    table = tables()
    return select(
        table.c.channel_id,
        func.count().label("tables"),
        func.sum(case((table.c.current_state.in_(sorted(FAILED)), 1), else_=0)).label("failed"),
        func.sum(case((table.c.moving, table.c.rows_per_second), else_=0.0)).label("rows_per_second"),
        func.max(table.c.current_lag_ms).label("lag_ms"),
        func.max(table.c.node_id).label("node_id"),
    ).group_by(table.c.channel_id)
