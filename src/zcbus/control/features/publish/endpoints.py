"""Calls of publish nodes and their tables."""

from zcbus.control.features.captcha.deletion import confirm_deletion
from zcbus.control.features.datasource import inventory
from zcbus.control.features.datasource import service as datasource
from zcbus.control.features.datasource.schemas import TableDescription
from zcbus.control.features.publish import listing, nodes, tables, topics
from zcbus.control.features.publish.schemas import (
    NODES,
    PUBLISHED_TABLES,
    CandidatePageRequest,
    CandidateRecord,
    KeyChange,
    NodeAction,
    NodeChange,
    NodeChoice,
    NodeDeletion,
    NodeInfo,
    NodeInput,
    NodePageRequest,
    NodeRecord,
    PublishedPage,
    PublishedPageRequest,
    PublishedTableChoice,
    TablesAddition,
    TopicRecord,
    TopicRequest,
    VersionRecord,
)
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.outcomes import TableResult, note_and_return
from zcbus.control.platform.paging import Page, answer_page, with_totals
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.platform.routing import Api
from zcbus.protocol.base import TableRef

api = Api("publish")

_VIEW = authorise("publish", Operation.VIEW)
_CREATE = authorise("publish", Operation.CREATE)
_EDIT = authorise("publish", Operation.EDIT)
_OPERATE = authorise("publish", Operation.OPERATE)
_DELETE = authorise("publish", Operation.DELETE)


@api.read("/api/zcbus/publish/buspushstatustb/page", _VIEW, lists=NODES)
def page_nodes(call: Call, body: NodePageRequest) -> Page[NodeRecord]:
    """Publish nodes with their state, tables and possible actions."""
    now = call.services.clock.now()
    return answer_page(call, body, listing.node_listing(call.principal, body, ReasonTexts.of(call), now))


@api.read("/api/zcbus/publish/buspushstatustb/getNodeInfo", _VIEW, unit=Unit.SNAPSHOT)
def get_node_info(call: Call, body: NodeChoice) -> NodeInfo:
    """One publish node with its service."""
    node = listing.find_node(call.connection, call.principal, body.node_master)
    return listing.node_info(call.connection, call.principal, node, ReasonTexts.of(call), call.services.clock.now())


@api.change("/api/zcbus/publish/node/add", _CREATE)
def add_node(call: Call, body: NodeInput) -> str:
    """Make a publish node without tables; answers its id. Code 61100: its data source is not configured."""
    call.audit.subject = body.name
    call.audit.after = body.model_dump(mode="json")
    return nodes.add(call.connection, call.services, call.principal, body)


@api.change("/api/zcbus/publish/node/edit", _EDIT)
def edit_node(call: Call, body: NodeChange) -> list[str]:
    """Change a publish node's settings; answers the names of those that differ."""
    before = listing.find_node(call.connection, call.principal, body.node_master)
    call.audit.subject = before.name
    call.audit.before = {**nodes.settings(before), "connection": before.options}
    call.audit.after = body.model_dump(mode="json")
    return list(nodes.change(call.connection, call.services, call.principal, body))


@api.change("/api/zcbus/publish/node/start", _OPERATE)
def start_node(call: Call, body: NodeChoice) -> NodeInfo:
    """Start a node's publish service; one that failed starts again."""
    return _act_on_node(call, body, NodeAction.START)


@api.change("/api/zcbus/publish/node/stop", _OPERATE)
def stop_node(call: Call, body: NodeChoice) -> NodeInfo:
    """Stop reading the source; positions are kept, so its log grows meanwhile."""
    return _act_on_node(call, body, NodeAction.STOP)


@api.change("/api/zcbus/publish/node/delete", _DELETE)
def delete_node(call: Call, body: NodeDeletion) -> str:
    """Remove a node without subscribers, with what it left in its database and on the bus. Answers its name. Codes
    40104 and 40105 concern the captcha."""
    confirm_deletion(call, body)
    node = nodes.delete(call.connection, call.services, call.principal, body.node_master)
    call.audit.subject, call.audit.before = node.name, {"name": node.name, "tables": node.total}
    return str(node.name)


