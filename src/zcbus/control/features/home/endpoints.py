"""Calls of the home page."""

from zcbus.control.features.home import service
from zcbus.control.features.home.history import read_history
from zcbus.control.features.home.schemas import HistoryRequest, HomeHistory, Overview
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.platform.routing import Api
from zcbus.control.platform.schema import Empty

api = Api("home")


@api.read("/api/zcbus/home/overview", authorise("home", Operation.VIEW))
def overview(call: Call, body: Empty) -> Overview:
    """The present state, and problems to check."""
    return service.overview(call.connection, call.principal, ReasonTexts.of(call), call.services.clock.now())


@api.read("/api/zcbus/home/history", authorise("home", Operation.VIEW))
def history(call: Call, body: HistoryRequest) -> HomeHistory:
    """The last hour and the last days of everything the caller may see, and what is due next."""
    return read_history(call, body)
