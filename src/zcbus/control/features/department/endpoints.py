"""Calls of departments."""

from zcbus.control.features.captcha.deletion import confirm_deletion
from zcbus.control.features.department import service
from zcbus.control.features.department.schemas import (
    DepartmentChoice,
    DepartmentDeletion,
    DepartmentEdit,
    DepartmentRecord,
    DepartmentTreeRequest,
    NewDepartment,
)
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api

api = Api("department")


@api.read("/api/zcbus/account/dept/tree", authorise(service.MENU_KEY, Operation.VIEW))
def tree(call: Call, body: DepartmentTreeRequest) -> list[DepartmentRecord]:
    """Departments as a tree."""
    return service.tree(call.connection, call.principal, body.customer_id)


@api.change("/api/zcbus/account/dept/add", authorise(service.MENU_KEY, Operation.CREATE))
def add(call: Call, body: NewDepartment) -> DepartmentChoice:
    """Make a department."""
    call.audit.subject = body.name
    return DepartmentChoice(id=service.add(call.connection, call.principal, call.services.clock.now(), body))


@api.change("/api/zcbus/account/dept/edit", authorise(service.MENU_KEY, Operation.EDIT))
def edit(call: Call, body: DepartmentEdit) -> None:
    """Change a department: its name, its parent, its order."""
    row = service.find(call.connection, call.principal, body.id)
    call.audit.subject, call.audit.before = row.name, service.plain(row)
    service.edit(call.connection, call.principal, call.services.clock.now(), body)


@api.change("/api/zcbus/account/dept/delete", authorise(service.MENU_KEY, Operation.DELETE))
def delete(call: Call, body: DepartmentDeletion) -> None:
    """Remove an empty department. Codes 40104 and 40105 speak of the captcha."""
    confirm_deletion(call, body)
    row = service.find(call.connection, call.principal, body.id)
    call.audit.subject, call.audit.before, call.audit.after = row.name, service.plain(row), None
    service.delete(call.connection, row)
