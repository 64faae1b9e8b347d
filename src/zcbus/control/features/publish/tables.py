"""Tables of publish nodes that stand by themselves: added, published again, tried again, withdrawn, given a key. Many
at once, with a result for each."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row

from zcbus.control.features.container import service as containers
from zcbus.control.features.container.reasons import ReasonTexts
from zcbus.control.features.container.requests import ask
from zcbus.control.features.datasource import connections
from zcbus.control.features.datasource import service as datasource
from zcbus.control.features.publish import service
from zcbus.control.features.publish.errors import AppendOnlyHasKeyError, KeyColumnUnknownError
from zcbus.control.features.publish.listing import find_node, place_of, select_tables, table_actions
from zcbus.control.features.publish.nodes import own_node
from zcbus.control.features.publish.schemas import (
    KeyChange,
    KeyInput,
    PublishedChoice,
    PublishTableAction,
    TableResult,
    TablesAddition,
    TableToAdd,
)
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.protocol.answers import Description, Descriptions, TableLine
from zcbus.protocol.base import TableRef
from zcbus.protocol.requests import DescribeTables


def lines_of_source(call: Call, node_id: str, *, refresh: bool) -> tuple[TableLine, ...]:
    """What a node's database holds. Asks an agent: not to be called inside a transaction."""
    with call.services.database.read() as store:
        node = find_node(store, call.principal, node_id)
        source = connections.open_stored(store, call.services.secrets, node.data_source_id)
    place = place_of(node, call.services.clock.now())
    return datasource.inventory.tables(call.services, place, source, refresh=refresh, progress=call.progress)


def describe(call: Call, node_id: str, table: TableRef) -> Description | None:
    """A table's columns and keys in a node's database; None: it is not there. As `lines_of_source`."""
    with call.services.database.read() as store:
        node = find_node(store, call.principal, node_id)
        source = connections.open_stored(store, call.services.secrets, node.data_source_id)
    question = DescribeTables(connection=source, tables=(table,))
    answer = ask(call.services, place_of(node, call.services.clock.now()), question, Descriptions)
    return next(iter(answer.tables), None)


def find_table(store: StoreConnection, node_id: str, table_id: str) -> Row[Any]:
    """A table of a node. Raises RecordNotFoundError."""
    rows = select_tables(store, node_id, [table_id])
    if not rows:
        raise RecordNotFoundError(kind="published-table", id=table_id)
    return rows[0]


def add(call: Call, request: TablesAddition) -> list[TableResult]:
    """Publish further tables. Asks an agent which there are."""
    with call.services.database.read() as store:
        call.audit.subject = own_node(store, call.principal, request.node_master).name
    call.progress.step("list-tables")
    lines = {_ref(line): line for line in lines_of_source(call, request.node_master, refresh=True)}
    texts = ReasonTexts.of(call)
    call.progress.step("store", len(request.tables), final=True)
    with call.services.database.write() as store:
        node = own_node(store, call.principal, request.node_master)
        present = {_ref(row) for row in select_tables(store, node.id)}
        results, wanted = _sort_out(request.tables, lines, present, texts)
        publishable = [service.TableToPublish(ref, key_of(one), request.full) for ref, one in wanted.items()]
        ids = service.add_tables(store, node.id, publishable, call.services.clock.now())
        containers.announce(store, node.container_id)
    return [
        *(TableResult(id=ids[ref], table=_spell(ref), done=True, reason="") for ref in wanted),
        *results,
    ]


def act(call: Call, request: PublishedChoice, action: PublishTableAction) -> list[TableResult]:
    """Do the same with tables of a node; those with which it cannot be done stay as they are."""
    store = call.connection
    node = own_node(store, call.principal, request.node_master)
    rows = select_tables(store, node.id, request.tables)
    possible = [row for row in rows if action in table_actions(row)]
    call.audit.subject, call.audit.before = node.name, {_spell(_ref(row)): row.current_state for row in possible}
    _perform(store, node, possible, action)
    texts, done = ReasonTexts.of(call), {row.id for row in possible}
    known = {row.id for row in rows}
    missing = texts.named("table-not-published", "")
    return [
        *(_result(row, action, row.id in done, texts) for row in rows),
        *(TableResult(id=one, table="", done=False, reason=missing) for one in request.tables if one not in known),
    ]


