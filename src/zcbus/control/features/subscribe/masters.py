"""Masters without a sync link, and their channels: created, changed, steered, removed."""

from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row

from zcbus.control.features.container import service as containers
from zcbus.control.features.datasource import connections
from zcbus.control.features.publish.nodes import own_node
from zcbus.control.features.recycle_bin.service import keep
from zcbus.control.features.subscribe import lookup, repository, service
from zcbus.control.features.subscribe.client_types import refuse_start
from zcbus.control.features.subscribe.customers import refuse_of_link
from zcbus.control.features.subscribe.errors import (
    ChannelActionRefusedError,
    ChannelNameTakenError,
    DatabaseOfAnotherError,
    MasterNameTakenError,
    MasterSchemaLengthError,
    MastersImpossibleError,
)
from zcbus.control.features.subscribe.listing import channel_actions
from zcbus.control.features.subscribe.schemas import (
    MAX_TARGET_NAME_LENGTH,
    ChannelChange,
    ChannelInput,
    MasterChange,
    MasterInput,
    MasterSettings,
    SubscribeAction,
)
from zcbus.control.platform.agent_requests import Destination, add_job
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.services import Services
from zcbus.control.store.tables.subscribe import master
from zcbus.model.reduction.services import is_stale
from zcbus.model.services import SERVICE_OF_CLIENT
from zcbus.model.states import DesiredState, ServiceState
from zcbus.protocol.requests import DropTarget


def add(store: StoreConnection, services: Services, principal: Principal, given: MasterInput) -> str:
    """Make a master with its channels, in the container of its node; returns its id. Raises MasterLimitError,
    MasterNameTakenError, DatabaseOfAnotherError, TargetNameLengthError, NodeOfLinkError,
    SubscriberOfLinkError."""
    _check_settings(given)
    customer = refuse_of_link(lookup.find_customer(store, principal, given.customer_id))
    if customer.client_type not in SERVICE_OF_CLIENT:
        raise MastersImpossibleError(name=customer.name)
    database = lookup.find_database(store, principal, given.database_id)
    if database.customer_id != customer.id:
        raise DatabaseOfAnotherError(name=database.name, customer=customer.name)
    node = own_node(store, principal, given.node_master)
    _check_name(store, customer.id, given.name, None)
    now = services.clock.now()
    master_id = service.create_master(
        store,
        customer_id=customer.id,
        node_id=node.id,
        name=given.name,
        now=now,
        data_source_id=database.data_source_id,
    )
    load_type = given.load_type or database.load_type
    repository.change_master(store, master_id, name=given.name, load_type=load_type, settings=_stored_settings(given))
    for number in range(1, given.channel_count + 1):
        name = given.name if given.channel_count == 1 else f"{given.name}-{number}"
        _add_channel(store, services, customer, node.container_id, master_id, name, given)
    containers.notify_container(store, node.container_id)
    return master_id


def change(store: StoreConnection, principal: Principal, given: MasterChange) -> Row[Any]:
    """Change how rows are written, at once, and the defaults of further tables; returns the master's previous row.
    Raises as `add`."""
    _check_settings(given)
    row = refuse_of_link(lookup.find_master(store, principal, given.control_id))
    _check_name(store, row.customer_id, given.name, row.id)
    load_type = given.load_type or row.load_type
    repository.change_master(store, row.id, name=given.name, load_type=load_type, settings=_stored_settings(given))
    containers.notify_container(store, row.container_id)
    return row


def delete(store: StoreConnection, services: Services, principal: Principal, master_id: str) -> Row[Any]:
    """Move a master with its channels and their tables into the recycle bin; returns its last row. Its
    agent removes what it left in the target besides data. Raises SubscriberOfLinkError."""
    row = refuse_of_link(lookup.find_master(store, principal, master_id))
    channels = lookup.channels_of_master(store, principal, row.id)
    for channel in channels:
        _add_clean_up(store, services, channel)
    keep(store, services, principal, "master", row.id, tenant_id=row.tenant_id)
    compared = repository.contrast_services(store, master.c.id == row.id)
    repository.delete_master(store, row.id)
    containers.remove_services(store, [*(channel.service_id for channel in channels), *compared])
    return row


def add_channel(store: StoreConnection, services: Services, principal: Principal, given: ChannelInput) -> str:
    """Add a channel to a master; returns its id. Raises ChannelNameTakenError, SubscriberOfLinkError."""
    row = refuse_of_link(lookup.find_master(store, principal, given.control_id))
    channel_id = _add_channel(store, services, row, row.container_id, row.id, given.name, given)
    containers.notify_container(store, row.container_id)
    return channel_id


