"""Calls of agents; see `zcbus.protocol.agent`."""

from zcbus.control.features.agent_gateway import service
from zcbus.control.platform.authorisation import agents_only
from zcbus.control.platform.awaited import Awaited
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.routing import Api
from zcbus.protocol.agent import EventRequest, Registered, Registration, SyncRequest, SyncResponse

api = Api("agent")


@api.change("/api/zcbus/agent/register", agents_only(), audited=False)
def register(call: Call, body: Registration) -> Registered:
    """An agent introduces itself."""
    return service.register(call.connection, call.principal, body, call.services.clock.now())


@api.change("/api/zcbus/agent/sync", agents_only(), unit=Unit.OWN, audited=False)
def sync(call: Call, body: SyncRequest) -> SyncResponse:
    """Exchange an agent's reports and answers for its orders and questions."""
    return service.sync(call.services, call.principal, body)


@api.read("/api/zcbus/agent/news", agents_only())
def news(call: Call, body: EventRequest) -> Awaited:
    """Wait until there may be something new for an agent; it syncs then."""
    return service.wait_for_changes(call.connection, call.services, call.principal, body.agent)
