"""Results of comparisons of subscribed tables. Orders to compare and to repair: see `table_command`."""

from zcbus.control.features.contrast import differences
from zcbus.control.features.contrast.schemas import DIFFERENCES, DifferencePage, DifferencePageRequest
from zcbus.control.features.subscribe.endpoints import VIEW
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.routing import Api

api = Api("contrast")


@api.read("/api/zcbus/subscribe/table/compare/difference/page", VIEW, unit=Unit.OWN, lists=DIFFERENCES)
def page_differences(call: Call, body: DifferencePageRequest) -> DifferencePage:
    """Rows that the last comparison of a table found, with both sides."""
    return differences.page(call, body)
