"""The rules of routes."""

from typing import Any

from pydantic import SecretStr
from sqlalchemy import Connection, Row, Select, delete, func, select, update

from zcbus.control.features.container import agents
from zcbus.control.features.container import service as containers
from zcbus.control.features.network_route import users
from zcbus.control.features.network_route.errors import (
    RouteNameStaysError,
    RouteNameTakenError,
    RouteSecretNeededError,
    RouteUsedError,
    TooManyRoutesError,
)
from zcbus.control.features.network_route.routes import open_secrets
from zcbus.control.features.network_route.schemas import (
    ROUTES,
    RouteChange,
    RouteCheck,
    RouteInput,
    RouteName,
    RoutePageRequest,
    RouteRecord,
    RouteSettings,
    RouteTestRecord,
    RouteTestRequest,
)
from zcbus.control.platform.agent_requests import Destination, ask
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.store.sealed import place
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.network_route import network_route
from zcbus.kit.ids import new_id
from zcbus.kit.secret_references import is_reference
from zcbus.protocol.answers import RouteTest
from zcbus.protocol.base import NetworkRoute
from zcbus.protocol.requests import TestRoute

MAX_ROUTES = 500
_SHOWN = 5


def listing(call: Call, request: RoutePageRequest) -> Listing[RouteRecord]:
    """By name."""
    statement, used = _visible(call.principal), users.counts(call.connection, call.principal)
    if request.search.strip():
        columns = (network_route.c.name, network_route.c.host, network_route.c.source, network_route.c.description)
        statement = statement.where(any_contains(columns, request.search.strip()))
    usual = [network_route.c.name, network_route.c.id]
    return Listing(ROUTES, statement, usual, lambda row: _record(row, used[row.tenant_id, row.name]))


def names(call: Call) -> list[RouteName]:
    """The routes of the caller's tenant, by name."""
    own = select(network_route).where(network_route.c.tenant_id == call.principal.tenant_id)
    return [RouteName.of_row(row) for row in call.connection.execute(own.order_by(network_route.c.name))]


def find(connection: Connection, principal: Principal, route_id: str) -> Row[Any]:
    """Raises RecordNotFoundError."""
    row = connection.execute(_visible(principal).where(network_route.c.id == route_id)).one_or_none()
    if row is None:
        raise RecordNotFoundError(kind="network-route", id=route_id)
    return row


def record(connection: Connection, row: Row[Any]) -> RouteRecord:
    """A route without its secrets."""
    return _record(row, users.count(connection, row.tenant_id, row.name))


def add(call: Call, given: RouteInput) -> Row[Any]:
    """Raises RouteNameTakenError, RouteSecretNeededError, ReferenceUnreadError, TooManyRoutesError."""
    store, tenant_id, route_id = call.connection, call.principal.tenant_id, new_id()
    of_tenant = network_route.c.tenant_id == tenant_id
    if store.execute(select(func.count()).select_from(network_route).where(of_tenant)).scalar_one() >= MAX_ROUTES:
        raise TooManyRoutesError(most=MAX_ROUTES)
    if store.execute(select(network_route.c.id).where(of_tenant, network_route.c.name == given.name)).first():
        raise RouteNameTakenError(name=given.name)
    values = _values(call, given, route_id, None)
    store.execute(network_route.insert().values(id=route_id, tenant_id=tenant_id, name=given.name, **values))
    # Connections may have waited for a route of this name.
    _notify(store, tenant_id)
    return find(store, call.principal, route_id)


def edit(call: Call, row: Row[Any], given: RouteChange) -> Row[Any]:
    """Services whose connections take it connect again. Raises RouteNameStaysError, RouteSecretNeededError,
    ReferenceUnreadError."""
    if given.name != row.name:
        raise RouteNameStaysError(name=row.name)
    values = _values(call, given, row.id, row)
    call.connection.execute(update(network_route).where(network_route.c.id == row.id).values(**values))
    _notify(call.connection, row.tenant_id)
    return find(call.connection, call.principal, row.id)


def remove(call: Call, row: Row[Any]) -> None:
    """Raises RouteUsedError."""
    used = users.count(call.connection, row.tenant_id, row.name)
    if used:
        found = [one.name for one in users.of_route(call.connection, row.tenant_id, row.name)]
        shown = ", ".join(found[:_SHOWN]) + (" …" if len(found) > _SHOWN else "")
        raise RouteUsedError(name=row.name, count=used, users=shown or "-")
    call.connection.execute(delete(network_route).where(network_route.c.id == row.id))


