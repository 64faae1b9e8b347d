"""Publish nodes and their tables as they are now: settings, last reports and stored states, put together in SQL."""

from typing import Any

from sqlalchemy import ColumnElement, Select, Subquery, and_, case, func, select, union

from zcbus.control.platform.principal import Principal
from zcbus.control.store.tables.container import agent, container, service
from zcbus.control.store.tables.data_source import data_source
from zcbus.control.store.tables.publish import publish_node, published_table
from zcbus.control.store.tables.stream import computation, computation_input
from zcbus.control.store.tables.subscribe import master, subscribed_table
from zcbus.control.store.tables.sync_link import sync_link
from zcbus.model.reduction import Origin
from zcbus.model.reduction.published_tables import FAILED, WAITING
from zcbus.model.reduction.services import Worker
from zcbus.model.states import PublishState


def tables() -> Select[Any]:
    """Published tables with their service's reason where it keeps them from being published (`deserted`)."""
    computed = (
        select(func.count())
        .where(computation_input.c.published_table_id == published_table.c.id)
        .correlate(published_table)
        .scalar_subquery()
    )
    subscribers = (
        select(func.count())
        .where(subscribed_table.c.published_table_id == published_table.c.id)
        .correlate(published_table)
        .scalar_subquery()
    ) + computed
    deserted = and_(
        published_table.c.current_state == PublishState.PUBLISH_FAILED,
        published_table.c.current_origin == Origin.SERVICE,
    )
    return (
        select(
            published_table,
            deserted.label("deserted"),
            case((deserted, service.c.reason), else_=published_table.c.reason).label("current_reason"),
            subscribers.label("subscribers"),
            computed.label("computed"),
            case((service.c.worker == Worker.WORKING, published_table.c.delay_ms)).label("current_delay_ms"),
        )
        .join(publish_node, publish_node.c.id == published_table.c.node_id)
        .join(service, service.c.id == publish_node.c.service_id)
    )


def nodes(principal: Principal) -> Select[Any]:
    """The caller's publish nodes with connection, service, container, link and figures: one row a node."""
    counts, subscribers = _counts(), _subscribers()
    return (
        select(
            publish_node,
            data_source.c.kind,
            data_source.c.options,
            container.c.id.label("container_id"),
            container.c.name.label("container_name"),
            service.c.desired,
            service.c.agent_id,
            service.c.reason.label("service_reason"),
            service.c.report_reason,
            service.c.lag_ms,
            service.c.backlog_bytes,
            service.c.current_state,
            service.c.current_since,
            service.c.worker,
            agent.c.heartbeat_at.label("agent_seen_at"),
            sync_link.c.id.label("link_id"),
            sync_link.c.name.label("link_name"),
            *(func.coalesce(counts.c[name], 0).label(name) for name in _GROUPS),
            func.coalesce(subscribers.c.subscribers, 0).label("subscribers"),
        )
        .join(data_source, data_source.c.id == publish_node.c.data_source_id)
        .join(service, service.c.id == publish_node.c.service_id)
        .join(container, container.c.id == service.c.container_id)
        .outerjoin(agent, agent.c.id == service.c.agent_id)
        .outerjoin(sync_link, sync_link.c.node_id == publish_node.c.id)
        .outerjoin(counts, counts.c.node_id == publish_node.c.id)
        .outerjoin(subscribers, subscribers.c.node_id == publish_node.c.id)
        .where(principal.visible(publish_node.c.tenant_id))
    )


_GROUPS = ("total", "releasing", "publishing", "waiting", "failed")


def _counts() -> Subquery:
    """Per node: number of tables by state."""
    table = tables().subquery("counted_table")
    state = table.c.current_state
    return (
        select(
            table.c.node_id,
            func.count().label("total"),
            _number(state == PublishState.INCREMENTAL_RELEASE).label("releasing"),
            _number(state == PublishState.PUBLISHING).label("publishing"),
            _number(state.in_(sorted(WAITING))).label("waiting"),
            _number(state.in_(sorted(FAILED))).label("failed"),
        )
        .group_by(table.c.node_id)
        .subquery("table_counts")
    )


def _number(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.sum(case((condition, 1), else_=0))


def _subscribers() -> Subquery:
    """Per node: number of customers that receive from it, or compute over it."""
    computing = (
        select(published_table.c.node_id, computation.c.customer_id)
        .join(computation_input, computation_input.c.published_table_id == published_table.c.id)
        .join(computation, computation.c.id == computation_input.c.computation_id)
    )
    both = union(select(master.c.node_id, master.c.customer_id), computing).subquery("receiving")
    return (
        select(both.c.node_id, func.count().label("subscribers")).group_by(both.c.node_id).subquery("node_subscribers")
    )
