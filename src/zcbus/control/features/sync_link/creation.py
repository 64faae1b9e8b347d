"""Creation of a link's parts: two data sources, a publish node, a customer with a master and a channel, and a task."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection as StoreConnection

from zcbus.control.features.container import service as containers
from zcbus.control.features.datasource import connections
from zcbus.control.features.publish import service as publish
from zcbus.control.features.subscribe import service as subscribe
from zcbus.control.features.sync_link import repository
from zcbus.control.features.sync_link.errors import LinkNameTakenError
from zcbus.control.features.sync_link.planning import Plan
from zcbus.control.features.sync_link.schemas import LinkDocument
from zcbus.control.platform.agent_requests import Destination
from zcbus.control.platform.services import Services
from zcbus.model.states import DesiredState, LoadMode
from zcbus.protocol.base import TableRef

_STORED = {
    *("tables", "load", "clean", "ddl", "indexes", "threads", "lanes"),
    *("names", "column_case", "json_topic", "new_tables", "held_log_gb"),
}


@dataclass(frozen=True, slots=True)
class _Parts:
    """Ids of a link's parts."""

    node_id: str
    customer_id: str
    channel_id: str


def create_link(
    store: StoreConnection, services: Services, tenant_id: str, plan: Plan, destination: Destination, start: bool
) -> str:
    """Store the link with its parts and tables, and let its agent know; returns its id.

    Raises LinkNameTakenError, JsonTopicTakenError.
    """
    document, now = plan.document, services.clock.now()
    if repository.name_is_taken(store, tenant_id, document.link):
        raise LinkNameTakenError(name=document.link)
    parts = _create_parts(store, services, tenant_id, document, destination, now)
    publish.set_json_topic(store, services.secrets, parts.node_id, document.json_topic)
    publish.set_retained_log_limit(store, parts.node_id, document.held_log_gb)
    add_tables(store, services, parts.node_id, parts.channel_id, plan, list(plan.tables))
    desired = DesiredState.RUNNING if start else DesiredState.STOPPED
    link_id = repository.insert_link(
        store,
        tenant_id=tenant_id,
        name=document.link,
        node_id=parts.node_id,
        customer_id=parts.customer_id,
        container_id=destination.container_id,
        desired=desired.value,
        document=stored_document(document),
        created_at=now,
        updated_at=now,
    )
    repository.insert_task(store, link_id, parts.channel_id, now)
    _set_desired(store, parts, desired)
    containers.notify_container(store, destination.container_id)
    return link_id


def _create_parts(
    store: StoreConnection,
    services: Services,
    tenant_id: str,
    document: LinkDocument,
    destination: Destination,
    now: datetime,
) -> _Parts:
    container_id, name = destination.container_id, document.link
    source_id = connections.create(store, services.secrets, tenant_id, document.source, now)
    target_id = connections.create(store, services.secrets, tenant_id, document.target, now)
    node_id = publish.create_node(
        store, tenant_id=tenant_id, container_id=container_id, name=name, data_source_id=source_id, now=now
    )
    customer_id = subscribe.create_customer(store, tenant_id=tenant_id, name=name, data_source_id=target_id, now=now)
    master_id = subscribe.create_master(store, customer_id=customer_id, node_id=node_id, name=name, now=now)
    channel_id = subscribe.create_channel(
        store,
        tenant_id=tenant_id,
        container_id=container_id,
        master_id=master_id,
        name=name,
        load_threads=document.threads,
        apply_lanes=document.lanes or 1,
        now=now,
    )
    return _Parts(node_id, customer_id, channel_id)


def _set_desired(store: StoreConnection, parts: _Parts, desired: DesiredState) -> None:
    service_ids = [publish.find_node(store, parts.node_id).service_id]
    service_ids += [channel.service_id for channel in subscribe.channels_of(store, parts.customer_id)]
    containers.set_desired(store, service_ids, desired)


def add_tables(
    store: StoreConnection,
    services: Services,
    node_id: str,
    channel_id: str,
    plan: Plan,
    sources: Sequence[TableRef],
) -> None:
    """Publish tables of a plan and subscribe to them."""
    now = services.clock.now()
    to_publish = [
        publish.TableToPublish(table, key_of(plan.tables[table]), plan.tables[table].load is not LoadMode.INCREMENTAL)
        for table in sources
    ]
    ids = publish.add_tables(store, node_id, to_publish, now)
    subscribe.add_tables(store, channel_id, {ids[table]: plan.tables[table] for table in sources}, now)


def key_of(settings: subscribe.TableSettings) -> publish.RowKey:
    """How a table of a link is published."""
    return publish.RowKey(settings.key, settings.append_only)


def stored_document(document: LinkDocument) -> dict[str, Any]:
    """The stored part of a document: all but its connections, which are data sources."""
    return document.model_dump(mode="json", by_alias=True, exclude_none=True, include=_STORED)