def set_key(call: Call, request: KeyChange) -> None:
    """Identify a table's rows by these columns. Asks an agent for the columns. Raises KeyColumnUnknownError,
    AppendOnlyHasKeyError."""
    with call.services.database.read() as store:
        node = own_node(store, call.principal, request.node_master)
        row = find_table(store, node.id, request.table)
    call.audit.subject = f"{node.name}: {_spell(_ref(row))}"
    if request.key or request.append_only:
        _check_key(call, node.id, row, request)
    with call.services.database.write() as store:
        node = own_node(store, call.principal, request.node_master)
        row = find_table(store, node.id, request.table)
        _refuse_received(row)
        call.audit.before = {"key": row.key_columns, "appendOnly": row.append_only}
        # The rows on the full topic were read in the order of the old key.
        generation = row.generation + 1 if row.generation else 0
        service.change_tables(store, {row.id: (key_of(request), generation)})
        service.retry(store, [row.id])
        _revive(store, node, [row])
        containers.announce(store, node.container_id)


def _refuse_received(row: Row[Any]) -> None:
    if PublishTableAction.SET_KEY not in table_actions(row):
        raise RecordNotFoundError(kind="published-table", id=row.id)


def key_of(given: KeyInput) -> service.RowKey:
    """What was said of a table's key."""
    return service.RowKey(tuple(given.key), given.append_only)


def _check_key(call: Call, node_id: str, row: Row[Any], given: KeyInput) -> None:
    description = describe(call, node_id, _ref(row))
    own = (description.primary_key or next(iter(description.unique_keys), ())) if description is not None else ()
    if given.append_only and own:
        raise AppendOnlyHasKeyError(table=_spell(_ref(row)), columns=", ".join(own))
    known = {column.name for column in description.columns} if description is not None else set[str]()
    unknown = [name for name in given.key if name not in known]
    if unknown:
        raise KeyColumnUnknownError(table=_spell(_ref(row)), columns=", ".join(unknown))


def _perform(store: StoreConnection, node: Row[Any], rows: Sequence[Row[Any]], action: PublishTableAction) -> None:
    if not rows:
        return
    ids = [row.id for row in rows]
    if action is PublishTableAction.WITHDRAW:
        service.remove_tables(store, ids)
    elif action is PublishTableAction.STOP:
        service.stop_tables(store, ids)
    elif action is PublishTableAction.PUBLISH_AGAIN:
        service.change_tables(store, {row.id: (service.RowKey.of(row), row.generation + 1) for row in rows})
        _revive(store, node, rows)
    else:
        service.retry(store, [row.id for row in rows if not row.deserted])
        # Publishing looks at its tables when it starts.
        containers.restart(store, [node.service_id])
    containers.announce(store, node.container_id)


def _revive(store: StoreConnection, node: Row[Any], rows: Sequence[Row[Any]]) -> None:
    """Have a service started afresh that ended for good: what is asked of its tables may be what mends it."""
    if any(row.deserted for row in rows):
        containers.restart(store, [node.service_id])


def _sort_out(
    wanted: Iterable[TableToAdd], lines: dict[TableRef, TableLine], present: set[TableRef], texts: ReasonTexts
) -> tuple[list[TableResult], dict[TableRef, TableToAdd]]:
    """Those that cannot be published with the reason, and the others."""
    refused: list[TableResult] = []
    chosen: dict[TableRef, TableToAdd] = {}
    for table in wanted:
        ref = _wanted_ref(table)
        reason = _reason_against(ref, table, lines, present, texts)
        if reason:
            refused.append(TableResult(id=None, table=_spell(ref), done=False, reason=reason))
        else:
            chosen.setdefault(ref, table)
    return refused, chosen


def _reason_against(
    ref: TableRef,
    table: TableToAdd,
    lines: dict[TableRef, TableLine],
    present: set[TableRef],
    texts: ReasonTexts,
) -> str:
    if ref in present:
        return texts.named("table-published-already", "")
    if ref not in lines:
        return texts.named("table-not-in-source", "")
    line = lines[ref]
    if table.append_only and (line.has_primary_key or line.has_unique_key):
        return texts.named("append-only-of-keyed", "")
    refused = line.refused
    return texts.named(f"refusal.{refused}", refused) if refused else ""


def _result(row: Row[Any], action: PublishTableAction, done: bool, texts: ReasonTexts) -> TableResult:
    return TableResult(
        id=row.id, table=_spell(_ref(row)), done=done, reason="" if done else texts.named(_hindrance(row, action), "")
    )


def _hindrance(row: Row[Any], action: PublishTableAction) -> str:
    if action is PublishTableAction.STOP:
        return "table-is-computed-from" if row.computed else "table-action-impossible"
    return "table-has-subscribers" if row.subscribers else "table-action-impossible"


def _ref(row: Any) -> TableRef:
    name = row.table if isinstance(row, TableLine) else row.table_name
    return TableRef(schema_name=row.schema_name, table=name)


def _wanted_ref(table: TableToAdd) -> TableRef:
    return TableRef(schema_name=table.schema_name, table=table.table)


def _spell(ref: TableRef) -> str:
    return f"{ref.schema_name}.{ref.table}"
