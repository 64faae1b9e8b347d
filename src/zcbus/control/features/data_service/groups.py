"""API groups: a prefix, an owner, and the database that their APIs read."""

from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.data_service import data_services, repository
from zcbus.control.features.data_service.errors import GroupInUseError, GroupPrefixTakenError
from zcbus.control.features.data_service.schemas import (
    GROUP_LIST,
    GroupChange,
    GroupInput,
    GroupRecord,
    SearchPageRequest,
)
from zcbus.control.features.datasource import connections
from zcbus.control.features.datasource.schemas import ConnectionRecord
from zcbus.control.features.recycle_bin.service import keep
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.principal import Principal
from zcbus.control.store.tables.data_service import api_group


def listing(principal: Principal, request: SearchPageRequest) -> Listing[GroupRecord]:
    """By name."""
    statement = repository.groups(principal, request.search)
    return Listing(GROUP_LIST, statement, [api_group.c.name, api_group.c.id], _record)


def find(connection: Connection, principal: Principal, identifier: str) -> Row[Any]:
    """Raises RecordNotFoundError."""
    row = repository.first(connection, repository.groups(principal), api_group.c.id == identifier)
    if row is None:
        raise RecordNotFoundError(kind="api-group", id=identifier)
    return row


def add(call: Call, given: GroupInput) -> str:
    """Raises RecordNotFoundError, GroupPrefixTakenError and what `connections.check_queried` raises."""
    service = data_services.find(call.connection, call.principal, given.data_service_id)
    connections.check_queried(given.connection)
    _check_prefix(call, given, None)
    now, secrets = call.services.clock.now(), call.services.secrets
    source = connections.create(call.connection, secrets, service.tenant_id, given.connection, now)
    return repository.insert(
        call.connection, api_group, data_source_id=source, created_at=now, updated_at=now, **_values(given)
    )


def edit(call: Call, row: Row[Any], given: GroupChange) -> None:
    """Takes effect for callers at once. Raises RecordNotFoundError, GroupPrefixTakenError, PasswordNeededError and what
    `connections.check_queried` raises."""
    service = data_services.find(call.connection, call.principal, given.data_service_id)
    if service.tenant_id != row.tenant_id:
        raise RecordNotFoundError(kind="data-service", id=given.data_service_id)
    _check_prefix(call, given, row.id)
    now, secrets = call.services.clock.now(), call.services.secrets
    stored = connections.stored_row(call.connection, row.data_source_id)
    complete = connections.merge(secrets, stored, given.connection, "source")
    connections.check_queried(complete)
    if complete.kind != row.kind:
        raise RecordNotFoundError(kind="data-source", id=complete.kind)
    connections.change(call.connection, secrets, stored, complete, now)
    repository.change(call.connection, api_group, row.id, updated_at=now, **_values(given))
    data_services.notify_agents(call.connection, row.tenant_id)


def delete(call: Call, row: Row[Any]) -> None:
    """Move a group without APIs into the recycle bin. Raises GroupInUseError."""
    if row.apis:
        raise GroupInUseError(name=row.name, apis=row.apis)
    keep(call.connection, call.services, call.principal, "api-group", row.id, tenant_id=row.tenant_id)
    repository.remove(call.connection, api_group, row.id)
    connections.remove(call.connection, row.data_source_id)


def plain(row: Row[Any]) -> dict[str, Any]:
    """For the operation log."""
    return _record(row).model_dump(mode="json", by_alias=True, include={"name", "prefix", "owner", "connection"})


def _values(given: GroupInput) -> dict[str, Any]:
    return given.model_dump(include={"name", "data_service_id", "prefix", "owner", "remark"}, by_alias=False)


def _check_prefix(call: Call, given: GroupInput, besides: str | None) -> None:
    same = (
        api_group.c.data_service_id == given.data_service_id,
        api_group.c.prefix == given.prefix,
        api_group.c.id != (besides or ""),
    )
    if repository.first(call.connection, repository.groups(call.principal), *same) is not None:
        raise GroupPrefixTakenError(prefix=given.prefix)


def _record(row: Row[Any]) -> GroupRecord:
    return GroupRecord(
        id=row.id,
        name=row.name,
        data_service_id=row.data_service_id,
        data_service_name=row.data_service_name,
        prefix=row.prefix,
        owner=row.owner,
        remark=row.remark,
        connection=ConnectionRecord(kind=row.kind, **row.options),
        apis=row.apis,
        published=row.published,
        updated_at=row.updated_at,
    )
