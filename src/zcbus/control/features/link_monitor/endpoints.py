"""Calls of the link monitor."""

from zcbus.control.features.link_monitor import listing
from zcbus.control.features.link_monitor.schemas import MONITORED, MonitorPageRequest, MonitorRecord
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import Page, answer_page
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.platform.routing import Api

api = Api("link-monitor")


@api.read("/api/zcbus/link-monitor/page", authorise("linkMonitor", Operation.VIEW), lists=MONITORED)
def page(call: Call, body: MonitorPageRequest) -> Page[MonitorRecord]:
    """Links with the newest heartbeat at each hop."""
    now = call.services.clock.now()
    return answer_page(call, body, listing.monitored(call.principal, body, ReasonTexts.of(call), now))
