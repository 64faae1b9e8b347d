"""Calls of the search in logs."""

from zcbus.control.features.log_search import searching
from zcbus.control.features.log_search.schemas import (
    LOG_SOURCES,
    LogAround,
    LogContext,
    LogFind,
    LogFound,
    LogSourcePageRequest,
    LogSourceRecord,
)
from zcbus.control.features.log_search.sources import sources_of
from zcbus.control.platform.authorisation import authorise_any
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.paging import Page, page_of
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api

api = Api("log-search")

_BASE = "/api/zcbus/monitor/log-search"
_VIEW = authorise_any(("monitor/log-search", Operation.VIEW), ("sync-link", Operation.VIEW))


@api.read(f"{_BASE}/find", _VIEW, unit=Unit.OWN, followed=True)
def find(call: Call, body: LogFind) -> LogFound:
    """Search the logs of services and agents on all their hosts, counted over time."""
    return searching.find(call, body)


@api.read(f"{_BASE}/around", _VIEW, unit=Unit.OWN)
def around(call: Call, body: LogAround) -> LogContext:
    """The lines of a log around one of its lines."""
    return searching.around(call, body)


@api.read(f"{_BASE}/source/page", _VIEW, lists=LOG_SOURCES)
def page_sources(call: Call, body: LogSourcePageRequest) -> Page[LogSourceRecord]:
    """Services and agents whose logs the caller may search."""
    text = body.search.strip().casefold()
    found = sources_of(call.connection, call.principal, body)
    return page_of((one for one in found if text in one.name.casefold()), body, LOG_SOURCES)
