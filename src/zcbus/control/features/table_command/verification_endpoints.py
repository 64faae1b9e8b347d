"""Orders to verify tables, and to repair what verification found."""

from zcbus.control.features.parameter import service as parameters
from zcbus.control.features.subscribe import sheet
from zcbus.control.features.subscribe.endpoints import OPERATE
from zcbus.control.features.subscribe.sheet_schemas import SheetChoice
from zcbus.control.features.table_command.command import Chosen, order
from zcbus.control.platform.call import Call
from zcbus.control.platform.outcomes import TableResult
from zcbus.control.platform.routing import Api
from zcbus.model.table_verbs import TableVerb

api = Api("verification")

_VERIFY = "/api/zcbus/subscribe/table/verify"


@api.change(_VERIFY, OPERATE)
def verify(call: Call, body: SheetChoice) -> list[TableResult]:
    """Verify tables before all others, each as a whole, at the usual cost. Answers what became of each."""
    return _order(call, body, TableVerb.VERIFY)


@api.change(f"{_VERIFY}/repair", OPERATE)
def repair(call: Call, body: SheetChoice) -> list[TableResult]:
    """Make the rows that are known to differ what they are in the source. Answers what became of each."""
    return _order(call, body, TableVerb.REPAIR_DIFFERENCES)


def _order(call: Call, choice: SheetChoice, verb: TableVerb) -> list[TableResult]:
    chosen = Chosen.by_id(sheet.rows_of(call.connection, call.principal, choice.tables), choice.tables)
    is_off = not parameters.verification_percent(call.connection)
    refused = {row.id: "verification-off" for row in chosen.rows} if is_off else {}
    return order(call, call.connection, verb, chosen, refused=refused)
