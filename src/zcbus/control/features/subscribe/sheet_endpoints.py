"""Calls of the data sheet: its lists, new subscriptions, edits. Orders to tables: see `table_command`."""

from zcbus.control.features.subscribe import addition, editing, sheet
from zcbus.control.features.subscribe.endpoints import CREATE, EDIT, OPERATE, VIEW
from zcbus.control.features.subscribe.endpoints import api as api
from zcbus.control.features.subscribe.schemas import SUBSCRIBED_TABLES
from zcbus.control.features.subscribe.sheet_schemas import (
    CANDIDATES,
    CandidateRequest,
    EditPlan,
    PublishedCandidate,
    SheetAddition,
    SheetEdit,
    SheetPageRequest,
    SheetPosition,
    SheetRecord,
)
from zcbus.control.features.subscribe.start_position import IncrementalPositionRecord
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.outcomes import TableResult, note_and_return
from zcbus.control.platform.paging import Page, answer_page

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
def add_subscriptions(call: Call, body: SheetAddition) -> list[TableResult]:
    """Subscribe published tables. Answers a result per table."""
    return note_and_return(call, addition.add(call, body), "add")


@api.change(f"{_TABLE}/edit", EDIT, unit=Unit.OWN)
def edit_subscription(call: Call, body: SheetEdit) -> None:
    """Change a table's target, columns, conditions and load, whatever its state. Other rows, columns or targets begin
    with a new full load."""
    edited = editing.edit(call, body)
    row, settings = edited.row, edited.change.before
    call.audit.subject = f"{row.source_schema}.{row.source_table}"
    call.audit.before = {
        "state": row.current_state,
        "target": f"{settings.target.schema_name}.{settings.target.table}",
        "columns": list(settings.columns),
        "where": settings.transform.where,
        "targetWhere": settings.transform.target_where,
        "load": settings.load.value,
        "clean": settings.clean.value,
        "ddl": settings.ddl.value,
    }
    call.audit.after = {**body.model_dump(mode="json"), "consequence": edited.change.consequence.value}


@api.read(f"{_TABLE}/edit/preview", EDIT)
def preview_edit(call: Call, body: SheetEdit) -> EditPlan:
    """What changing a table's settings would do. The pre-check comes with the change."""
    change = editing.preview(call, body)
    return EditPlan(consequence=change.consequence, shadow_table=change.uses_shadow_table)


@api.read(f"{_TABLE}/find-incremental", OPERATE, unit=Unit.OWN)
def find_incremental_position(call: Call, body: SheetPosition) -> IncrementalPositionRecord:
    """Where changes of one node would begin by a time or a record number, with the first change and the gap's size."""
    return sheet.find_destination(call, body)
