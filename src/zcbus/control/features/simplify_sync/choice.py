"""Matching of the entries chosen in the trees."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import func, select

from zcbus.control.features.simplify_sync.databases import KnownDatabase
from zcbus.control.features.simplify_sync.errors import OtherTenantError, SeveralDatabasesError, TargetSchemaError
from zcbus.control.features.simplify_sync.matching import Match, TargetSide, has_wrong_length, match
from zcbus.control.features.simplify_sync.schemas import MatchChoice, MatchState
from zcbus.control.features.simplify_sync.tree import OpenDatabase, TreePath, open_database, tables_of
from zcbus.control.features.subscribe import views
from zcbus.control.features.subscribe.schemas import MAX_TARGET_NAME_LENGTH
from zcbus.control.platform.call import Call
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.store.tables.publish import publish_node
from zcbus.control.store.tables.subscribe import customer, master
from zcbus.protocol.answers import TableLine
from zcbus.protocol.base import TableRef


@dataclass(frozen=True, slots=True)
class Matched:
    """Two databases and the tables matched between them."""

    source: OpenDatabase
    target: OpenDatabase
    matches: Sequence[Match]


def matches_of(call: Call, choice: MatchChoice, refresh: bool = False) -> Matched:
    """The matches of a choice. Asks an agent: not to be called inside a transaction. Raises SeveralDatabasesError,
    TargetSchemaError, OtherTenantError, RecordNotFoundError."""
    chosen = [TreePath.parse(identifier) for identifier in choice.source]
    if len({path.database for path in chosen}) > 1:
        raise SeveralDatabasesError
    goal = TreePath.parse(choice.target)
    if not goal.schema or goal.table:
        raise TargetSchemaError
    source = open_database(call, "source", chosen[0].database)
    target = open_database(call, "target", goal.database)
    if source.known.tenant_id != target.known.tenant_id:
        raise OtherTenantError
    call.progress.step("list-tables")
    chosen_tables, left_out = _by_schema(chosen), _by_schema([TreePath.parse(one) for one in choice.leave_out])
    lines = [
        line
        for line in tables_of(call, source, refresh)
        if _is_chosen(line, chosen_tables) and line.table not in left_out.get(line.schema_name, ())
    ]
    existing = [line.table for line in tables_of(call, target, refresh) if line.schema_name == goal.schema]
    side = TargetSide(goal.schema, existing, _carried(call, source.known, target.known))
    return Matched(source, target, match(lines, side, choice.names.rule(), choice.exact))


def reason_of(found: Match, texts: ReasonTexts) -> str:
    """Why a match is left out."""
    if found.state is MatchState.CARRIED:
        return texts.text("simplify.carried", {"link": found.carried_by})
    if found.state is MatchState.CONFLICT:
        return texts.text("simplify.conflict", {"table": found.target.table})
    if has_wrong_length(found.target.table):
        return texts.text("target-name-length", {"name": found.target.table, "limit": str(MAX_TARGET_NAME_LENGTH)})
    return texts.named(f"refusal.{found.line.refused}", found.line.refused)


def _by_schema(chosen: Sequence[TreePath]) -> Mapping[str, set[str]]:
    """Tables by schema; '' among them: all of the schema's. Under '' as a schema: the whole database."""
    tables: dict[str, set[str]] = {}
    for path in chosen:
        tables.setdefault(path.schema, set()).add(path.table)
    return tables


def _is_chosen(line: TableLine, chosen: Mapping[str, set[str]]) -> bool:
    if "" in chosen:
        return True
    tables = chosen.get(line.schema_name, set())
    return "" in tables or line.table in tables


def _carried(call: Call, source: KnownDatabase, target: KnownDatabase) -> Mapping[tuple[TableRef, TableRef], str]:
    """(source, target) → link, of the tables that are carried from the one database to the other."""
    table = views.tables()
    statement = (
        select(table.c.source_schema, table.c.source_table, table.c.target_schema, table.c.target_table)
        .add_columns(table.c.link_name)
        .join(publish_node, publish_node.c.id == table.c.node_id)
        .join(master, master.c.id == table.c.master_id)
        .join(customer, customer.c.id == master.c.customer_id)
        .where(
            publish_node.c.data_source_id.in_(source.data_source_ids),
            func.coalesce(master.c.data_source_id, customer.c.data_source_id).in_(target.data_source_ids),
        )
    )
    with call.services.database.read() as store:
        rows = store.execute(statement).all()
    return {
        (
            TableRef(schema_name=row.source_schema, table=row.source_table),
            TableRef(schema_name=row.target_schema, table=row.target_table),
        ): row.link_name
        for row in rows
    }
