"""Calls of simplified sync (the specification's 7.4: both toolbars)."""

from zcbus.control.features.simplify_sync import listing, starting, tree
from zcbus.control.features.simplify_sync.schemas import (
    TREE,
    MatchPage,
    MatchPageRequest,
    StartRecord,
    StartRequest,
    TreeRecord,
    TreeRequest,
)
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.outcomes import note_and_return
from zcbus.control.platform.paging import Page
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api

api = Api("simplify-sync")

_VIEW = authorise("sync-link", Operation.VIEW)
_CREATE = authorise("sync-link", Operation.CREATE)


@api.read("/api/zcbus/simplify/sync/source/left/toolbar/page/list", _VIEW, unit=Unit.OWN, lists=TREE)
def page_sources(call: Call, body: TreeRequest) -> Page[TreeRecord]:
    """Databases that can be read, the schemas of one, or the tables of a schema."""
    return tree.page_tree(call, body, "source")


@api.read("/api/zcbus/simplify/sync/target/left/toolbar/page/list", _VIEW, unit=Unit.OWN, lists=TREE)
def page_targets(call: Call, body: TreeRequest) -> Page[TreeRecord]:
    """Databases that can be written, the schemas of one, or the tables of a schema."""
    return tree.page_tree(call, body, "target")


@api.read("/api/zcbus/simplify/sync/match/page", _VIEW, unit=Unit.OWN, lists=listing.MATCHES)
def page_matches(call: Call, body: MatchPageRequest) -> MatchPage:
    """Where each chosen table goes, matched by name."""
    return listing.page_matches(call, body)


@api.change("/api/zcbus/simplify/sync/start", _CREATE, unit=Unit.OWN, followed=True)
def start(call: Call, body: StartRequest) -> StartRecord:
    """Create and start a sync link with every chosen table that passes. Answers a result per table."""
    asked = {**body.model_dump(mode="json", exclude={"source", "leave_out"}), "source": body.source[:100]}
    call.audit.subject, call.audit.after = body.name, asked
    record = starting.start(call, body)
    note_and_return(call, record.results, "start", subject=body.name, **asked)
    return record
