"""Orders from the data sheet."""

from zcbus.control.features.subscribe import sheet
from zcbus.control.features.subscribe.endpoints import DELETE, EDIT, OPERATE
from zcbus.control.features.subscribe.sheet_schemas import (
    SheetChoice,
    SheetClean,
    SheetLimits,
    SheetReload,
    SheetStart,
)
from zcbus.control.features.table_command.command import Chosen, order_on_sheet
from zcbus.control.features.table_command.parameters import Limits, Load, Modes
from zcbus.control.features.table_command.start_incremental import start_incremental
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.outcomes import TableResult
from zcbus.control.platform.routing import Api
from zcbus.model.table_verbs import TableVerb

api = Api("subscribe")

_TABLE = "/api/zcbus/subscribe/table"


@api.change(f"{_TABLE}/unbind", DELETE)
def unbind_subscriptions(call: Call, body: SheetChoice) -> list[TableResult]:
    """Unsubscribe tables; the target's data stays. Answers a result per table."""
    return order_on_sheet(call, body, TableVerb.UNBIND)


@api.change(f"{_TABLE}/start-full", OPERATE)
def start_full(call: Call, body: SheetReload) -> list[TableResult]:
    """Start full subscription: load tables again while the others run. Answers a result per table."""
    return order_on_sheet(call, body, TableVerb.RELOAD, Load(body.beside))


@api.change(f"{_TABLE}/suspend", OPERATE)
def suspend_subscriptions(call: Call, body: SheetChoice) -> list[TableResult]:
    """Suspend tables while the others run. Answers a result per table."""
    return order_on_sheet(call, body, TableVerb.SUSPEND)


@api.change(f"{_TABLE}/resume", OPERATE)
def resume_subscriptions(call: Call, body: SheetChoice) -> list[TableResult]:
    """Resume tables at their positions. Answers a result per table."""
    return order_on_sheet(call, body, TableVerb.RESUME)


@api.change(f"{_TABLE}/reset", OPERATE)
def reset_subscriptions(call: Call, body: SheetChoice) -> list[TableResult]:
    """Reset subscription status: delete the positions of stopped tables and suspend them. Answers a result per
    table."""
    return order_on_sheet(call, body, TableVerb.RESET)


@api.change(f"{_TABLE}/reset-start", OPERATE)
def reset_and_start(call: Call, body: SheetChoice) -> list[TableResult]:
    """Delete the positions of stopped tables and start them again. Answers a result per table."""
    return order_on_sheet(call, body, TableVerb.RESET_START)


@api.change(f"{_TABLE}/accept-gap", OPERATE)
def accept_gap(call: Call, body: SheetChoice) -> list[TableResult]:
    """Continue tables without changes that are lost. Answers a result per table."""
    return order_on_sheet(call, body, TableVerb.ACCEPT_GAP)


@api.change(f"{_TABLE}/recover", OPERATE)
def recover_subscriptions(call: Call, body: SheetChoice) -> list[TableResult]:
    """Exception processing: retry tables with a full or an incremental exception. Answers a result per table."""
    return order_on_sheet(call, body, TableVerb.RECOVER)


@api.change(f"{_TABLE}/limit", EDIT)
def limit_subscriptions(call: Call, body: SheetLimits) -> list[TableResult]:
    """How many refused changes tables may have open, and how many they skip (DDL at most 100, DML 1,000,000)."""
    return order_on_sheet(call, body, TableVerb.LIMIT, Limits(body.error_limit, body.dml_skip, body.ddl_skip))


@api.change(f"{_TABLE}/clean", EDIT)
def set_cleaning(call: Call, body: SheetClean) -> list[TableResult]:
    """Set data cleaning of the next full load, and DDL handling. Answers a result per table."""
    return order_on_sheet(call, body, TableVerb.CLEAN, Modes(body.clean, body.ddl))


@api.change(f"{_TABLE}/start-incremental", OPERATE, unit=Unit.OWN)
def start_incremental_subscription(call: Call, body: SheetStart) -> list[TableResult]:
    """Start stopped tables with the changes from a time or a record number on; with `hold` only set that position.
    Answers a result per table."""
    return start_incremental(
        call,
        lambda store: Chosen.by_id(sheet.rows_of(store, call.principal, body.tables), body.tables),
        lambda store, rows: sheet.sheet_destination(call, store, rows),
        body,
        hold=body.hold,
    )
