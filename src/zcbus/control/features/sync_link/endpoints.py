"""Calls of sync links."""

from zcbus.control.features.captcha.deletion import confirm_deletion
from zcbus.control.features.subscribe.start_position import IncrementalPositionRecord
from zcbus.control.features.sync_link import apply, listing, new_tables, service
from zcbus.control.features.sync_link.errors import LinkNameAmbiguousError
from zcbus.control.features.sync_link.planning import table_changes
from zcbus.control.features.sync_link.schemas import (
    ApplyRecord,
    ApplyRequest,
    ExportRecord,
    LinkAction,
    LinkChoice,
    LinkDeletion,
    LinkDetail,
    LinkPageRequest,
    LinkRecord,
    LinkStatus,
    PrecheckRecord,
    PrecheckRequest,
    TablesChoice,
)
from zcbus.control.features.sync_link.table_order_schemas import (
    GapRequest,
    IncrementalPosition,
    IncrementalStart,
    NewTableList,
    ReloadRequest,
    TakeInRequest,
)
from zcbus.control.features.sync_link.table_orders import find_destination, order_tables, start_at
from zcbus.control.features.table_command.parameters import Load
from zcbus.control.platform.authorisation import authorise, authorise_any
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.outcomes import TableResult
from zcbus.control.platform.paging import Page
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.platform.routing import Api
from zcbus.model.table_verbs import TableVerb

api = Api("sync-link")

_VIEW = authorise(apply.MENU_KEY, Operation.VIEW)
_EDIT = authorise(apply.MENU_KEY, Operation.EDIT)
# Which of the two is needed depends on whether the link exists.
_APPLY = authorise_any((apply.MENU_KEY, Operation.CREATE), (apply.MENU_KEY, Operation.EDIT))
_OPERATE = authorise(apply.MENU_KEY, Operation.OPERATE)
_DELETE = authorise(apply.MENU_KEY, Operation.DELETE)


@api.read("/api/zcbus/sync/link/page", _VIEW, lists=listing.LINKS)
def page(call: Call, body: LinkPageRequest) -> Page[LinkRecord]:
    """Sync links with their state, figures and possible actions."""
    return listing.page_links(call.connection, call.principal, body, ReasonTexts.of(call), call.services.clock.now())


@api.read("/api/zcbus/sync/link/get", _VIEW, unit=Unit.SNAPSHOT)
def get(call: Call, body: LinkChoice) -> LinkDetail:
    """One sync link with settings and services."""
    link = service.find_link(call.connection, call.principal, body)
    return listing.link_detail(call.connection, call.principal, link, ReasonTexts.of(call), call.services.clock.now())


@api.read("/api/zcbus/sync/link/status", _VIEW)
def status(call: Call, body: LinkChoice) -> LinkStatus:
    """State of a link and of each of its tables."""
    link = service.find_link(call.connection, call.principal, body)
    return listing.link_status(call.connection, link, ReasonTexts.of(call), call.services.clock.now())


@api.read("/api/zcbus/sync/link/export", _VIEW)
def export(call: Call, body: LinkChoice) -> ExportRecord:
    """A link as code, without its passwords."""
    return ExportRecord(document=listing.export(service.find_link(call.connection, call.principal, body)))


@api.change("/api/zcbus/sync/link/apply", _APPLY, unit=Unit.OWN, followed=True)
def apply_document(call: Call, body: ApplyRequest) -> ApplyRecord:
    """Create a link from its document, or change it, with the right for that. A wrong document changes nothing."""
    call.audit.subject = body.document.link
    call.audit.before = _document_now(call, body.document.link)
    texts = ReasonTexts.of(call)
    return apply.apply_link(call.services, call.principal, body.document, texts, call.progress, start=body.start)


@api.read("/api/zcbus/sync/link/precheck", _APPLY, unit=Unit.OWN, followed=True)
def precheck(call: Call, body: PrecheckRequest) -> PrecheckRecord:
    """Pre-check a link: errors block it, warnings do not."""
    return apply.precheck_link(call.services, call.principal, body.document, ReasonTexts.of(call), call.progress)


@api.change("/api/zcbus/sync/link/start", _OPERATE)
def start(call: Call, body: LinkChoice) -> LinkRecord:
    """Start a link; a link in error starts again."""
    return _act(call, body, LinkAction.START)


@api.change("/api/zcbus/sync/link/pause", _OPERATE)
def pause(call: Call, body: LinkChoice) -> LinkRecord:
    """Apply nothing more for now; the source's changes still go to the bus."""
    return _act(call, body, LinkAction.PAUSE)


@api.change("/api/zcbus/sync/link/resume", _OPERATE)
def resume(call: Call, body: LinkChoice) -> LinkRecord:
    """Resume a paused link at its positions."""
    return _act(call, body, LinkAction.RESUME)


@api.change("/api/zcbus/sync/link/stop", _OPERATE)
def stop(call: Call, body: LinkChoice) -> LinkRecord:
    """Stop reading and applying; positions are kept."""
    return _act(call, body, LinkAction.STOP)


