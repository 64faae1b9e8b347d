"""What verification found of subscribed tables. Orders to verify and to repair: see `table_command`."""

from zcbus.control.features.contrast.schemas import DIFFERENCES, DifferencePage, DifferencePageRequest
from zcbus.control.features.subscribe.endpoints import VIEW
from zcbus.control.features.verification import differences
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.routing import Api

api = Api("verification")


@api.read("/api/zcbus/subscribe/table/verify/difference/page", VIEW, unit=Unit.OWN, lists=DIFFERENCES)
def page_differences(call: Call, body: DifferencePageRequest) -> DifferencePage:
    """Rows of a table that are known to differ, with both sides."""
    return differences.page(call, body)
