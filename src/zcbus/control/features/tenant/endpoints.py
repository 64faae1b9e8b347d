"""Calls of tenants."""

from zcbus.control.features.captcha.deletion import confirm_deletion
from zcbus.control.features.tenant import service
from zcbus.control.features.tenant.schemas import (
    TENANTS,
    CustomerChoice,
    CustomerDeletion,
    CustomerEdit,
    CustomerPageRequest,
    CustomerRecord,
    NewCustomer,
)
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import Page, answer_page
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api

api = Api("tenant")


@api.read("/api/zcbus/customer/page", authorise(service.MENU_KEY, Operation.VIEW), lists=TENANTS)
def page(call: Call, body: CustomerPageRequest) -> Page[CustomerRecord]:
    """Tenants by page."""
    return answer_page(call, body, service.listing(body))


@api.change("/api/zcbus/customer/add", authorise(service.MENU_KEY, Operation.CREATE))
def add(call: Call, body: NewCustomer) -> CustomerChoice:
    """Make a tenant."""
    call.audit.subject = body.code
    return CustomerChoice(customerid=service.add(call.connection, call.services.clock.now(), body))


@api.change("/api/zcbus/customer/edit", authorise(service.MENU_KEY, Operation.EDIT))
def edit(call: Call, body: CustomerEdit) -> None:
    """Change a tenant."""
    row = service.find(call.connection, body.customerid)
    call.audit.subject, call.audit.before = row.name, service.plain(row)
    service.edit(call.connection, call.services.clock.now(), body)


@api.change("/api/zcbus/customer/delete", authorise(service.MENU_KEY, Operation.DELETE))
def delete(call: Call, body: CustomerDeletion) -> None:
    """Remove a tenant that has nothing any more. Codes 40104 and 40105 speak of the captcha."""
    confirm_deletion(call, body)
    row = service.find(call.connection, body.customerid)
    call.audit.subject, call.audit.before, call.audit.after = row.name, service.plain(row), None
    service.delete(call.connection, row)
