"""Publish nodes without a sync link: created, changed, started, stopped, deleted."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row

from zcbus.control.features.container import service as containers
from zcbus.control.features.datasource import connections
from zcbus.control.features.datasource.schemas import ConnectionInput
from zcbus.control.features.publish import repository, service
from zcbus.control.features.publish.errors import (
    DataSourceMissingError,
    NodeActionRefusedError,
    NodeHasSubscribersError,
    NodeNameTakenError,
    NodeOfLinkError,
    NodePlaceFixedError,
)
from zcbus.control.features.publish.listing import destination_of, find_node, node_actions
from zcbus.control.features.publish.schemas import NodeAction, NodeChange, NodeInput
from zcbus.control.features.recycle_bin.service import keep
from zcbus.control.platform.agent_requests import add_job
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.services import Services
from zcbus.model.states import DesiredState, ServiceState
from zcbus.protocol.requests import DropSource

_SETTINGS = ("name", "retention_hours", "held_log_gb")


def settings(node: Row[Any]) -> dict[str, Any]:
    """Editable settings of a node besides its connection."""
    return {name: getattr(node, name) for name in _SETTINGS}


def own_node(store: StoreConnection, principal: Principal, node_id: str) -> Row[Any]:
    """A node that no sync link steers. Raises RecordNotFoundError, NodeOfLinkError."""
    node = find_node(store, principal, node_id)
    if node.link_id is not None:
        raise NodeOfLinkError(name=node.name, link=node.link_name)
    return node


def add(store: StoreConnection, services: Services, principal: Principal, given: NodeInput) -> str:
    """Create a node without tables; returns its id. Raises DataSourceMissingError, NodeNameTakenError,
    ContainerUnknownError and what `connections.check` raises."""
    connection = _checked(given.connection)
    destination = containers.find_destination(store, principal, given.container)
    _check_name(store, principal.tenant_id, given.name, None)
    now = services.clock.now()
    source_id = connections.create(store, services.secrets, principal.tenant_id, connection, now)
    node_id = service.create_node(
        store,
        tenant_id=principal.tenant_id,
        container_id=destination.container_id,
        name=given.name,
        data_source_id=source_id,
        now=now,
    )
    repository.change_node(store, node_id, retention_hours=given.retention_hours, held_log_gb=given.held_log_gb)
    if given.start:
        containers.set_desired(store, [service.find_node(store, node_id).service_id], DesiredState.RUNNING)
    containers.notify_container(store, destination.container_id)
    return node_id


def change(store: StoreConnection, services: Services, principal: Principal, given: NodeChange) -> Sequence[str]:
    """Change a node's settings; returns the names of changed ones. Raises DataSourceMissingError, NodePlaceFixedError,
    NodeNameTakenError, PasswordNeededError and what `own_node` and `connections.check` raise."""
    node = own_node(store, principal, given.node_master)
    connection = _checked(given.connection)
    stored = connections.stored_row(store, node.data_source_id)
    if (option := connections.fixed_option(stored, connection)) is not None:
        raise NodePlaceFixedError(option=option)
    _check_name(store, node.tenant_id, given.name, node.id)
    complete = connections.merge(services.secrets, stored, connection, "source")
    changed = [name for name in _SETTINGS if getattr(node, name) != getattr(given, name)]
    repository.change_node(store, node.id, **{name: getattr(given, name) for name in _SETTINGS})
    if connections.change(store, services.secrets, stored, complete, services.clock.now()):
        changed.append("connection")
        containers.void_reports(store, [node.service_id])
    if changed:
        containers.notify_container(store, node.container_id)
    return changed


def act(store: StoreConnection, principal: Principal, node_id: str, action: NodeAction) -> Row[Any]:
    """Start or stop a node; returns its previous row. Raises NodeActionRefusedError and what `own_node` raises."""
    node = own_node(store, principal, node_id)
    if action not in node_actions(node):
        raise NodeActionRefusedError(name=node.name, action=action.value, state=node.current_state)
    start_generation = node.current_state == ServiceState.ABNORMAL and node.desired == DesiredState.RUNNING
    desired = DesiredState.RUNNING if action is NodeAction.START else DesiredState.STOPPED
    containers.set_desired(store, [node.service_id], desired)
    if start_generation and action is NodeAction.START:
        containers.restart(store, [node.service_id])
    containers.notify_container(store, node.container_id)
    return node


def delete(store: StoreConnection, services: Services, principal: Principal, node_id: str) -> Row[Any]:
    """Move a node into the recycle bin; returns its last row. Its agent removes what it left in its database
    and on the bus afterwards. Raises NodeHasSubscribersError and what `own_node` raises."""
    node = own_node(store, principal, node_id)
    if node.subscribers:
        raise NodeHasSubscribersError(name=node.name, subscribers=node.subscribers)
    if node.agent_id is not None:
        source = connections.open_stored(store, services.secrets, node.data_source_id)
        job = DropSource(source=source, node=node.id, json_topic=node.json_topic or "")
        add_job(store, services, destination_of(node, services.clock.now()), job, subject=f"{node.name}: drop-source")
    keep(store, services, principal, "publish-node", node.id)
    service.remove_node(store, node.id)
    containers.remove_services(store, [node.service_id])
    connections.remove(store, node.data_source_id)
    return node


def _checked(given: ConnectionInput | None) -> ConnectionInput:
    if given is None:
        raise DataSourceMissingError
    connections.check(given, "source")
    return given


def _check_name(store: StoreConnection, tenant_id: str, name: str, own_id: str | None) -> None:
    if repository.node_of_name(store, tenant_id, name) not in (None, own_id):
        raise NodeNameTakenError(name=name)
