"""Sync links."""

from collections import defaultdict
from functools import cache
from typing import Any

from sqlalchemy import Connection, Row, Select, func, or_, select

from zcbus.control.store.among import among
from zcbus.control.store.live import announce
from zcbus.control.store.reduction.rows import Moment, ids, marked, save
from zcbus.control.store.tables.container import service
from zcbus.control.store.tables.publish import publish_node
from zcbus.control.store.tables.subscribe import channel, subscribed_table
from zcbus.control.store.tables.sync_link import sync_link, sync_task
from zcbus.model.reduction.links import LinkFacts, link_state
from zcbus.model.reduction.services import Worker
from zcbus.model.states import DesiredState, SyncState

_publish, _subscribe = service.alias("publish_service"), service.alias("subscribe_service")


def reduce_links(connection: Connection, moment: Moment, services: set[str], channels: set[str] | None) -> None:
    """Reduce the marked links, and those of services that changed or of channels whose tables did; None: all."""
    found = _concerned(connection, services, channels)
    if not found:
        return
    tables = _tables_by_state(connection, found)
    changed, tenants = [], set()
    for row in connection.execute(_facts().where(among(sync_link.c.id, found))):
        state = link_state(_known(row, tables[row.id]))
        if state != row.current_state:
            changed.append(
                {
                    "row_id": row.id,
                    "current_state": state,
                    "current_since": moment.since(row.current_since, None),
                }
            )
            tenants.add(row.tenant_id)
    save(connection, sync_link, changed)
    announce(connection, "link", tenants)


def _concerned(connection: Connection, services: set[str], channels: set[str] | None) -> set[str]:
    if channels is None:
        return ids(connection, select(sync_link.c.id))
    concerned = ids(connection, marked(sync_link))
    if services or channels:
        uses = or_(
            among(publish_node.c.service_id, services),
            among(channel.c.service_id, services),
            among(channel.c.id, channels),
        )
        concerned |= ids(connection, _joined(select(sync_link.c.id)).where(uses))
    return concerned


def _joined(statement: Select[Any]) -> Select[Any]:
    return (
        statement.join(sync_task, sync_task.c.link_id == sync_link.c.id)
        .join(channel, channel.c.id == sync_task.c.channel_id)
        .join(publish_node, publish_node.c.id == sync_link.c.node_id)
    )


@cache
def _facts() -> Select[Any]:
    columns = ("id", "tenant_id", "desired", "current_state", "current_since")
    found: Select[Any] = select(
        *(sync_link.c[name] for name in columns),
        _publish.c.worker.label("publish_worker"),
        _subscribe.c.worker.label("subscribe_worker"),
    )
    return (
        _joined(found)
        .join(_publish, _publish.c.id == publish_node.c.service_id)
        .join(_subscribe, _subscribe.c.id == channel.c.service_id)
    )


def _tables_by_state(connection: Connection, link_ids: set[str]) -> dict[str, dict[SyncState, int]]:
    state = subscribed_table.c.current_state
    counted: Select[Any] = (
        select(sync_task.c.link_id, state, func.count())
        .join(sync_task, sync_task.c.channel_id == subscribed_table.c.channel_id)
        .where(among(sync_task.c.link_id, link_ids))
        .group_by(sync_task.c.link_id, state)
    )
    found: dict[str, dict[SyncState, int]] = defaultdict(dict)
    for link_id, name, number in connection.execute(counted):
        found[link_id][SyncState(name)] = number
    return found


def _known(row: Row[Any], tables: dict[SyncState, int]) -> LinkFacts:
    return LinkFacts(DesiredState(row.desired), Worker(row.publish_worker), Worker(row.subscribe_worker), tables)
