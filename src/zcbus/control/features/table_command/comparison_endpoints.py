"""Orders to compare tables with their source, and to repair the differences."""

from zcbus.control.features.contrast import service
from zcbus.control.features.contrast.schemas import ComparisonOrder
from zcbus.control.features.subscribe.endpoints import OPERATE
from zcbus.control.features.subscribe.sheet_schemas import SheetChoice
from zcbus.control.features.table_command.command import order_on_sheet
from zcbus.control.features.table_command.parameters import Comparison
from zcbus.control.platform.call import Call
from zcbus.control.platform.outcomes import TableResult
from zcbus.control.platform.routing import Api
from zcbus.model.table_verbs import TableVerb

api = Api("contrast")

_COMPARE = "/api/zcbus/subscribe/table/compare"


@api.change(_COMPARE, OPERATE)
def compare(call: Call, body: ComparisonOrder) -> list[TableResult]:
    """Compare tables with their source, once. Append-only tables have no key: only their rows are counted. Answers a
    result per table."""
    return order_on_sheet(call, body, TableVerb.COMPARE, Comparison(body))


@api.change(f"{_COMPARE}/stop", OPERATE)
def stop(call: Call, body: SheetChoice) -> list[TableResult]:
    """Cancel running comparisons. Answers a result per table."""
    return order_on_sheet(call, body, TableVerb.STOP_COMPARING)


@api.change(f"{_COMPARE}/repair", OPERATE)
def repair(call: Call, body: SheetChoice) -> list[TableResult]:
    """Repair the differences of the last comparison from the source. Answers a result per table. Code 60102: only
    numbers of rows were compared."""
    service.check_repair(call, body.tables)
    return order_on_sheet(call, body, TableVerb.REPAIR)


@api.change(f"{_COMPARE}/discard", OPERATE)
def discard(call: Call, body: SheetChoice) -> list[TableResult]:
    """Dismiss the differences of the last comparison without a repair. Answers a result per table."""
    return order_on_sheet(call, body, TableVerb.DISCARD)