def test(call: Call, given: RouteTestRequest) -> RouteTestRecord:
    """Have an agent try settings step by step. Raises RecordNotFoundError, ContainerUnknownError,
    ReferenceUnreadError, what `ask` raises."""
    with call.services.database.read() as store:
        row = find(store, call.principal, given.id) if given.id else None
        place = _place(store, call.principal, given.container_id)
    known, references = _secrets(call, given, row)
    if references:
        with call.services.database.read() as store:
            agents.require_reference_readers(store, [place.container_id])
    route = NetworkRoute(
        name=row.name if row is not None else "…",
        password=SecretStr(known.get("password", "")),
        key=SecretStr(known.get("key", "")),
        references=references,
        **given.model_dump(include={"kind", "host", "port", "user", "host_key", "source", "targets"}, by_alias=False),
    )
    tenant_id = row.tenant_id if row is not None else call.principal.tenant_id
    asked = TestRoute(route=route, host=given.target_host, port=given.target_port, tenant=tenant_id)
    answer = ask(call.services, place, asked, RouteTest)
    texts = ReasonTexts.of(call)
    checks = [
        RouteCheck(item=one.item, label=texts.named(f"check.{one.item}", one.item), ok=one.ok, detail=one.detail)
        for one in answer.checks
    ]
    return RouteTestRecord(ok=answer.ok, checks=checks, shown_key=answer.shown_key)


def _place(store: Connection, principal: Principal, container_id: str) -> Destination:
    if not container_id:
        return containers.find_destination(store, principal)
    row = containers.find_usable(store, principal, container_id)
    return Destination(row.id, row.name)


def _notify(store: Connection, tenant_id: str) -> None:
    for container_id in list(users.containers(store, tenant_id)):
        containers.notify_container(store, container_id)


def _visible(principal: Principal) -> Select[Any]:
    return select(network_route).where(principal.visible(network_route.c.tenant_id))


def _secrets(call: Call, given: RouteSettings, row: Row[Any] | None) -> tuple[dict[str, str], dict[str, str]]:
    """The given secrets and references, else the stored ones if they go to where they were given for."""
    if given.kind == "direct" or not given.user:
        return {}, {}
    offered = {"password": given.password, "key": given.key if given.kind == "ssh" else ""}
    same = row is not None and _place_of(row) == _place_of(given)
    secrets = {name: value for name, value in offered.items() if value and not is_reference(value)}
    references = {name: value for name, value in offered.items() if is_reference(value)}
    if row is None or not same:
        return secrets, references
    stored = open_secrets(call.services.secrets, row), row.secret_references or {}
    kept_secrets, kept_references = (
        {name: value for name, value in kept.items() if not offered[name]} for kept in stored
    )
    return kept_secrets | secrets, kept_references | references


def _place_of(one: Any) -> tuple[str, str, int, str]:
    return one.kind, one.host, one.port, one.user


def _values(call: Call, given: RouteInput, route_id: str, row: Row[Any] | None) -> dict[str, Any]:
    secrets, references = _secrets(call, given, row)
    if given.kind != "direct" and given.user and not secrets and not references:
        raise RouteSecretNeededError
    if references:
        agents.require_reference_readers(call.connection, users.containers(call.connection, call.principal.tenant_id))
    through, seal = given.kind != "direct", call.services.secrets.seal
    return {
        "kind": given.kind,
        "host": given.host if through else "",
        "port": given.port if through else 0,
        "user": given.user if through else "",
        "host_key": given.host_key if given.kind == "ssh" else "",
        "source": given.source,
        "targets": list(dict.fromkeys(given.targets)),
        "description": given.description,
        "secrets": {
            name: seal(value, place(network_route.c.secrets, route_id, name)) for name, value in secrets.items()
        },
        "secret_references": references or None,
        "updated_by": call.principal.user_name[:50],
        "updated_at": call.services.clock.now(),
    }


def _record(row: Row[Any], used: int) -> RouteRecord:
    references = row.secret_references or {}
    return RouteRecord(
        id=row.id,
        name=row.name,
        kind=row.kind,
        host=row.host,
        port=row.port,
        user=row.user,
        has_password="password" in row.secrets,
        has_key="key" in row.secrets,
        password_reference=references.get("password", ""),
        key_reference=references.get("key", ""),
        host_key=row.host_key,
        source=row.source,
        targets=row.targets,
        description=row.description,
        users=used,
        updated_by=row.updated_by,
        updated_at=row.updated_at,
    )
