"""Customers without a sync link, and their databases: created, changed, removed."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row

from zcbus.control.features.container import service as containers
from zcbus.control.features.datasource import connections
from zcbus.control.features.recycle_bin.service import keep
from zcbus.control.features.subscribe import lookup, repository, service
from zcbus.control.features.subscribe.client_types import check_create
from zcbus.control.features.subscribe.errors import (
    CustomerHasMastersError,
    CustomerNameTakenError,
    DatabaseNameTakenError,
    DatabasePlaceFixedError,
    DatabaseUsedError,
    SubscriberOfLinkError,
)
from zcbus.control.features.subscribe.listing import database_record
from zcbus.control.features.subscribe.schemas import (
    DatabaseChange,
    DatabaseInput,
    SubscribeAction,
    SubscriberChange,
    SubscriberInput,
)
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.services import Services


def refuse_of_link(row: Row[Any]) -> Row[Any]:
    """Raises SubscriberOfLinkError for a customer that a sync link controls."""
    if row.link_id is not None:
        raise SubscriberOfLinkError(link=row.link_name)
    return row


def add(store: StoreConnection, services: Services, principal: Principal, given: SubscriberInput) -> str:
    """Create a customer with its first database; returns its id. Raises ForbiddenError, CustomerNameTakenError and what
    `connections.check` raises."""
    check_create(principal, given.client_type)
    connections.check(given.connection, "target")
    _check_name(store, principal.tenant_id, given.name, None)
    now = services.clock.now()
    target = connections.create(store, services.secrets, principal.tenant_id, given.connection, now)
    return service.create_customer(
        store,
        tenant_id=principal.tenant_id,
        name=given.name,
        data_source_id=target,
        now=now,
        client_type=given.client_type,
        database_name=given.database_name,
        load_type=given.load_type,
    )


def change(store: StoreConnection, principal: Principal, given: SubscriberChange) -> Row[Any]:
    """Rename a customer; returns it as it was. Raises CustomerNameTakenError, SubscriberOfLinkError."""
    row = refuse_of_link(lookup.find_customer(store, principal, given.customer_id))
    _check_name(store, row.tenant_id, given.name, row.id)
    repository.rename_customer(store, row.id, given.name)
    return row


def delete(store: StoreConnection, services: Services, principal: Principal, customer_id: str) -> Row[Any]:
    """Move a customer without masters, with its databases, into the recycle bin; returns it as it was.
    Raises CustomerHasMastersError, SubscriberOfLinkError."""
    row = refuse_of_link(lookup.find_customer(store, principal, customer_id))
    if row.masters:
        raise CustomerHasMastersError(name=row.name, masters=row.masters)
    keep(store, services, principal, "subscriber", row.id)
    service.remove_customer(store, row.id)
    return row


def add_database(store: StoreConnection, services: Services, principal: Principal, given: DatabaseInput) -> str:
    """Add a database to a customer; returns its id. Raises DatabaseNameTakenError, SubscriberOfLinkError and what
    `connections.check` raises."""
    connections.check(given.connection, "target")
    row = refuse_of_link(lookup.find_customer(store, principal, given.customer_id))
    _check_database_name(store, row.id, given.name, None)
    now = services.clock.now()
    target = connections.create(store, services.secrets, row.tenant_id, given.connection, now)
    return repository.insert_database(
        store,
        customer_id=row.id,
        data_source_id=target,
        name=given.name,
        load_type=given.load_type,
        created_at=now,
    )


def change_database(
    store: StoreConnection, services: Services, principal: Principal, given: DatabaseChange
) -> Sequence[str]:
    """Change a database's name, load type and connection; returns the names of changed options. Raises
    DatabasePlaceFixedError where tables are replicated into it, DatabaseNameTakenError, PasswordNeededError,
    SubscriberOfLinkError."""
    row = refuse_of_link(lookup.find_database(store, principal, given.database_id))
    connections.check(given.connection, "target")
    stored = connections.stored_row(store, row.data_source_id)
    if row.masters:
        _check_fixed_options(stored, given)
    _check_database_name(store, row.customer_id, given.name, row.id)
    complete = connections.merge(services.secrets, stored, given.connection, "target")
    load_type = given.load_type or row.load_type
    differs = {"name": row.name != given.name, "loadType": row.load_type != load_type}
    changed = [name for name, is_other in differs.items() if is_other]
    repository.change_database(store, row.id, name=given.name, load_type=load_type)
    if connections.change(store, services.secrets, stored, complete, services.clock.now()):
        changed.append("connection")
        concerned = repository.services_of_target(store, row.data_source_id)
        containers.void_reports(store, concerned)
        containers.notify_services(store, concerned)
    return changed


def delete_database(store: StoreConnection, principal: Principal, database_id: str) -> Row[Any]:
    """Forget a database that nothing writes to; returns it as it was. Raises DatabaseUsedError."""
    row = refuse_of_link(lookup.find_database(store, principal, database_id))
    if SubscribeAction.DELETE not in database_record(row).actions:
        raise DatabaseUsedError(name=row.name, masters=row.masters)
    repository.delete_database(store, row.id)
    connections.remove(store, row.data_source_id)
    return row


def _check_fixed_options(stored: Row[Any], given: DatabaseChange) -> None:
    """Positions are kept in the target: another database has none."""
    if (option := connections.fixed_option(stored, given.connection)) is not None:
        raise DatabasePlaceFixedError(option=option)


def _check_name(store: StoreConnection, tenant_id: str, name: str, own_id: str | None) -> None:
    if repository.customer_of_name(store, tenant_id, name) not in (None, own_id):
        raise CustomerNameTakenError(name=name)


def _check_database_name(store: StoreConnection, customer_id: str, name: str, own_id: str | None) -> None:
    if repository.database_of_name(store, customer_id, name) not in (None, own_id):
        raise DatabaseNameTakenError(name=name)
