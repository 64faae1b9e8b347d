"""Calls of the flow path and of the topology."""

from zcbus.control.features.flow_path import service
from zcbus.control.features.flow_path.schemas import FLOWS, FlowPageRequest, FlowRecord
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import Page
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.platform.routing import Api

api = Api("flow-path")


@api.read("/api/zcbus/flow-path/page", authorise("flow-path", Operation.VIEW), lists=FLOWS)
def page(call: Call, body: FlowPageRequest) -> Page[FlowRecord]:
    """Sources with everything that follows them, by page."""
    return service.page_flows(call.connection, call.principal, body, ReasonTexts.of(call), call.services.clock.now())
