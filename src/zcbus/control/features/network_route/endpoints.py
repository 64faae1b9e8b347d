"""Calls of the network configuration: routes."""

from typing import Any

from sqlalchemy import Row

from zcbus.control.features.captcha.deletion import confirm_deletion
from zcbus.control.features.network_route import service, users
from zcbus.control.features.network_route.schemas import (
    ROUTES,
    USERS,
    RouteChange,
    RouteDeletion,
    RouteInput,
    RouteName,
    RoutePageRequest,
    RouteRecord,
    RouteTestRecord,
    RouteTestRequest,
    RouteUser,
    RouteUserPageRequest,
)
from zcbus.control.platform.authorisation import authorise, authorise_any
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.paging import Page, answer_page, page_of
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api
from zcbus.control.platform.schema import Empty

api = Api("network-route")

MENU_KEY = "system/network-configuration"
_VIEW = authorise(MENU_KEY, Operation.VIEW)
# Forms of connections offer the names.
_VIEW_NAMES = authorise_any(
    *((key, Operation.VIEW) for key in (MENU_KEY, "sync-link", "publish", "subscribe", "databus", "stream")),
    ("data-service/api-group", Operation.VIEW),
)
_BASE = "/api/zcbus/system/network-route"


@api.read(f"{_BASE}/page", _VIEW, lists=ROUTES)
def page(call: Call, body: RoutePageRequest) -> Page[RouteRecord]:
    """Routes, without their secrets."""
    return answer_page(call, body, service.listing(call, body))


@api.read(f"{_BASE}/list", _VIEW_NAMES)
def list_names(call: Call, body: Empty) -> list[RouteName]:
    """Names of the tenant's routes, for forms of connections."""
    return service.names(call)


@api.read(f"{_BASE}/user/page", _VIEW, lists=USERS)
def page_users(call: Call, body: RouteUserPageRequest) -> Page[RouteUser]:
    """Connections that take a route."""
    row = service.find(call.connection, call.principal, body.id)
    text = body.search.strip().casefold()
    found = users.of_route(call.connection, row.tenant_id, row.name)
    return page_of([one for one in found if text in f"{one.name}\n{one.place}".casefold()], body, USERS)


@api.change(f"{_BASE}/add", authorise(MENU_KEY, Operation.CREATE))
def add(call: Call, body: RouteInput) -> RouteRecord:
    """Create a route. Its secrets are never answered."""
    call.audit.subject = body.name
    return _recorded(call, service.add(call, body))


@api.change(f"{_BASE}/edit", authorise(MENU_KEY, Operation.EDIT))
def edit(call: Call, body: RouteChange) -> RouteRecord:
    """Change a route; services whose connections take it connect again. A stored secret is kept only for the host, port
    and user that it was given for."""
    row = service.find(call.connection, call.principal, body.id)
    call.audit.subject = row.name
    call.audit.before = _plain(service.record(call.connection, row))
    return _recorded(call, service.edit(call, row, body))


@api.change(f"{_BASE}/test", authorise(MENU_KEY, Operation.EDIT), unit=Unit.OWN)
def test(call: Call, body: RouteTestRequest) -> RouteTestRecord:
    """Try settings step by step from a container: to bastion or proxy, its host key, signing in, a server behind it."""
    call.audit.subject = f"{body.host}:{body.port}" if body.host else body.source
    call.audit.after = {"kind": body.kind, "host": body.host, "port": body.port, "target": body.target_host}
    return service.test(call, body)


@api.change(f"{_BASE}/delete", authorise(MENU_KEY, Operation.DELETE))
def delete(call: Call, body: RouteDeletion) -> None:
    """Remove a route that no connection takes. Codes 40104 and 40105 speak of the captcha."""
    confirm_deletion(call, body)
    row = service.find(call.connection, call.principal, body.id)
    call.audit.subject, call.audit.after = row.name, None
    call.audit.before = _plain(service.record(call.connection, row))
    service.remove(call, row)


def _recorded(call: Call, row: Row[Any]) -> RouteRecord:
    found = service.record(call.connection, row)
    call.audit.after = _plain(found)
    return found


def _plain(record: RouteRecord) -> dict[str, object]:
    return record.model_dump(mode="json", by_alias=True, exclude={"updated_at", "updated_by"})
