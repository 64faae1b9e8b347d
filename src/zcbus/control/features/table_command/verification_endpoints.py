"""Orders to verify tables, and to repair differences that verification found."""

from zcbus.control.features.parameter import service as parameters
from zcbus.control.features.subscribe import sheet
from zcbus.control.features.subscribe.endpoints import OPERATE
from zcbus.control.features.subscribe.sheet_schemas import SheetChoice
from zcbus.control.features.table_command.command import Chosen, order
from zcbus.control.features.verification import service as verification
from zcbus.control.platform.call import Call
from zcbus.control.platform.outcomes import TableResult
from zcbus.control.platform.routing import Api
from zcbus.model.table_verbs import TableVerb

api = Api("verification")

_VERIFY = "/api/zcbus/subscribe/table/verify"


@api.change(_VERIFY, OPERATE)
def verify(call: Call, body: SheetChoice) -> list[TableResult]:
    """Verify tables before all others, each completely, at the usual cost. Answers a result per table."""
    return _order(call, body, TableVerb.VERIFY)


@api.change(f"{_VERIFY}/repair", OPERATE)
def repair(call: Call, body: SheetChoice) -> list[TableResult]:
    """Repair rows that are known to differ from the source. Answers a result per table."""
    return _order(call, body, TableVerb.REPAIR_DIFFERENCES)


def _order(call: Call, choice: SheetChoice, verb: TableVerb) -> list[TableResult]:
    chosen = Chosen.by_id(sheet.rows_of(call.connection, call.principal, choice.tables), choice.tables)
    ids = [row.id for row in chosen.rows]
    refused = dict.fromkeys(verification.unverifiable(call.connection, ids), "verification-kinds")
    if not parameters.verification_percent(call.connection):
        refused = dict.fromkeys(ids, "verification-off")
    return order(call, call.connection, verb, chosen, refused=refused)
