"""Calls of data services and API groups."""

from zcbus.control.features.captcha.deletion import confirm_deletion
from zcbus.control.features.data_service import data_services, groups
from zcbus.control.features.data_service.schemas import (
    GROUP_LIST,
    Chosen,
    ChosenDeletion,
    DataServiceChange,
    DataServiceInput,
    DataServiceOperation,
    DataServiceRecord,
    GroupChange,
    GroupInput,
    GroupRecord,
    SearchPageRequest,
)
from zcbus.control.platform.authorisation import authorise, authorise_any
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import Page, answer_page
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api
from zcbus.control.platform.schema import Empty

api = Api("data_service")

GROUPS = "data-service/api-group"
APPS = "data-service/api-app"
LOG = "data-service/api-log"
BASE = "/api/zcbus/data-service"

VIEW = authorise_any((GROUPS, Operation.VIEW), (APPS, Operation.VIEW), (LOG, Operation.VIEW))
CREATE = authorise(GROUPS, Operation.CREATE)
EDIT = authorise(GROUPS, Operation.EDIT)
DELETE = authorise(GROUPS, Operation.DELETE)
OPERATE = authorise(GROUPS, Operation.OPERATE)


@api.read(f"{BASE}/service/list", VIEW)
def list_services(call: Call, body: Empty) -> list[DataServiceRecord]:
    """Data services, by name, with the state of their services."""
    return data_services.list_all(call)


@api.change(f"{BASE}/service/add", CREATE)
def add_service(call: Call, body: DataServiceInput) -> Chosen:
    """Make a data service; it runs from then on."""
    call.audit.subject = body.name
    return Chosen(id=data_services.add(call, body))


@api.change(f"{BASE}/service/edit", EDIT)
def edit_service(call: Call, body: DataServiceChange) -> None:
    """Change a data service's name or where it listens, which counts at once."""
    row = data_services.find(call.connection, call.principal, body.id)
    call.audit.subject, call.audit.before = row.name, data_services.plain(row)
    data_services.edit(call, row, body)


@api.change(f"{BASE}/service/operate", OPERATE)
def operate_service(call: Call, body: DataServiceOperation) -> None:
    """Start, stop or restart a data service."""
    row = data_services.find(call.connection, call.principal, body.id)
    call.audit.subject = row.name
    data_services.operate(call, row, body)


@api.change(f"{BASE}/service/delete", DELETE)
def delete_service(call: Call, body: ChosenDeletion) -> None:
    """Remove a data service that is stopped and has no groups. Codes 40104 and 40105 speak of the captcha."""
    confirm_deletion(call, body)
    row = data_services.find(call.connection, call.principal, body.id)
    call.audit.subject, call.audit.before, call.audit.after = row.name, data_services.plain(row), None
    data_services.delete(call, row)


@api.read(f"{BASE}/group/page", VIEW, lists=GROUP_LIST)
def page_groups(call: Call, body: SearchPageRequest) -> Page[GroupRecord]:
    """API groups."""
    return answer_page(call, body, groups.listing(call.principal, body))


@api.change(f"{BASE}/group/add", CREATE)
def add_group(call: Call, body: GroupInput) -> Chosen:
    """Make an API group."""
    call.audit.subject = body.name
    return Chosen(id=groups.add(call, body))


@api.change(f"{BASE}/group/edit", EDIT)
def edit_group(call: Call, body: GroupChange) -> None:
    """Change an API group; callers of its published APIs notice at once."""
    row = groups.find(call.connection, call.principal, body.id)
    call.audit.subject, call.audit.before = row.name, groups.plain(row)
    groups.edit(call, row, body)


@api.change(f"{BASE}/group/delete", DELETE)
def delete_group(call: Call, body: ChosenDeletion) -> None:
    """Remove an API group without APIs. Codes 40104 and 40105 speak of the captcha."""
    confirm_deletion(call, body)
    row = groups.find(call.connection, call.principal, body.id)
    call.audit.subject, call.audit.before, call.audit.after = row.name, groups.plain(row), None
    groups.delete(call, row)
