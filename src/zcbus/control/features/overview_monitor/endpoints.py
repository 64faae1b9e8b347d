"""Calls of the monitoring screen."""

from zcbus.control.features.overview_monitor import service
from zcbus.control.features.overview_monitor.schemas import HistoryRecord, ScreenRecord
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api

api = Api("overview-monitor")

_VIEW = authorise("overview-monitor", Operation.VIEW)


@api.read("/api/zcbus/overview-monitor/get", _VIEW)
def get(call: Call) -> ScreenRecord:
    """What runs now, what needs a look, and what is busiest."""
    return service.screen(call)


@api.read("/api/zcbus/overview-monitor/history", _VIEW)
def history(call: Call) -> HistoryRecord:
    """Changes and lag of the last hour."""
    return service.history(call)
