"""Tables of publish nodes without a sync link: add, describe, set a key. See `table_command` for orders."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row

from zcbus.control.features.container import service as containers
from zcbus.control.features.datasource import connections
from zcbus.control.features.datasource import service as datasource
from zcbus.control.features.publish import service
from zcbus.control.features.publish.errors import AppendOnlyHasKeyError, KeyColumnUnknownError, TableReceivedError
from zcbus.control.features.publish.listing import destination_of, facts_of, find_node, select_tables
from zcbus.control.features.publish.nodes import own_node
from zcbus.control.features.publish.schemas import (
    KeyChange,
    KeyInput,
    TablesAddition,
    TableToAdd,
)
from zcbus.control.platform.agent_requests import ask
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.outcomes import TableResult
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.model.table_verbs import PUBLISHED, TableVerb
from zcbus.protocol.answers import Description, Descriptions, TableLine
from zcbus.protocol.base import TableRef
from zcbus.protocol.requests import DescribeTables


def lines_of_source(call: Call, node_id: str, *, refresh: bool) -> tuple[TableLine, ...]:
    """The tables of a node's database. Asks an agent: not to be called inside a transaction."""
    with call.services.database.read() as store:
        node = find_node(store, call.principal, node_id)
        source = connections.open_stored(store, call.services.secrets, node.data_source_id)
    destination = destination_of(node, call.services.clock.now())
    return datasource.inventory.tables(call.services, destination, source, refresh=refresh, progress=call.progress)


def describe(call: Call, node_id: str, table: TableRef) -> Description | None:
    """A table's columns and keys in a node's database; None: it is not there. As `lines_of_source`."""
    with call.services.database.read() as store:
        node = find_node(store, call.principal, node_id)
        source = connections.open_stored(store, call.services.secrets, node.data_source_id)
    question = DescribeTables(connection=source, tables=(table,))
    answer = ask(call.services, destination_of(node, call.services.clock.now()), question, Descriptions)
    return next(iter(answer.tables), None)


def find_table(store: StoreConnection, node_id: str, table_id: str) -> Row[Any]:
    """A table of a node. Raises RecordNotFoundError."""
    rows = select_tables(store, node_id, [table_id])
    if not rows:
        raise RecordNotFoundError(kind="published-table", id=table_id)
    return rows[0]


def add(call: Call, request: TablesAddition) -> list[TableResult]:
    """Publish further tables. Asks an agent which exist."""
    with call.services.database.read() as store:
        call.audit.subject = own_node(store, call.principal, request.node_master).name
    call.progress.step("list-tables")
    lines = {_ref(line): line for line in lines_of_source(call, request.node_master, refresh=True)}
    texts = ReasonTexts.of(call)
    call.progress.step("store", len(request.tables), final=True)
    with call.services.database.write() as store:
        node = own_node(store, call.principal, request.node_master)
        present = {_ref(row) for row in select_tables(store, node.id)}
        results, requested = _sort_out(request.tables, lines, present, texts)
        publishable = [service.TableToPublish(ref, key_of(one), request.full) for ref, one in requested.items()]
        ids = service.add_tables(store, node.id, publishable, call.services.clock.now())
        containers.notify_container(store, node.container_id)
    return [
        *(TableResult(id=ids[ref], table=_spell(ref), done=True, reason="") for ref in requested),
        *results,
    ]


def set_key(call: Call, request: KeyChange) -> None:
    """Identify a table's rows by these columns. Asks an agent for the columns. Raises KeyColumnUnknownError,
    AppendOnlyHasKeyError, TableReceivedError."""
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
        revive(store, node, [row])
        containers.notify_container(store, node.container_id)


def _refuse_received(row: Row[Any]) -> None:
    if PUBLISHED[TableVerb.SET_KEY].refusal(facts_of(row)):
        raise TableReceivedError(table=_spell(_ref(row)))


def key_of(given: KeyInput) -> service.RowKey:
    """The requested key of a table."""
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


def revive(store: StoreConnection, node: Row[Any], rows: Sequence[Row[Any]]) -> None:
    """Restart a service that ended for good: the order to its tables may be the repair."""
    if any(row.deserted for row in rows):
        containers.restart(store, [node.service_id])


def _sort_out(
    requested: Iterable[TableToAdd], lines: dict[TableRef, TableLine], present: set[TableRef], texts: ReasonTexts
) -> tuple[list[TableResult], dict[TableRef, TableToAdd]]:
    """Those that cannot be published with the reason, and the others."""
    refused: list[TableResult] = []
    chosen: dict[TableRef, TableToAdd] = {}
    for table in requested:
        ref = _requested_ref(table)
        code = _code_against(ref, table, lines, present)
        if code:
            name = _spell(ref)
            refused.append(TableResult(id=None, table=name, done=False, code=code, reason=texts.named(code, code)))
        else:
            chosen.setdefault(ref, table)
    return refused, chosen


def _code_against(ref: TableRef, table: TableToAdd, lines: dict[TableRef, TableLine], present: set[TableRef]) -> str:
    if ref in present:
        return "table-published-already"
    if ref not in lines:
        return "table-not-in-source"
    line = lines[ref]
    if table.append_only and (line.has_primary_key or line.has_unique_key):
        return "append-only-of-keyed"
    return f"refusal.{line.refused}" if line.refused else ""


def _ref(row: Any) -> TableRef:
    name = row.table if isinstance(row, TableLine) else row.table_name
    return TableRef(schema_name=row.schema_name, table=name)


def _requested_ref(table: TableToAdd) -> TableRef:
    return TableRef(schema_name=table.schema_name, table=table.table)


def _spell(ref: TableRef) -> str:
    return f"{ref.schema_name}.{ref.table}"
