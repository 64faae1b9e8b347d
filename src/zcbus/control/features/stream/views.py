"""Stream queries as they are now, put together in SQL. Those for people hide other tenants' rows."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, select

from zcbus.control.platform.principal import Principal
from zcbus.control.store.tables.container import agent, container, service
from zcbus.control.store.tables.data_source import data_source
from zcbus.control.store.tables.publish import published_table
from zcbus.control.store.tables.stream import computation, computation_input
from zcbus.control.store.tables.subscribe import customer, customer_database
from zcbus.control.store.tables.sync_link import sync_link
from zcbus.model.states import ERROR_STATES, DesiredState


def stream_queries(principal: Principal) -> Select[Any]:
    """One row a stream query, with its target and its service."""
    return (
        select(
            computation,
            customer.c.tenant_id,
            customer.c.name.label("customer_name"),
            customer_database.c.name.label("database_name"),
            customer_database.c.data_source_id,
            data_source.c.kind.label("target_kind"),
            data_source.c.options.label("target_options"),
            container.c.id.label("container_id"),
            container.c.name.label("container_name"),
            service.c.desired,
            service.c.observed,
            service.c.agent_id,
            service.c.reason.label("service_reason"),
            service.c.report_reason,
            agent.c.heartbeat_at.label("agent_seen_at"),
            service.c.current_state.label("service_state"),
        )
        .join(customer, customer.c.id == computation.c.customer_id)
        .join(customer_database, customer_database.c.id == computation.c.database_id)
        .join(data_source, data_source.c.id == customer_database.c.data_source_id)
        .join(service, service.c.id == computation.c.service_id)
        .join(container, container.c.id == service.c.container_id)
        .outerjoin(agent, agent.c.id == service.c.agent_id)
        .where(principal.visible(customer.c.tenant_id))
    )


def failed(connection: Connection, principal: Principal) -> Sequence[Row[Any]]:
    """Rows of `stream_queries` that are to run and are in error, the newest first."""
    query = stream_queries(principal).where(
        computation.c.current_state.in_(sorted(ERROR_STATES)), service.c.desired == DesiredState.RUNNING
    )
    return connection.execute(query.order_by(computation.c.current_since.desc(), computation.c.id)).all()


def link_of(connection: Connection, computation_id: str) -> Row[Any] | None:
    """The one link whose tables a stream query reads: id, name. None: no link, or several."""
    query: Select[Any] = (
        select(sync_link.c.id, sync_link.c.name)
        .join(published_table, published_table.c.node_id == sync_link.c.node_id)
        .join(computation_input, computation_input.c.published_table_id == published_table.c.id)
        .where(computation_input.c.computation_id == computation_id)
        .distinct()
    )
    links = connection.execute(query).all()
    return links[0] if len(links) == 1 else None
