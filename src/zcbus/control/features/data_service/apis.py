"""APIs: edited as drafts, published as immutable versions, taken offline."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row

from zcbus.control.features.data_service import data_services, groups, repository
from zcbus.control.features.data_service.errors import ApiOfflineError, ApiPathTakenError, ApiPublishedError
from zcbus.control.features.data_service.schemas import (
    API_LIST,
    ApiChange,
    ApiDetail,
    ApiDraft,
    ApiInput,
    ApiLine,
    ApiPageRequest,
    ApiState,
    ApiVersionRecord,
)
from zcbus.control.features.data_service.statements import check
from zcbus.control.features.recycle_bin.service import keep
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.principal import Principal
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.data_service import api, api_version

_DRAFT = tuple(ApiDraft.model_fields)
_same = api.c.draft == api_version.c.definition
_STATES: dict[ApiState, ColumnElement[bool]] = {
    "draft": api.c.versions == 0,
    "offline": api.c.published.is_(None) & (api.c.versions > 0),
    "published": api.c.published.is_not(None) & _same,
    "changed": api.c.published.is_not(None) & ~_same,
}


def listing(principal: Principal, request: ApiPageRequest) -> Listing[ApiLine]:
    """By path."""
    statement = repository.apis(principal)
    if request.group_id:
        statement = statement.where(api.c.group_id == request.group_id)
    if request.state is not None:
        statement = statement.where(_STATES[request.state])
    if request.search.strip():
        searched = (api.c.name, repository.full_path, api.c.remark)
        statement = statement.where(any_contains(searched, request.search.strip()))
    return Listing(API_LIST, statement, [repository.full_path, api.c.id], _line)


def find(connection: Connection, principal: Principal, identifier: str) -> Row[Any]:
    """Raises RecordNotFoundError."""
    row = repository.first(connection, repository.apis(principal), api.c.id == identifier)
    if row is None:
        raise RecordNotFoundError(kind="api", id=identifier)
    return row


def detail(row: Row[Any], tls: bool) -> ApiDetail:
    """The draft of an API; `tls`: hosts serve their data services over it."""
    return ApiDetail(
        id=row.id,
        group_id=row.group_id,
        name=row.name,
        path=row.path,
        remark=row.remark,
        kind=row.kind,
        state=state_of(row),
        version=row.published,
        address=f"{'https' if tls else 'http'}://{_spelled(row.host)}:{row.port}{row.full_path}",
        **row.draft,
    )


def add(call: Call, given: ApiInput) -> str:
    """Raises RecordNotFoundError, ApiPathTakenError and what `statements.check` raises."""
    group = groups.find(call.connection, call.principal, given.group_id)
    check(given, group.kind)
    _check_path(call, given, None)
    now = call.services.clock.now()
    return repository.insert(
        call.connection,
        api,
        group_id=group.id,
        name=given.name,
        path=given.path,
        remark=given.remark,
        draft=_draft(given),
        published=None,
        versions=0,
        created_at=now,
        updated_at=now,
    )


def edit(call: Call, row: Row[Any], given: ApiChange) -> None:
    """An API stays in its group. Raises RecordNotFoundError, ApiPathTakenError and what `statements.check` raises."""
    if given.group_id != row.group_id:
        raise RecordNotFoundError(kind="api-group", id=given.group_id)
    check(given, row.kind)
    _check_path(call, given, row.id)
    repository.change(
        call.connection,
        api,
        row.id,
        name=given.name,
        path=given.path,
        remark=given.remark,
        draft=_draft(given),
        updated_at=call.services.clock.now(),
    )
    if row.published is not None and given.path != row.path:
        data_services.notify_agents(call.connection, row.tenant_id)


def publish(call: Call, row: Row[Any]) -> int:
    """Publish the draft; returns the version's number. Without a change since the newest version that one is published
    again."""
    newest = next(iter(repository.versions(call.connection, row.id)), None)
    number: int = row.versions
    if newest is None or newest.definition != row.draft:
        number += 1
        repository.add_version(
            call.connection,
            api_id=row.id,
            number=number,
            definition=row.draft,
            made_at=call.services.clock.now(),
            made_by=call.principal.user_name[:50],
        )
    _give(call, row, published=number, versions=number)
    return number


def restore(call: Call, row: Row[Any], number: int) -> None:
    """Publish an earlier version, which also becomes the draft. Raises RecordNotFoundError."""
    for version in repository.versions(call.connection, row.id):
        if version.number == number:
            _give(call, row, published=number, draft=version.definition)
            return
    raise RecordNotFoundError(kind="api-version", id=str(number))


def take_offline(call: Call, row: Row[Any]) -> None:
    """Raises ApiOfflineError."""
    if row.published is None:
        raise ApiOfflineError(name=row.name)
    _give(call, row, published=None)


def delete(call: Call, row: Row[Any]) -> None:
    """Move an API with its versions and grants into the recycle bin. Raises ApiPublishedError."""
    if row.published is not None:
        raise ApiPublishedError(name=row.name)
    keep(call.connection, call.services, call.principal, "api", row.id, tenant_id=row.tenant_id)
    repository.remove(call.connection, api, row.id)


def versions(connection: Connection, row: Row[Any]) -> list[ApiVersionRecord]:
    """The newest first."""
    return [
        ApiVersionRecord(
            number=one.number,
            made_at=one.made_at,
            made_by=one.made_by,
            published=one.number == row.published,
            **one.definition,
        )
        for one in repository.versions(connection, row.id)
    ]


def plain(row: Row[Any]) -> dict[str, Any]:
    """For the operation log."""
    return {"name": row.name, "path": row.full_path, "version": row.published, **row.draft}


def ids_of_tenant(connection: Connection, principal: Principal, tenant_id: str, ids: Sequence[str]) -> list[str]:
    """These APIs, each once, as far as they are a tenant's."""
    found = repository.every(connection, repository.apis(principal), api.c.id.in_(list(ids)))
    own = {row.id for row in found if row.tenant_id == tenant_id}
    return [one for one in dict.fromkeys(ids) if one in own]


def state_of(row: Row[Any]) -> ApiState:
    if row.versions == 0:
        return "draft"
    if row.published is None:
        return "offline"
    return "published" if row.draft == row.definition else "changed"


def _give(call: Call, row: Row[Any], **values: Any) -> None:
    repository.change(call.connection, api, row.id, updated_at=call.services.clock.now(), **values)
    data_services.notify_agents(call.connection, row.tenant_id)


def _draft(given: ApiDraft) -> dict[str, Any]:
    return given.model_dump(mode="json", include=set(_DRAFT), by_alias=False)


def _check_path(call: Call, given: ApiInput, besides: str | None) -> None:
    same = (api.c.group_id == given.group_id, api.c.path == given.path, api.c.id != (besides or ""))
    if repository.first(call.connection, repository.apis(call.principal), *same) is not None:
        raise ApiPathTakenError(path=given.path)


def _spelled(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _line(row: Row[Any]) -> ApiLine:
    return ApiLine(
        id=row.id,
        group_id=row.group_id,
        group_name=row.group_name,
        data_service_name=row.data_service_name,
        name=row.name,
        path=row.full_path,
        remark=row.remark,
        state=state_of(row),
        version=row.published,
        versions=row.versions,
        grants=row.grants,
        updated_at=row.updated_at,
    )