def change_channel(store: StoreConnection, principal: Principal, given: ChannelChange) -> Row[Any]:
    """Change a channel's name and numbers of threads and appliers; the earlier row. Raises ChannelNameTakenError."""
    row = refuse_of_link(lookup.find_channel(store, principal, given.channel_id))
    if given.name != row.name and repository.channel_exists(store, row.master_id, given.name):
        raise ChannelNameTakenError(name=given.name)
    lanes = given.lanes or row.apply_lanes
    repository.change_channel(store, row.id, name=given.name, load_threads=given.threads, apply_lanes=lanes)
    containers.notify_container(store, row.container_id)
    return row


def act_on_channel(store: StoreConnection, principal: Principal, channel_id: str, action: SubscribeAction) -> Row[Any]:
    """Start or stop a channel; returns it as it was. Raises ChannelActionRefusedError, TablesWithoutRulesError."""
    row = _allowing(store, principal, channel_id, action)
    if action is SubscribeAction.START:
        refuse_start(store, row.service_id)
    start_generation = row.current_state == ServiceState.ABNORMAL and row.desired == DesiredState.RUNNING
    desired = DesiredState.RUNNING if action is SubscribeAction.START else DesiredState.STOPPED
    containers.set_desired(store, [row.service_id], desired)
    if start_generation and action is SubscribeAction.START:
        containers.restart(store, [row.service_id])
    containers.notify_container(store, row.container_id)
    return row


def delete_channel(store: StoreConnection, services: Services, principal: Principal, channel_id: str) -> Row[Any]:
    """Forget a channel without tables; returns it as it was. Raises ChannelActionRefusedError."""
    row = _allowing(store, principal, channel_id, SubscribeAction.DELETE)
    _add_clean_up(store, services, row)
    repository.delete_channel(store, row.id)
    containers.remove_services(store, [row.service_id])
    return row


def destination_of(row: Row[Any], services: Services) -> Destination:
    """The agent of a master or a channel; any of its container while that one is silent."""
    silent = is_stale(row.agent_seen_at, services.clock.now())
    return Destination(row.container_id, row.container_name, None if silent else row.agent_id)


def _allowing(store: StoreConnection, principal: Principal, channel_id: str, action: SubscribeAction) -> Row[Any]:
    row = refuse_of_link(lookup.find_channel(store, principal, channel_id))
    if action not in channel_actions(row):
        raise ChannelActionRefusedError(name=row.name, action=action.value, state=row.current_state)
    return row


def _add_channel(
    store: StoreConnection,
    services: Services,
    owner: Row[Any],
    container_id: str,
    master_id: str,
    name: str,
    given: MasterInput | ChannelInput,
) -> str:
    """`owner`: a customer's or a master's row."""
    channel_id = service.create_channel(
        store,
        tenant_id=owner.tenant_id,
        container_id=container_id,
        master_id=master_id,
        name=name,
        load_threads=given.threads,
        apply_lanes=given.lanes,
        now=services.clock.now(),
        client_type=owner.client_type,
    )
    if given.start:
        containers.set_desired(store, [service.service_of(store, channel_id)], DesiredState.RUNNING)
    return channel_id


def _add_clean_up(store: StoreConnection, services: Services, channel: Row[Any]) -> None:
    if channel.agent_id is None:
        # Without an agent nothing was created anywhere.
        return
    target = connections.open_stored(store, services.secrets, channel.target_id)
    tables = tuple(service.wire_table(row) for row in service.tables_of(store, channel.id))
    job = DropTarget(target=target, subscription=channel.id, tables=tables)
    add_job(store, services, destination_of(channel, services), job, subject=f"{channel.name}: drop-target")


def _check_settings(given: MasterSettings) -> None:
    if len(given.schema_name) > MAX_TARGET_NAME_LENGTH:
        raise MasterSchemaLengthError(name=given.schema_name, limit=MAX_TARGET_NAME_LENGTH)


def _stored_settings(given: MasterSettings) -> dict[str, Any]:
    return MasterSettings.model_validate(given.model_dump(by_alias=False)).model_dump(mode="json", by_alias=True)


def _check_name(store: StoreConnection, customer_id: str, name: str, own_id: str | None) -> None:
    if repository.master_of_name(store, customer_id, name) not in (None, own_id):
        raise MasterNameTakenError(name=name)
