"""Calls of the data sheet: subscribed tables, one by one and many at once."""

from zcbus.control.features.subscribe import addition, editing, service, sheet
from zcbus.control.features.subscribe.endpoints import CREATE, DELETE, EDIT, OPERATE, VIEW
from zcbus.control.features.subscribe.endpoints import api as api
from zcbus.control.features.subscribe.schemas import SUBSCRIBED_TABLES
from zcbus.control.features.subscribe.sheet_schemas import (
    CANDIDATES,
    CandidateRequest,
    PublishedCandidate,
    SheetAddition,
    SheetChoice,
    SheetClean,
    SheetEdit,
    SheetLimits,
    SheetPageRequest,
    SheetPlace,
    SheetRecord,
    SheetReload,
    SheetResult,
    SheetStart,
)
from zcbus.control.features.subscribe.start_place import IncrementalPlaceRecord
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.outcomes import tell
from zcbus.control.platform.paging import Page, answer_page
from zcbus.model.table_states import TableAction

_TABLE = "/api/zcbus/subscribe/table"


@api.read(f"{_TABLE}/page", VIEW, lists=SUBSCRIBED_TABLES)
def page_sheet(call: Call, body: SheetPageRequest) -> Page[SheetRecord]:
    """Subscribed tables with everything that is known of them."""
    return answer_page(call, body, sheet.listing(call, body))


@api.read(f"{_TABLE}/candidate/page", VIEW, lists=CANDIDATES)
def page_published(call: Call, body: CandidateRequest) -> Page[PublishedCandidate]:
    """Tables that a master's node publishes and that it does not have."""
    return answer_page(call, body, sheet.candidate_listing(call, body))


@api.change(f"{_TABLE}/add", CREATE, unit=Unit.OWN, followed=True)
def add_subscriptions(call: Call, body: SheetAddition) -> list[SheetResult]:
    """Subscribe published tables. Answers what became of each."""
    return tell(call, addition.add(call, body), "add")


@api.change(f"{_TABLE}/edit", EDIT, unit=Unit.OWN)
def edit_subscription(call: Call, body: SheetEdit) -> None:
    """Change where a table goes, its columns, conditions and how it is loaded. Other rows, columns or places begin with
    a new full load and need the table to stand still."""
    before = editing.edit(call, body)
    settings = service.settings_of(before)
    call.audit.subject = f"{before.source_schema}.{before.source_table}"
    call.audit.before = {
        "target": f"{settings.target.schema_name}.{settings.target.table}",
        "columns": list(settings.columns),
        "where": settings.transform.where,
        "targetWhere": settings.transform.target_where,
        "load": settings.load.value,
        "clean": settings.clean.value,
        "ddl": settings.ddl.value,
    }
    call.audit.after = body.model_dump(mode="json")


@api.change(f"{_TABLE}/unbind", DELETE)
def unbind_subscriptions(call: Call, body: SheetChoice) -> list[SheetResult]:
    """No longer subscribe tables; the target's data stays. Answers what became of each."""
    return tell(call, sheet.unbind(call, body), "unbind")


@api.change(f"{_TABLE}/start-full", OPERATE)
def start_full(call: Call, body: SheetReload) -> list[SheetResult]:
    """Start full subscription: load tables again while the others run on. Answers what became of each."""
    return _steer(call, body, TableAction.RELOAD, body.beside)


@api.change(f"{_TABLE}/suspend", OPERATE)
def suspend_subscriptions(call: Call, body: SheetChoice) -> list[SheetResult]:
    """Hold tables back while the others run on. Answers what became of each."""
    return _steer(call, body, TableAction.SUSPEND)


@api.change(f"{_TABLE}/resume", OPERATE)
def resume_subscriptions(call: Call, body: SheetChoice) -> list[SheetResult]:
    """Let tables go on where they stood. Answers what became of each."""
    return _steer(call, body, TableAction.RESUME)


@api.change(f"{_TABLE}/reset", OPERATE)
def reset_subscriptions(call: Call, body: SheetChoice) -> list[SheetResult]:
    """Reset subscription status: forget where stopped tables stand and hold them. Answers what became of each."""
    return _steer(call, body, TableAction.RESET)


@api.change(f"{_TABLE}/reset-start", OPERATE)
def reset_and_start(call: Call, body: SheetChoice) -> list[SheetResult]:
    """Forget where stopped tables stand and begin anew. Answers what became of each."""
    return _steer(call, body, TableAction.RESET_START)


@api.change(f"{_TABLE}/accept-gap", OPERATE)
def accept_gap(call: Call, body: SheetChoice) -> list[SheetResult]:
    """Let tables go on without changes that nobody has any more. Answers what became of each."""
    return _steer(call, body, TableAction.ACCEPT_GAP)


@api.change(f"{_TABLE}/recover", OPERATE)
def recover_subscriptions(call: Call, body: SheetChoice) -> list[SheetResult]:
    """Exception processing: try tables with a full or an incremental exception again. Answers what became of each."""
    return tell(call, sheet.recover(call, body), "recover")


@api.change(f"{_TABLE}/limit", EDIT)
def limit_subscriptions(call: Call, body: SheetLimits) -> list[SheetResult]:
    """How many refused changes tables may have open, and how many they skip (DDL at most 100, DML 1,000,000)."""
    return tell(call, sheet.set_limits(call, body), "limit")


@api.change(f"{_TABLE}/clean", EDIT)
def set_cleaning(call: Call, body: SheetClean) -> list[SheetResult]:
    """Data cleaning of the next full load, and what a change of structure does. Answers what became of each."""
    return tell(call, sheet.set_modes(call, body), "clean")


@api.read(f"{_TABLE}/find-incremental", OPERATE, unit=Unit.OWN)
def find_incremental_place(call: Call, body: SheetPlace) -> IncrementalPlaceRecord:
    """Where changes of one node would begin by a time or a record number, with the first change and the gap's size."""
    return sheet.find_place(call, body)


@api.change(f"{_TABLE}/start-incremental", OPERATE, unit=Unit.OWN)
def start_incremental_subscription(call: Call, body: SheetStart) -> list[SheetResult]:
    """Let stopped tables go on with the changes from a time or a record number on; with `hold` only set that place."""
    results, offset = sheet.start_incremental(call, body)
    time = body.time.isoformat() if body.time is not None else None
    return tell(call, results, "start-incremental", time=time, offset=offset, hold=body.hold)


def _steer(call: Call, choice: SheetChoice, action: TableAction, beside: bool | None = None) -> list[SheetResult]:
    return tell(call, sheet.steer(call, choice, action, beside), action.value)
