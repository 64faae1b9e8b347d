"""The trees: databases, their schemas, and the tables of those."""

from dataclasses import dataclass
from urllib.parse import quote, unquote

from zcbus.control.features.datasource import connections, inventory
from zcbus.control.features.datasource.schemas import ConnectionRecord, Side, TableFilterRequest, TableRecord
from zcbus.control.features.datasource.service import inventory as tables_known
from zcbus.control.features.simplify_sync.databases import KnownDatabase, find_database, known_databases
from zcbus.control.features.simplify_sync.schemas import TreeRecord, TreeRequest
from zcbus.control.platform.agent_requests import ask
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import ALL, Page, part_of
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.protocol.answers import Schemas, TableLine
from zcbus.protocol.base import Connection
from zcbus.protocol.requests import ListSchemas


@dataclass(frozen=True, slots=True)
class TreePath:
    """Decoded id of a tree entry; '' below its level."""

    database: str
    schema: str = ""
    table: str = ""

    @classmethod
    def parse(cls, identifier: str) -> "TreePath":
        """Decode an id; an invalid id names a database that does not exist."""
        parts = [unquote(part) for part in identifier.split("/", 2)]
        return cls(*parts)

    @property
    def id(self) -> str:
        return "/".join(quote(part, safe="") for part in (self.database, self.schema, self.table) if part)


@dataclass(frozen=True, slots=True)
class OpenDatabase:
    """A known database with its password, for agents."""

    known: KnownDatabase
    connection: Connection


def open_database(call: Call, side: Side, database_id: str) -> OpenDatabase:
    """Raises RecordNotFoundError."""
    with call.services.database.read() as store:
        known = find_database(store, call.principal, side, database_id)
        return OpenDatabase(known, connections.open_stored(store, call.services.secrets, known.current_id))


def tables_of(call: Call, database: OpenDatabase, refresh: bool = False) -> tuple[TableLine, ...]:
    """All tables of a database. Asks an agent: not to be called inside a transaction."""
    return tables_known.tables(
        call.services, database.known.destination, database.connection, refresh=refresh, progress=call.progress
    )


def page_tree(call: Call, request: TreeRequest, side: Side) -> Page[TreeRecord]:
    """A page of an entry's children."""
    if request.parent_id_is_null or not request.id:
        return _databases(call, request, side)
    place = TreePath.parse(request.id)
    database = open_database(call, side, place.database)
    if not place.schema:
        return _schemas(call, request, database)
    return _tables(call, request, database, place.schema)


def _databases(call: Call, request: TreeRequest, side: Side) -> Page[TreeRecord]:
    with call.services.database.read() as store:
        known = known_databases(store, call.principal, side)
    text = (request.search or "").strip().lower()
    return _part([_database_record(one) for one in known if text in _searched_text(one)], request)


def _searched_text(one: KnownDatabase) -> str:
    return " ".join((one.kind, *(str(value) for value in one.options.values()), *one.used_by)).lower()


def _database_record(one: KnownDatabase) -> TreeRecord:
    return TreeRecord(
        id=TreePath(one.id).id,
        parent_id=None,
        type="database",
        name=one.title,
        leaf=False,
        place=ConnectionRecord(kind=one.kind, **one.options),
        used_by=list(one.used_by),
    )


def _schemas(call: Call, request: TreeRequest, database: OpenDatabase) -> Page[TreeRecord]:
    names = ask(call.services, database.known.destination, ListSchemas(connection=database.connection), Schemas).schemas
    if request.search and request.search.strip():
        lines = tables_of(call, database, request.refresh)
        everything = TableFilterRequest(size=ALL, search=request.search, schema=None)
        matching = {record.schema_name for record in _found(call, lines, everything).records}
        names = tuple(name for name in names if name in matching or request.search.strip().lower() in name.lower())
    parent = TreePath(database.known.id)
    records = [
        TreeRecord(id=TreePath(parent.database, name).id, parent_id=parent.id, type="schema", name=name, leaf=False)
        for name in sorted(names)
    ]
    return _part(records, request)


def _tables(call: Call, request: TreeRequest, database: OpenDatabase, schema: str) -> Page[TreeRecord]:
    filters = TableFilterRequest(
        current=request.current, size=request.size, search=request.search, schema=schema, sort="table", order="asc"
    )
    found = _found(call, tables_of(call, database, request.refresh), filters)
    parent = TreePath(database.known.id, schema)
    return Page(records=[_table_record(record, parent) for record in found.records], total=found.total)


def _found(call: Call, lines: tuple[TableLine, ...], request: TableFilterRequest) -> Page[TableRecord]:
    return inventory.page(lines, request, ReasonTexts.of(call))


def _table_record(record: TableRecord, parent: TreePath) -> TreeRecord:
    return TreeRecord(
        id=TreePath(parent.database, parent.schema, record.table).id,
        parent_id=parent.id,
        type="table",
        name=record.table,
        leaf=True,
        estimated_rows=record.estimated_rows,
        has_key=record.has_primary_key or record.has_unique_key,
        refused=record.refused,
    )


def _part(records: list[TreeRecord], request: TreeRequest) -> Page[TreeRecord]:
    return Page(records=part_of(records, request), total=len(records))
