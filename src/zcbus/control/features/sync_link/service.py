"""Rules of sync links: search, state, start, pause, stop, delete."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row

from zcbus.control.features.container import service as containers
from zcbus.control.features.datasource import connections
from zcbus.control.features.publish import service as publish
from zcbus.control.features.recycle_bin.service import keep
from zcbus.control.features.subscribe import service as subscribe
from zcbus.control.features.subscribe import steering
from zcbus.control.features.subscribe.tables import current_tables
from zcbus.control.features.sync_link import repository
from zcbus.control.features.sync_link.errors import (
    LinkActionRefusedError,
    LinkNameAmbiguousError,
    LinkServiceRemovedError,
    LinkTableUnknownError,
)
from zcbus.control.features.sync_link.schemas import LinkAction, LinkChoice
from zcbus.control.features.sync_link.states import DESIRED_BY_ACTION, is_possible
from zcbus.control.platform.agent_requests import Destination, add_job
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.services import Services
from zcbus.model.reduction.services import is_stale
from zcbus.model.states import DesiredState, LinkState
from zcbus.protocol.requests import DropSource, DropTarget


def find_link(store: StoreConnection, principal: Principal, choice: LinkChoice) -> Row[Any]:
    """The link meant, by id or name; by name the caller's own before other tenants'. Raises RecordNotFoundError,
    LinkNameAmbiguousError."""
    found = repository.find_links(store, principal, link_id=choice.id, name=choice.name)
    if not found:
        raise RecordNotFoundError(kind="sync-link", id=choice.id or choice.name)
    if len(found) > 1 and found[0].tenant_id != principal.tenant_id:
        raise LinkNameAmbiguousError(name=choice.name)
    return found[0]


def link_destination(link: Row[Any], now: datetime) -> Destination:
    """The agent of a link; any of its container while that one is silent."""
    silent = is_stale(link.agent_seen_at, now)
    return Destination(link.container_id, link.container_name, None if silent else link.agent_id)


def act(store: StoreConnection, services: Services, link: Row[Any], state: LinkState, action: LinkAction) -> bool:
    """Start, pause, resume or stop a link. An action whose state is already desired changes nothing and is no error.

    Returns whether the services got an order. Raises LinkActionRefusedError.
    """
    desired = DESIRED_BY_ACTION[action]
    start_generation = desired is DesiredState.RUNNING and state is LinkState.ERROR
    if link.desired == desired and not start_generation:
        return False
    if not is_possible(action, state):
        raise LinkActionRefusedError(name=link.name, action=action.value, state=state.value)
    if desired is DesiredState.RUNNING and (link.publish_removed_at or link.subscribe_removed_at):
        raise LinkServiceRemovedError(name=link.name)
    _set_desired(store, link, desired)
    if start_generation:
        steering.try_again(store, current_tables(store, link.id))
        containers.restart(store, services_of(link))
    repository.set_desired(store, link.id, desired.value, services.clock.now())
    containers.notify_services(store, services_of(link))
    return True


def services_of(link: Row[Any]) -> list[str]:
    """Ids of the link's services."""
    return [link.publish_service_id, link.subscribe_service_id]


def adopt_services(store: StoreConnection, service_ids: Iterable[str], now: datetime) -> None:
    """Adopt the desired state and container of services that an operator controlled directly."""
    for row in repository.select_desired(store, service_ids):
        states = {row.publish_desired, row.subscribe_desired}
        desired = DesiredState(states.pop()) if len(states) == 1 else DesiredState.SUSPENDED
        if (desired, row.subscribe_container) != (row.desired, row.container_id):
            repository.follow(store, row.id, desired.value, row.subscribe_container, now)


def delete(store: StoreConnection, services: Services, principal: Principal, link: Row[Any]) -> None:
    """Move a link's configuration into the recycle bin. Its agent removes what it left in the databases and on the bus;
    the target's data stays."""
    keep(store, services, principal, "sync-link", link.id)
    _add_clean_up(store, services, link)
    repository.delete_link(store, link.id)
    subscribe.remove_customer(store, link.customer_id)
    publish.remove_node(store, link.node_id)
    containers.remove_services(store, services_of(link))
    connections.remove(store, link.source_id)


def _set_desired(store: StoreConnection, link: Row[Any], desired: DesiredState) -> None:
    """Pausing stops the apply alone: the source's changes still go to the bus, so that its log does not grow."""
    publish_desired = DesiredState.STOPPED if desired is DesiredState.STOPPED else DesiredState.RUNNING
    subscribe_desired = DesiredState.RUNNING if desired is DesiredState.RUNNING else DesiredState.STOPPED
    containers.set_desired(store, [link.publish_service_id], publish_desired)
    containers.set_desired(store, [link.subscribe_service_id], subscribe_desired)


def _add_clean_up(store: StoreConnection, services: Services, link: Row[Any]) -> None:
    if link.agent_id is None:
        # Without an agent nothing was created anywhere.
        return
    destination = link_destination(link, services.clock.now())
    source = connections.open_stored(store, services.secrets, link.source_id)
    target = connections.open_stored(store, services.secrets, link.target_id)
    tables = tuple(subscribe.wire_table(row) for row in subscribe.tables_of(store, link.channel_id))
    json_topic = publish.find_node(store, link.node_id).json_topic or ""
    drop_source = DropSource(source=source, node=link.node_id, json_topic=json_topic)
    drop_target = DropTarget(target=target, subscription=link.channel_id, tables=tables)
    add_job(store, services, destination, drop_source, subject=f"{link.name}: drop-source")
    add_job(store, services, destination, drop_target, subject=f"{link.name}: drop-target")


def chosen_tables(store: StoreConnection, link: Row[Any], names: Sequence[str]) -> list[Row[Any]]:
    """Tables of a link by name or id. Raises LinkTableUnknownError."""
    chosen, unknown = known_tables(store, link, names)
    if unknown:
        raise LinkTableUnknownError(name=link.name, tables=", ".join(unknown[:10]))
    return chosen


def known_tables(store: StoreConnection, link: Row[Any], names: Sequence[str]) -> tuple[list[Row[Any]], list[str]]:
    """Tables of a link by name or id, each once, and the names of those that it does not have."""
    by_name: dict[str, Row[Any]] = {}
    for row in current_tables(store, link.id, names):
        by_name[row.id] = row
        by_name[f"{row.source_schema}.{row.source_table}"] = row
    chosen = {by_name[name].id: by_name[name] for name in names if name in by_name}
    return list(chosen.values()), [name for name in dict.fromkeys(names) if name not in by_name]
