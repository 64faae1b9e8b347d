"""Published tables."""

from functools import cache
from typing import Any

from sqlalchemy import Connection, Row, Select, select

from zcbus.control.store.among import among
from zcbus.control.store.live import announce
from zcbus.control.store.reduction.rows import Moment, ids, marked, save
from zcbus.control.store.tables.container import service
from zcbus.control.store.tables.publish import publish_node, published_table
from zcbus.model.reduction import Origin
from zcbus.model.reduction.published_tables import PublishedFacts, published_state
from zcbus.model.reduction.services import Worker
from zcbus.model.states import DesiredState, PublishState


def reduce_published(connection: Connection, moment: Moment, services: set[str]) -> None:
    """Reduce the marked tables and those of services that changed."""
    found = ids(connection, marked(published_table)) | _of_services(connection, services)
    if not found:
        return
    changed, tenants = [], set()
    for row in connection.execute(_facts().where(among(published_table.c.id, found))):
        state, origin = published_state(_known(row))
        if (state, origin) != (row.current_state, row.current_origin):
            reported_since = row.observed_since if origin is Origin.SERVICE else row.state_since
            since = row.current_since if state == row.current_state else moment.since(row.current_since, reported_since)
            changed.append({"row_id": row.id, "current_state": state, "current_since": since, "current_origin": origin})
            tenants.add(row.tenant_id)
    save(connection, published_table, changed)
    announce(connection, "table", tenants)


def _of_services(connection: Connection, services: set[str]) -> set[str]:
    if not services:
        return set()
    found = select(published_table.c.id).join(publish_node, publish_node.c.id == published_table.c.node_id)
    return ids(connection, found.where(among(publish_node.c.service_id, services)))


@cache
def _facts() -> Select[Any]:
    columns = (
        *("id", "state", "state_since", "reported_at", "reported_generation", "generation"),
        *("current_state", "current_since", "current_origin"),
    )
    of_service = service.c.worker, service.c.desired, service.c.observed_since, service.c.tenant_id
    found: Select[Any] = select(*(published_table.c[name] for name in columns), *of_service)
    return found.join(publish_node, publish_node.c.id == published_table.c.node_id).join(
        service, service.c.id == publish_node.c.service_id
    )


def _known(row: Row[Any]) -> PublishedFacts:
    return PublishedFacts(
        reported=PublishState(row.state),
        was_reported=row.reported_at is not None,
        reported_generation=row.reported_generation,
        generation=row.generation,
        worker=Worker(row.worker),
        desired=row.desired == DesiredState.RUNNING,
    )