@api.read("/api/zcbus/publish/table/page", _VIEW, unit=Unit.SNAPSHOT, lists=PUBLISHED_TABLES)
def page_tables(call: Call, body: PublishedPageRequest) -> PublishedPage:
    """A node's tables with their state, figures and possible actions, and totals of the same moment."""
    node = listing.find_node(call.connection, call.principal, body.node_master)
    texts = ReasonTexts.of(call)
    listed = listing.table_listing(body, node.link_id is not None, texts)
    found = answer_page(call, body, listed, None if body.search or body.state else node.total)
    return with_totals(found, PublishedPage, listing.node_moment(node, texts, call.services.clock.now()))


@api.read("/api/zcbus/publish/table/candidate/page", _VIEW, unit=Unit.OWN, lists=inventory.TABLES)
def page_candidates(call: Call, body: CandidatePageRequest) -> Page[CandidateRecord]:
    """Tables of a node's database, searched, filtered and sorted here."""
    lines = tables.lines_of_source(call, body.node_master, refresh=body.refresh)
    with call.services.database.read() as store:
        rows = listing.select_tables(store, body.node_master)
    published = {(row.schema_name, row.table_name) for row in rows}
    if body.published is not None:
        lines = tuple(line for line in lines if ((line.schema_name, line.table) in published) == body.published)
    page = inventory.page(lines, body, ReasonTexts.of(call))
    records = [
        CandidateRecord(**record.model_dump(), published=(record.schema_name, record.table) in published)
        for record in page.records
    ]
    return Page(records=records, total=page.total)


@api.change("/api/zcbus/publish/table/add", _EDIT, unit=Unit.OWN, followed=True)
def add_tables(call: Call, body: TablesAddition) -> list[TableResult]:
    """Publish further tables of a node's database. Answers a result per table."""
    results = tables.add(call, body)
    return note_and_return(call, results, "add", subject=call.audit.subject, full=body.full)


@api.change("/api/zcbus/publish/table/set-key", _EDIT, unit=Unit.OWN)
def set_key(call: Call, body: KeyChange) -> None:
    """Identify a table's rows by these columns (ApplyByKey), or by none (append-only); its full data is published
    again."""
    call.audit.after = {"key": body.key, "appendOnly": body.append_only}
    tables.set_key(call, body)


@api.read("/api/zcbus/publish/table/describe", _VIEW, unit=Unit.OWN)
def describe_table(call: Call, body: PublishedTableChoice) -> TableDescription | None:
    """Columns and keys of a published table as its database has them now; null: it is not there."""
    with call.services.database.read() as store:
        node = listing.find_node(store, call.principal, body.node_master)
        row = tables.find_table(store, node.id, body.table)
    found = tables.describe(call, node.id, TableRef(schema_name=row.schema_name, table=row.table_name))
    return datasource.description(found, ReasonTexts.of(call)) if found is not None else None


@api.read("/api/zcbus/publish/table/version/list", _VIEW, unit=Unit.OWN)
def list_versions(call: Call, body: PublishedTableChoice) -> list[VersionRecord]:
    """The structures that a published table had, the newest first, as far as the bus remembers."""
    return topics.list_versions(call, body)


@api.read("/api/zcbus/publish/topic/list", _VIEW, unit=Unit.OWN)
def list_topics(call: Call, body: TopicRequest) -> list[TopicRecord]:
    """How much a node, or one of its tables, keeps on the bus, measured now."""
    return topics.list_topics(call, body)


def _act_on_node(call: Call, choice: NodeChoice, action: NodeAction) -> NodeInfo:
    before = nodes.act(call.connection, call.principal, choice.node_master, action)
    call.audit.subject = before.name
    call.audit.before, call.audit.after = {"state": before.current_state}, {"action": action.value}
    return get_node_info(call, choice)
