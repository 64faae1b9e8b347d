"""Calls of the history of full loads."""

from zcbus.control.features.load_history import queries
from zcbus.control.features.load_history.schemas import LOADS, LoadFilter, LoadPageRequest, LoadRecord, LoadSummary
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.menus import Operation
from zcbus.control.platform.paging import Page, answer_page
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.platform.routing import Api

api = Api("load-history")

_VIEW = authorise("monitor/load-statistics", Operation.VIEW)


@api.read("/api/zcbus/monitor/load-statistics/page", _VIEW, lists=LOADS)
def page(call: Call, body: LoadPageRequest) -> Page[LoadRecord]:
    """Full loads of tables by page, the newest first."""
    return answer_page(call, body, queries.listing(call.principal, body, ReasonTexts.of(call)))


@api.read("/api/zcbus/monitor/load-statistics/summary", _VIEW)
def summarise(call: Call, body: LoadFilter) -> LoadSummary:
    """How many loads a filter leaves, by state, and what they loaded."""
    return queries.summary(call.connection, call.principal, body)
