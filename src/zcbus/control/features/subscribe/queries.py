"""Customers, their databases, masters and channels as they are now. Each query hides other tenants' rows."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    String,
    Subquery,
    Table,
    case,
    cast,
    func,
    select,
)

from zcbus.control.features.subscribe import views
from zcbus.control.features.subscribe.client_types import reached
from zcbus.control.platform.principal import Principal
from zcbus.control.store.tables.container import agent, container, service
from zcbus.control.store.tables.data_source import data_source
from zcbus.control.store.tables.policy import strategy, strategy_customer
from zcbus.control.store.tables.publish import publish_node
from zcbus.control.store.tables.stream import computation
from zcbus.control.store.tables.subscribe import channel, customer, customer_database, master, subscribed_table
from zcbus.control.store.tables.sync_link import sync_link
from zcbus.model.states import SyncState
from zcbus.model.table_states import FAILED, WAITING

GROUPS = ("total", "loading", "running", "finished", "suspended", "error", "waiting", "row_errors", "differing")
_link = sync_link.alias("own_link")
_source = data_source.alias("source")
_target = data_source.alias("target")


def customers(principal: Principal) -> Select[Any]:
    """One row a customer."""
    counts = _counts("customer_id")
    return (
        select(
            customer,
            _number(customer_database.c.customer_id == customer.c.id, of=customer_database, outer=customer).label(
                "databases"
            ),
            (
                _number(master.c.customer_id == customer.c.id, of=master, outer=customer)
                + _number(computation.c.customer_id == customer.c.id, of=computation, outer=customer)
            ).label("masters"),
            _channels_of_customer().label("channels"),
            *_counted(counts),
            *_link_columns(),
        )
        .outerjoin(counts, counts.c.customer_id == customer.c.id)
        .outerjoin(_link, _link.c.customer_id == customer.c.id)
        .where(reached(principal, customer.c.tenant_id, customer.c.client_type))
    )


def databases(principal: Principal) -> Select[Any]:
    """One row a database of a customer."""
    return (
        select(
            customer_database,
            customer.c.tenant_id,
            customer.c.client_type,
            customer.c.name.label("customer_name"),
            customer.c.data_source_id.label("first_id"),
            data_source.c.kind,
            data_source.c.options,
            (
                _masters_of_database()
                + _number(computation.c.database_id == customer_database.c.id, of=computation, outer=customer_database)
            ).label("masters"),
            *_link_columns(),
        )
        .join(customer, customer.c.id == customer_database.c.customer_id)
        .join(data_source, data_source.c.id == customer_database.c.data_source_id)
        .outerjoin(_link, _link.c.customer_id == customer.c.id)
        .where(reached(principal, customer.c.tenant_id, customer.c.client_type))
    )


def masters(principal: Principal) -> Select[Any]:
    """One row a master, with its source and its target."""
    counts = _counts("master_id")
    return (
        select(
            master,
            customer.c.tenant_id,
            customer.c.client_type,
            customer.c.name.label("customer_name"),
            publish_node.c.name.label("node_name"),
            publish_node.c.data_source_id.label("source_id"),
            _source.c.kind.label("source_kind"),
            customer_database.c.id.label("database_id"),
            _target.c.id.label("target_id"),
            _target.c.kind.label("target_kind"),
            _target.c.options.label("target_options"),
            container.c.id.label("container_id"),
            container.c.name.label("container_name"),
            service.c.agent_id.label("agent_id"),
            agent.c.heartbeat_at.label("agent_seen_at"),
            _number(channel.c.master_id == master.c.id, of=channel, outer=master).label("channels"),
            *_counted(counts),
            *_link_columns(),
        )
        .join(customer, customer.c.id == master.c.customer_id)
        .join(publish_node, publish_node.c.id == master.c.node_id)
        .join(service, service.c.id == publish_node.c.service_id)
        .join(container, container.c.id == service.c.container_id)
        .join(_source, _source.c.id == publish_node.c.data_source_id)
        .join(_target, _target.c.id == func.coalesce(master.c.data_source_id, customer.c.data_source_id))
        .outerjoin(customer_database, customer_database.c.data_source_id == _target.c.id)
        .outerjoin(agent, agent.c.id == service.c.agent_id)
        .outerjoin(counts, counts.c.master_id == master.c.id)
        .outerjoin(_link, _link.c.customer_id == customer.c.id)
        .where(reached(principal, customer.c.tenant_id, customer.c.client_type))
    )


def channels(principal: Principal) -> Select[Any]:
    """One row a channel, with its service."""
    counts = _counts("channel_id")
    return (
        select(
            channel,
            master.c.name.label("master_name"),
            master.c.node_id,
            master.c.load_type,
            master.c.customer_id,
            customer.c.tenant_id,
            customer.c.client_type,
            customer.c.name.label("customer_name"),
            container.c.id.label("container_id"),
            container.c.name.label("container_name"),
            service.c.desired,
            service.c.agent_id,
            service.c.reason.label("service_reason"),
            service.c.report_reason,
            service.c.current_since.label("service_since"),
            agent.c.heartbeat_at.label("agent_seen_at"),
            func.coalesce(master.c.data_source_id, customer.c.data_source_id).label("target_id"),
            _source.c.kind.label("source_kind"),
            *_counted(counts),
            counts.c.lag_ms,
            _leaving().label("tables_leaving"),
            *_link_columns(),
        )
        .join(master, master.c.id == channel.c.master_id)
        .join(customer, customer.c.id == master.c.customer_id)
        .join(publish_node, publish_node.c.id == master.c.node_id)
        .join(_source, _source.c.id == publish_node.c.data_source_id)
        .join(service, service.c.id == channel.c.service_id)
        .join(container, container.c.id == service.c.container_id)
        .outerjoin(agent, agent.c.id == service.c.agent_id)
        .outerjoin(counts, counts.c.channel_id == channel.c.id)
        .outerjoin(_link, _link.c.customer_id == customer.c.id)
        .where(reached(principal, customer.c.tenant_id, customer.c.client_type))
    )


def channels_of_services(connection: Connection, service_ids: Iterable[str]) -> Sequence[Row[Any]]:
    """Channels of all tenants with their node, the source's kind and the target's data source."""
    return connection.execute(
        select(
            channel,
            customer.c.client_type,
            master.c.node_id,
            master.c.load_type,
            func.coalesce(master.c.data_source_id, customer.c.data_source_id).label("target_id"),
            data_source.c.kind.label("source_kind"),
            publish_node.c.retention_hours,
        )
        .join(master, master.c.id == channel.c.master_id)
        .join(customer, customer.c.id == master.c.customer_id)
        .join(publish_node, publish_node.c.id == master.c.node_id)
        .join(data_source, data_source.c.id == publish_node.c.data_source_id)
        .where(channel.c.service_id.in_(list(service_ids)))
    ).all()


def without_link() -> ColumnElement[bool]:
    """Of `channels`, those without a sync link."""
    return _link.c.id.is_(None)


def _link_columns() -> tuple[ColumnElement[Any], ...]:
    return _link.c.id.label("link_id"), _link.c.name.label("link_name")


def _number(*conditions: ColumnElement[bool], of: Table, outer: Table) -> ColumnElement[int]:
    """Rows of one table that belong to a row of another."""
    return select(func.count()).select_from(of).where(*conditions).correlate(outer).scalar_subquery()


def _masters_of_database() -> ColumnElement[int]:
    """A master of a sync link names no database: it writes to its customer's first one."""
    written = func.coalesce(master.c.data_source_id, customer.c.data_source_id)
    counted = select(func.count()).select_from(master.join(customer, customer.c.id == master.c.customer_id))
    matching = counted.where(written == customer_database.c.data_source_id)
    return matching.correlate(customer_database).scalar_subquery()