@api.change("/api/zcbus/sync/link/delete", _DELETE)
def delete(call: Call, body: LinkDeletion) -> LinkRecord:
    """Remove a link and what it left in its databases and on the bus; the target's data stays. Its configuration can be
    restored from the recycle bin. Answers its last state. Codes 40104 and 40105 concern the captcha."""
    confirm_deletion(call, body)
    link = service.find_link(call.connection, call.principal, body)
    record = _record(call, body)
    call.audit.subject, call.audit.before, call.audit.after = link.name, _plain(record), None
    service.delete(call.connection, call.services, call.principal, link)
    return record


@api.change("/api/zcbus/sync/link/table/reload", _OPERATE)
def reload_tables(call: Call, body: ReloadRequest) -> list[TableResult]:
    """Load tables again (start full) while the others run. Answers a result per table."""
    return order_tables(call, body, body.tables, TableVerb.RELOAD, Load(body.beside))


@api.change("/api/zcbus/sync/link/table/suspend", _OPERATE)
def suspend_tables(call: Call, body: TablesChoice) -> list[TableResult]:
    """Suspend tables while the others run. Answers a result per table."""
    return order_tables(call, body, body.tables, TableVerb.SUSPEND)


@api.change("/api/zcbus/sync/link/table/resume", _OPERATE)
def resume_tables(call: Call, body: TablesChoice) -> list[TableResult]:
    """Resume tables at their positions; those in error are retried. Answers a result per table."""
    return order_tables(call, body, body.tables, TableVerb.RESUME)


@api.change("/api/zcbus/sync/link/table/reset", _OPERATE)
def reset_tables(call: Call, body: TablesChoice) -> list[TableResult]:
    """Delete the positions of stopped tables and suspend them; their settings stay. Answers a result per table."""
    return order_tables(call, body, body.tables, TableVerb.RESET)


@api.change("/api/zcbus/sync/link/table/reset-start", _OPERATE)
def reset_and_start_tables(call: Call, body: TablesChoice) -> list[TableResult]:
    """Delete the positions of stopped tables and start them again, as the link's load mode says. Answers a result per
    table."""
    return order_tables(call, body, body.tables, TableVerb.RESET_START)


@api.change("/api/zcbus/sync/link/table/accept-gap", _OPERATE)
def accept_gaps(call: Call, body: GapRequest) -> list[TableResult]:
    """Continue tables without changes that the source or the bus no longer has; their rows stay unchanged in the
    target. Without `tables`: all of them. Answers a result per table."""
    return order_tables(call, body, body.tables, TableVerb.ACCEPT_GAP)


@api.read("/api/zcbus/sync/link/table/find-new", _EDIT, unit=Unit.OWN)
def find_new_tables(call: Call, body: LinkChoice) -> NewTableList:
    """Tables of the source that the link's patterns mean and that it does not carry yet; of a link that names each of
    its tables: those in the same schemas."""
    found = new_tables.find_new(call.services, call.principal, body)
    return NewTableList(tables=table_changes(found.plan.tables))


@api.change("/api/zcbus/sync/link/table/take-in", _EDIT, unit=Unit.OWN, followed=True)
def take_in_tables(call: Call, body: TakeInRequest) -> ApplyRecord:
    """Let a link carry further tables of its source. A wrong choice changes nothing."""
    call.audit.subject = _name_of(call, body)
    return new_tables.add_named(call.services, call.principal, body, body.tables, ReasonTexts.of(call), call.progress)


@api.read("/api/zcbus/sync/link/table/find-incremental", _OPERATE, unit=Unit.OWN)
def find_incremental(call: Call, body: IncrementalPosition) -> IncrementalPositionRecord:
    """Where changes would begin by a time or a record number, with the first change and the size of the gap."""
    return find_destination(call.services, call.principal, body)


@api.change("/api/zcbus/sync/link/table/start-incremental", _OPERATE, unit=Unit.OWN)
def start_incremental(call: Call, body: IncrementalStart) -> list[TableResult]:
    """Start stopped tables with the changes from a time or a record number on; with `hold` only set that position.
    Answers a result per table."""
    return start_at(call, body)


def _name_of(call: Call, choice: LinkChoice) -> str:
    with call.services.database.read() as store:
        name: str = service.find_link(store, call.principal, choice).name
        return name


def _act(call: Call, choice: LinkChoice, action: LinkAction) -> LinkRecord:
    link = service.find_link(call.connection, call.principal, choice)
    before = _record(call, choice)
    service.act(call.connection, call.services, link, before.state, action)
    after = _record(call, choice)
    call.audit.subject = link.name
    call.audit.before = {"desired": before.desired, "state": before.state}
    call.audit.after = {"desired": after.desired, "state": after.state}
    return after


def _record(call: Call, choice: LinkChoice) -> LinkRecord:
    link = service.find_link(call.connection, call.principal, choice)
    return listing.link_records(call.connection, [link], ReasonTexts.of(call), call.services.clock.now())[0]


def _document_now(call: Call, name: str) -> object:
    """The link's state before it is applied again; None where there is none."""
    try:
        with call.services.database.read() as connection:
            link = service.find_link(connection, call.principal, LinkChoice(id=None, name=name))
    except (RecordNotFoundError, LinkNameAmbiguousError):
        return None
    return {"document": listing.export(link).model_dump(mode="json", by_alias=True)}


def _plain(record: LinkRecord) -> object:
    return record.model_dump(mode="json", by_alias=True, include={"name", "source", "target", "desired", "state"})
