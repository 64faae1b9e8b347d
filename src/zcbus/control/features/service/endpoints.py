"""Calls about services (the specification's 7.6; its misspelt names are kept on the wire).

A bulk call answers at once with a result per service; the page shows their progress.
"""

from collections.abc import Sequence

from zcbus.control.features.captcha.deletion import confirm_deletion
from zcbus.control.features.container import service as containers
from zcbus.control.features.service import actions, listing, placing
from zcbus.control.features.service.schemas import (
    LogSearch,
    ManagedService,
    NodeStatusChange,
    NodeTypeStatusChange,
    ServiceAddition,
    ServiceAttempts,
    ServiceChoice,
    ServiceDeletion,
    ServiceEdit,
    ServicePageRequest,
    ServiceResult,
    ServicesChoice,
    ServicesPlacement,
    ServicesStatusChange,
    ServicesTransfer,
)
from zcbus.control.platform import service_logs as logs
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.paging import Page
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.platform.routing import Api
from zcbus.control.platform.service_logs import LogSearchResult
from zcbus.model.services import ServiceAction

MENU_KEY = "system/service_management"

api = Api("service")

_CUSTOMER = "/api/zcbus/container/cluster/customer"
_VIEW = authorise(MENU_KEY, Operation.VIEW)
_OPERATE = authorise(MENU_KEY, Operation.OPERATE)


@api.read(f"{_CUSTOMER}/page", _VIEW, lists=listing.SERVICES)
def page(call: Call, body: ServicePageRequest) -> Page[ManagedService]:
    """Services of all containers, or of one."""
    return listing.page_services(call, body)


@api.read("/api/zcbus/container/service/attempts", _VIEW)
def attempts(call: Call, body: ServiceChoice) -> ServiceAttempts:
    """How the last runs of a service ended."""
    now, texts = call.services.clock.now(), ReasonTexts.of(call)
    containers.find_service(call.connection, call.principal, body.id)
    (found,) = containers.list_services(call.connection, call.principal, texts, now, [body.id])
    return ServiceAttempts(attempts=found.attempts)


@api.read("/api/zcbus/container/service/log/search", authorise("sync-link", Operation.VIEW), unit=Unit.OWN)
def search_log(call: Call, body: LogSearch) -> LogSearchResult:
    """Search the log of a service where it runs, older files of it included."""
    with call.services.database.read() as connection:
        found = containers.find_service(connection, call.principal, body.id)
        destination = containers.destination_of_service(connection, found.id)
    return logs.search(call.services, destination, found.id, body)


@api.change(f"{_CUSTOMER}/add", authorise(MENU_KEY, Operation.CREATE))
def add(call: Call, body: ServiceAddition) -> list[ServiceResult]:
    """Have a container run services of publish nodes or customers that no container runs."""
    return _audited(call, actions.add(call, body))


@api.change(f"{_CUSTOMER}/edit", authorise(MENU_KEY, Operation.EDIT))
def edit(call: Call, body: ServiceEdit) -> None:
    """Change a service's log level, which counts at once, and its remark."""
    actions.edit(call, body)


@api.change(f"{_CUSTOMER}/delete", authorise(MENU_KEY, Operation.DELETE))
def delete(call: Call, body: ServiceDeletion) -> ServiceResult:
    """Take a stopped service out of its container. Codes 40104 and 40105 concern the captcha."""
    confirm_deletion(call, body)
    return _audited(call, [actions.delete(call, body.id)])[0]


@api.change(f"{_CUSTOMER}/modfiystatus", _OPERATE)
def modify_status(call: Call, body: ServicesStatusChange) -> list[ServiceResult]:
    """Start, stop or restart services."""
    action = actions.action_for(body.status, body.forcestatus)
    return _audited(call, actions.ask(call, body.ids, action, forced=body.forcestatus))


@api.change(f"{_CUSTOMER}/modfiystatusbytype", _OPERATE)
def modify_status_by_type(call: Call, body: NodeTypeStatusChange) -> list[ServiceResult]:
    """Start, stop or restart a node's services of one type."""
    return _audited(call, actions.order_of_node(call, body))


@api.change(f"{_CUSTOMER}/modify/child/status", _OPERATE)
def modify_child_status(call: Call, body: NodeTypeStatusChange) -> list[ServiceResult]:
    """Start, stop or restart services of one type that a node's publish service feeds."""
    return _audited(call, actions.order_of_node(call, body, only_fed=True))


@api.change(f"{_CUSTOMER}/updaeStatusByNodeId", _OPERATE)
def update_status_by_node_id(call: Call, body: NodeStatusChange) -> list[ServiceResult]:
    """Start, stop or restart all services of a node."""
    return _audited(call, actions.order_of_node(call, body))


@api.change(f"{_CUSTOMER}/forcestatus", _OPERATE)
def force_status(call: Call, body: ServicesChoice) -> list[ServiceResult]:
    """Shut services down at once."""
    return _audited(call, actions.ask(call, body.ids, ServiceAction.FORCE_STOP))


@api.change(f"{_CUSTOMER}/transfercontainer", _OPERATE)
def transfer_container(call: Call, body: ServicesTransfer) -> list[ServiceResult]:
    """Move stopped services to another container."""
    return _audited(call, actions.transfer(call, body))


@api.change("/api/zcbus/container/service/place", _OPERATE)
def place(call: Call, body: ServicesPlacement) -> list[ServiceResult]:
    """Move services to a host of their container, or pin them to their host, or release them."""
    return _audited(call, placing.place(call, body))


def _audited(call: Call, results: Sequence[ServiceResult]) -> list[ServiceResult]:
    """The results, which are also written to the operation log with the request."""
    call.audit.subject = ", ".join(result.service_name for result in results)
    call.audit.after |= {"results": {result.service_name: result.error or "done" for result in results}}
    return list(results)
