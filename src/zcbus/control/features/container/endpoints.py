"""Calls of containers and services."""

from zcbus.control.features.container import service
from zcbus.control.features.container.reasons import ReasonTexts
from zcbus.control.features.container.schemas import ContainerRecord, ServiceRecord
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api
from zcbus.control.platform.schema import Empty

api = Api("container")


@api.read("/api/zcbus/container/list", authorise("sync-link", Operation.VIEW))
def list_containers(call: Call, body: Empty) -> list[ContainerRecord]:
    """Containers the caller may use, with their agents."""
    return service.list_containers(call.connection, call.principal, call.services.clock.now())


@api.read("/api/zcbus/container/service/list", authorise("sync-link", Operation.VIEW))
def list_services(call: Call, body: Empty) -> list[ServiceRecord]:
    """Services with desired and observed state apart, and how their last runs ended."""
    return service.list_services(call.connection, call.principal, ReasonTexts.of(call), call.services.clock.now())
