"""Orders to compare tables with their source, and to repair what was found."""

from zcbus.control.features.contrast import service
from zcbus.control.features.contrast.schemas import ComparisonOrder
from zcbus.control.features.subscribe import sheet
from zcbus.control.features.subscribe.endpoints import OPERATE
from zcbus.control.features.subscribe.sheet_schemas import SheetChoice
from zcbus.control.features.table_command.command import Chosen, order
from zcbus.control.features.table_command.order import PLAIN, Parameters
from zcbus.control.features.table_command.parameters import Comparison
from zcbus.control.platform.call import Call
from zcbus.control.platform.outcomes import TableResult
from zcbus.control.platform.routing import Api
from zcbus.model.table_verbs import TableVerb

api = Api("contrast")

_COMPARE = "/api/zcbus/subscribe/table/compare"


@api.change(_COMPARE, OPERATE)
def compare(call: Call, body: ComparisonOrder) -> list[TableResult]:
    """Compare tables with their source, once. Tables that are published append-only have no key: only their rows are
    counted. Answers what became of each."""
    return _order(call, body, TableVerb.COMPARE, Comparison(body))


@api.change(f"{_COMPARE}/stop", OPERATE)
def stop(call: Call, body: SheetChoice) -> list[TableResult]:
    """Break comparisons off that are under way. Answers what became of each."""
    return _order(call, body, TableVerb.STOP_COMPARING)


@api.change(f"{_COMPARE}/repair", OPERATE)
def repair(call: Call, body: SheetChoice) -> list[TableResult]:
    """Make the rows that the last comparison found what they are in the source. Answers what became of each. Code
    60102: only numbers of rows were compared."""
    service.check_repair(call, body.tables)
    return _order(call, body, TableVerb.REPAIR)


@api.change(f"{_COMPARE}/discard", OPERATE)
def discard(call: Call, body: SheetChoice) -> list[TableResult]:
    """Let go what the last comparison found, without repairing it. Answers what became of each."""
    return _order(call, body, TableVerb.DISCARD)


def _order(call: Call, choice: SheetChoice, verb: TableVerb, parameters: Parameters = PLAIN) -> list[TableResult]:
    chosen = Chosen.by_id(sheet.rows_of(call.connection, call.principal, choice.tables), choice.tables)
    return order(call, call.connection, verb, chosen, parameters)
