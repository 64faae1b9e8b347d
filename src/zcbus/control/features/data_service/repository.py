"""Queries over data services, groups, APIs and apps. Each carries the condition that hides other tenants' rows."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, Table, delete, func, select, update

from zcbus.control.platform.principal import Principal
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.data_service import api, api_app, api_grant, api_group, api_version, data_service
from zcbus.control.store.tables.data_source import data_source
from zcbus.kit.ids import new_id

_groups_of_service = (
    select(func.count())
    .where(api_group.c.data_service_id == data_service.c.id)
    .correlate(data_service)
    .scalar_subquery()
    .label("groups")
)
_apis_of_group = select(func.count()).where(api.c.group_id == api_group.c.id).correlate(api_group)
_grants_of_api = (
    select(func.count()).where(api_grant.c.api_id == api.c.id).correlate(api).scalar_subquery().label("grants")
)
full_path = ("/" + api_group.c.prefix + "/" + api.c.path).label("full_path")


def services(principal: Principal) -> Select[Any]:
    """Data services with how many groups they have."""
    return select(data_service, _groups_of_service).where(principal.visible(data_service.c.tenant_id))


def groups(principal: Principal, search: str = "") -> Select[Any]:
    """Groups with their data service, their connection, and how many APIs they have."""
    statement = (
        select(
            api_group,
            data_service.c.name.label("data_service_name"),
            data_service.c.tenant_id,
            data_source.c.kind,
            data_source.c.options,
            _apis_of_group.scalar_subquery().label("apis"),
            _apis_of_group.where(api.c.published.is_not(None)).scalar_subquery().label("published"),
        )
        .join(data_service, data_service.c.id == api_group.c.data_service_id)
        .join(data_source, data_source.c.id == api_group.c.data_source_id)
        .where(principal.visible(data_service.c.tenant_id))
    )
    if search.strip():
        searched = (api_group.c.name, api_group.c.prefix, api_group.c.owner, api_group.c.remark)
        statement = statement.where(any_contains(searched, search.strip()))
    return statement


def apis(principal: Principal) -> Select[Any]:
    """APIs with their group, the published version, and the number of apps that may call them."""
    return (
        select(
            api,
            full_path,
            api_group.c.name.label("group_name"),
            api_group.c.data_service_id,
            data_service.c.name.label("data_service_name"),
            data_service.c.host,
            data_service.c.port,
            data_service.c.tenant_id,
            data_source.c.kind,
            api_version.c.definition,
            _grants_of_api,
        )
        .join(api_group, api_group.c.id == api.c.group_id)
        .join(data_service, data_service.c.id == api_group.c.data_service_id)
        .join(data_source, data_source.c.id == api_group.c.data_source_id)
        .outerjoin(api_version, (api_version.c.api_id == api.c.id) & (api_version.c.number == api.c.published))
        .where(principal.visible(data_service.c.tenant_id))
    )


def apps(principal: Principal, search: str = "") -> Select[Any]:
    statement = select(api_app).where(principal.visible(api_app.c.tenant_id))
    if search.strip():
        statement = statement.where(any_contains((api_app.c.name, api_app.c.key, api_app.c.remark), search.strip()))
    return statement


def first(connection: Connection, statement: Select[Any], *conditions: ColumnElement[bool]) -> Row[Any] | None:
    return connection.execute(statement.where(*conditions)).first()


def every(connection: Connection, statement: Select[Any], *conditions: ColumnElement[bool]) -> Sequence[Row[Any]]:
    return connection.execute(statement.where(*conditions)).all()


def insert(connection: Connection, table: Table, **values: Any) -> str:
    """Returns the new row's id."""
    identifier = new_id()
    connection.execute(table.insert().values(id=identifier, **values))
    return identifier


def change(connection: Connection, table: Table, identifier: str, **values: Any) -> None:
    connection.execute(update(table).where(table.c.id == identifier).values(**values))


def remove(connection: Connection, table: Table, identifier: str) -> None:
    connection.execute(delete(table).where(table.c.id == identifier))


def add_version(connection: Connection, **values: Any) -> None:
    connection.execute(api_version.insert().values(**values))


def versions(connection: Connection, api_id: str) -> Sequence[Row[Any]]:
    """The newest first."""
    statement = select(api_version).where(api_version.c.api_id == api_id)
    return connection.execute(statement.order_by(api_version.c.number.desc())).all()


def grants_of(connection: Connection, app_ids: Iterable[str]) -> dict[str, list[str]]:
    """APIs by app."""
    found: dict[str, list[str]] = {}
    statement = select(api_grant).where(api_grant.c.app_id.in_(list(app_ids))).order_by(api_grant.c.api_id)
    for row in connection.execute(statement):
        found.setdefault(row.app_id, []).append(row.api_id)
    return found


def replace_grants(connection: Connection, app_id: str, api_ids: Sequence[str]) -> None:
    connection.execute(delete(api_grant).where(api_grant.c.app_id == app_id))
    if api_ids:
        connection.execute(api_grant.insert(), [{"app_id": app_id, "api_id": one} for one in api_ids])


def services_of_tenant(connection: Connection, tenant_id: str) -> Sequence[str]:
    """Ids of the services (not data services) of a tenant."""
    statement = select(data_service.c.service_id).where(data_service.c.tenant_id == tenant_id)
    return connection.execute(statement).scalars().all()


def of_services(connection: Connection, service_ids: Iterable[str]) -> Sequence[Row[Any]]:
    """Data services by the ids of their services."""
    statement = select(data_service).where(data_service.c.service_id.in_(list(service_ids)))
    return connection.execute(statement).all()


def published_of(connection: Connection, data_service_ids: Iterable[str]) -> Sequence[Row[Any]]:
    """Published APIs with their groups."""
    statement: Select[Any] = (
        select(
            api.c.id,
            full_path,
            api_group.c.data_service_id,
            api_group.c.data_source_id,
            api_version.c.number,
            api_version.c.definition,
        )
        .join(api_group, api_group.c.id == api.c.group_id)
        .join(api_version, (api_version.c.api_id == api.c.id) & (api_version.c.number == api.c.published))
        .where(api_group.c.data_service_id.in_(list(data_service_ids)))
        .order_by(full_path)
    )
    return connection.execute(statement).all()


def apps_granted(connection: Connection, api_ids: Iterable[str]) -> Sequence[Row[Any]]:
    """Apps that are enabled and may call one of these APIs."""
    granted = select(api_grant.c.app_id).where(api_grant.c.api_id.in_(list(api_ids)))
    statement = select(api_app).where(api_app.c.enabled, api_app.c.id.in_(granted)).order_by(api_app.c.id)
    return connection.execute(statement).all()
