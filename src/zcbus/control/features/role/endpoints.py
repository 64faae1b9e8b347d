"""Calls of roles."""

from zcbus.control.features.account.tenants import tenant_to_use
from zcbus.control.features.captcha.deletion import confirm_deletion
from zcbus.control.features.department import service as departments
from zcbus.control.features.role import service
from zcbus.control.features.role.offer import offer
from zcbus.control.features.role.schemas import (
    ROLES,
    NewRole,
    Offer,
    RoleChoice,
    RoleDeletion,
    RoleDetail,
    RoleEdit,
    RoleListRequest,
    RoleOption,
    RolePageRequest,
    RoleRecord,
)
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import Page, answer_page
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api
from zcbus.control.platform.schema import Empty

api = Api("role")

_VIEW = authorise(service.MENU_KEY, Operation.VIEW)


@api.read("/api/zcbus/account/role/get-all", authorise("authority-management/user-management", Operation.VIEW))
def list_options(call: Call, body: RoleListRequest) -> list[RoleOption]:
    """Roles that the caller may assign to a user."""
    tenant_id = tenant_to_use(call.connection, call.principal, body.customer_id)
    if body.dept_id:
        tenant_id = departments.find(call.connection, call.principal, body.dept_id).tenant_id
    return service.options(call.connection, call.principal, tenant_id, call.language)


@api.read("/api/zcbus/account/role/page", _VIEW, lists=ROLES)
def page(call: Call, body: RolePageRequest) -> Page[RoleRecord]:
    """Roles by page."""
    return answer_page(call, body, service.listing(call, body))


@api.read("/api/zcbus/account/role/permission/offer", _VIEW)
def offer_permissions(call: Call, body: Empty) -> Offer:
    """Permissions that the caller can put into a role."""
    return offer(call.connection, call.principal, call.language)


@api.read("/api/zcbus/account/role/get", _VIEW)
def get(call: Call, body: RoleChoice) -> RoleDetail:
    """A role with its permissions."""
    return service.detail(call, service.find(call.connection, call.principal, body.id))


@api.change("/api/zcbus/account/role/add", authorise(service.MENU_KEY, Operation.CREATE))
def add(call: Call, body: NewRole) -> RoleChoice:
    """Make a role."""
    call.audit.subject = body.code
    return RoleChoice(id=service.add(call.connection, call.principal, call.services.clock.now(), body))


@api.change("/api/zcbus/account/role/edit", authorise(service.MENU_KEY, Operation.EDIT))
def edit(call: Call, body: RoleEdit) -> None:
    """Change a role."""
    row = service.find(call.connection, call.principal, body.id)
    call.audit.subject, call.audit.before = row.code, service.plain(call.connection, row)
    service.edit(call.connection, call.principal, call.services.clock.now(), row, body)


@api.change("/api/zcbus/account/role/delete", authorise(service.MENU_KEY, Operation.DELETE))
def delete(call: Call, body: RoleDeletion) -> None:
    """Remove a role without users. Codes 40104 and 40105 concern the captcha."""
    confirm_deletion(call, body)
    row = service.find(call.connection, call.principal, body.id)
    call.audit.subject, call.audit.before, call.audit.after = row.code, service.plain(call.connection, row), None
    service.delete(call.connection, call.principal, row)
