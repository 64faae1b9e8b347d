"""Results of the verification of subscribed tables. Orders to verify and to repair: see `table_command`."""

from zcbus.control.features.contrast.schemas import DIFFERENCES, DifferencePage, DifferencePageRequest
from zcbus.control.features.verification import differences
from zcbus.control.platform.authorisation import authorise_any
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.menus import CUSTOMER_PAGES, Operation
from zcbus.control.platform.routing import Api

api = Api("verification")

# Links, tasks and data sheets show how many rows differ, and lead to them.
_VIEW = authorise_any(*((key, Operation.VIEW) for key in ("sync-link", "sync-task", *CUSTOMER_PAGES.values())))


@api.read("/api/zcbus/subscribe/table/verify/difference/page", _VIEW, unit=Unit.OWN, lists=DIFFERENCES)
def page_differences(call: Call, body: DifferencePageRequest) -> DifferencePage:
    """Rows of a table that are known to differ, with both sides."""
    return differences.page(call, body)