def _channels_of_customer() -> ColumnElement[int]:
    counted = select(func.count()).select_from(channel.join(master, master.c.id == channel.c.master_id))
    return counted.where(master.c.customer_id == customer.c.id).correlate(customer).scalar_subquery()


def _leaving() -> ColumnElement[int]:
    """Tables that were moved to other channels and that a channel may still have."""
    former_channels = cast(subscribed_table.c.came_from, String)
    counted = select(func.count()).select_from(subscribed_table)
    on_the_way = subscribed_table.c.reported_moves < subscribed_table.c.moves
    return counted.where(on_the_way, former_channels.contains(channel.c.id)).correlate(channel).scalar_subquery()


def _counted(counts: Subquery) -> list[ColumnElement[int]]:
    return [func.coalesce(counts.c[name], 0).label(f"tables_{name}") for name in GROUPS]


def _counts(by: str) -> Subquery:
    """Number of subscribed tables by state, per customer, master or channel."""
    table = views.tables()
    state = table.c.current_state
    return (
        select(
            table.c[by],
            func.count().label("total"),
            _sum(state == SyncState.FULL_RUNNING).label("loading"),
            _sum(state == SyncState.INCREMENTAL_RUNNING).label("running"),
            _sum(state == SyncState.FULL_FINISHED).label("finished"),
            _sum(state == SyncState.SUSPENDED).label("suspended"),
            _sum(state.in_(sorted(FAILED))).label("error"),
            _sum(state.in_(sorted(WAITING))).label("waiting"),
            func.sum(table.c.row_errors).label("row_errors"),
            _sum(table.c.differences > 0).label("differing"),
            func.max(table.c.current_lag_ms).label("lag_ms"),
        )
        .group_by(table.c[by])
        .subquery(f"tables_by_{by}")
    )


def _sum(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.sum(case((condition, 1), else_=0))


def strategy_names(connection: Connection, principal: Principal) -> dict[str, list[str]]:
    """Names of the strategies assigned to customers, by customer; only those the caller may see."""
    given = strategy_customer.c.strategy_id == strategy.c.id
    statement = select(strategy_customer.c.customer_id, strategy.c.product_name).join(strategy, given)
    statement = statement.where(strategy_customer.c.version.is_not(None))
    found: dict[str, list[str]] = defaultdict(list)
    ordered = statement.where(principal.visible(strategy.c.tenant_id)).order_by(strategy.c.product_name)
    for row in connection.execute(ordered):
        found[row.customer_id].append(row.product_name)
    return found
