"""Both sides of each topic as last reported, from the store."""

from typing import Any

from sqlalchemy import ColumnElement, Select, case, func, literal, select

from zcbus.control.features.reconciliation.schemas import TopicFlowGrouping, TopicFlowPageRequest, TopicFlowState
from zcbus.control.platform.principal import Principal
from zcbus.control.store.change_counts import is_comparable, waiting_changes
from zcbus.control.store.search import any_named
from zcbus.control.store.tables.publish import publish_node, published_table
from zcbus.control.store.tables.subscribe import channel, customer, master, subscribed_table
from zcbus.control.store.tables.sync_link import sync_link, sync_task

STATES = tuple(TopicFlowState)
"""By rank: the better ones first."""
_OF_CHANNEL = ("topic", "subscriber", "channel", "node_id", "link_id", "task_id", "customer_id", "client_type")


def flows(principal: Principal, request: TopicFlowPageRequest) -> Select[Any]:
    """Channels or tables that the caller may see, with their state as `rank`."""
    table = _tables(principal).subquery("flow")
    if request.search.strip():
        names = [table.c[name] for name in ("topic", "subscriber", "channel", "source", "target")]
        table = select(table).where(any_named(names, request.search)).subquery("found")
    found = select(table) if request.by is TopicFlowGrouping.TABLE else _by_channel(table)
    if request.state is None:
        return found
    grouped = found.subquery("grouped")
    return select(grouped).where(grouped.c.rank == STATES.index(request.state))


def one(principal: Principal, by: TopicFlowGrouping, flow_id: str) -> Select[Any]:
    """One of them by its id."""
    found = flows(principal, TopicFlowPageRequest(by=by, search="")).subquery("one")
    return select(found).where(found.c.id == flow_id)


def _tables(principal: Principal) -> Select[Any]:
    table = subscribed_table.c
    columns: tuple[ColumnElement[Any], ...] = (
        table.id,
        table.channel_id,
        publish_node.c.id.label("node_id"),
        publish_node.c.name.label("topic"),
        func.coalesce(sync_link.c.name, customer.c.name).label("subscriber"),
        channel.c.name.label("channel"),
        (published_table.c.schema_name + "." + published_table.c.table_name).label("source"),
        (table.target_schema + "." + table.target_table).label("target"),
        sync_task.c.link_id.label("link_id"),
        sync_task.c.id.label("task_id"),
        customer.c.id.label("customer_id"),
        customer.c.client_type.label("client_type"),
        waiting_changes().label("waiting"),
        table.changes_difference.label("difference"),
        table.row_errors.label("row_errors"),
        table.changes_compared_at.label("compared_at"),
        _rank().label("rank"),
        literal(1).label("tables"),
    )
    return (
        select(*columns)
        .select_from(subscribed_table)
        .join(published_table, published_table.c.id == table.published_table_id)
        .join(channel, channel.c.id == table.channel_id)
        .join(master, master.c.id == channel.c.master_id)
        .join(customer, customer.c.id == master.c.customer_id)
        .join(publish_node, publish_node.c.id == master.c.node_id)
        .outerjoin(sync_task, sync_task.c.channel_id == channel.c.id)
        .outerjoin(sync_link, sync_link.c.id == sync_task.c.link_id)
        .where(principal.visible(customer.c.tenant_id))
    )


def _rank() -> ColumnElement[int]:
    table, ranks = subscribed_table.c, {state: rank for rank, state in enumerate(STATES)}
    return case(
        (table.changes_difference != 0, ranks[TopicFlowState.DIFFERENCE]),
        (table.changes_handled.is_(None), ranks[TopicFlowState.NOT_COUNTED]),
        (~table.is_up, ranks[TopicFlowState.SILENT]),
        (~func.coalesce(is_comparable(), False), ranks[TopicFlowState.NOT_COMPARED]),
        (waiting_changes() > 0, ranks[TopicFlowState.WAITING]),
        else_=ranks[TopicFlowState.RECONCILED],
    )


def _by_channel(table: Any) -> Select[Any]:
    column = table.c
    return select(
        column.channel_id.label("id"),
        *(func.max(column[name]).label(name) for name in _OF_CHANNEL),
        literal("").label("source"),
        literal("").label("target"),
        func.count().label("tables"),
        func.sum(column.waiting).label("waiting"),
        func.sum(column.difference).label("difference"),
        func.sum(column.row_errors).label("row_errors"),
        func.max(column.compared_at).label("compared_at"),
        func.max(column.rank).label("rank"),
    ).group_by(column.channel_id)
