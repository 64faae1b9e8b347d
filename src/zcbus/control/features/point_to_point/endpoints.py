"""Calls of point to point."""

from zcbus.control.features.point_to_point import listing
from zcbus.control.features.point_to_point.schemas import WAYS, WayPageRequest, WayRecord, WayTotals
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import Page, answer_page
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api

api = Api("point-to-point")

_VIEW = authorise("point-to-point-v1", Operation.VIEW)


@api.read("/api/zcbus/point-to-point/page", _VIEW, lists=WAYS)
def page(call: Call, body: WayPageRequest) -> Page[WayRecord]:
    """Direct ways from a source to a target, with their services."""
    now = call.services.clock.now()
    return answer_page(call, body, listing.ways(call.principal, body, now))


@api.read("/api/zcbus/point-to-point/totals", _VIEW)
def totals(call: Call) -> WayTotals:
    """All ways of the caller's together."""
    return listing.totals(call.connection, call.principal, call.services.clock.now())
