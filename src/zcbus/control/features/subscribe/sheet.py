"""The data sheet: the tables that masters' channels receive, with those of sync links. `table_command` gives orders to
them."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row, Select, and_, select

from zcbus.bus.topics import full_topic, real_topic
from zcbus.control.features.parameter import service as parameters
from zcbus.control.features.publish import views as publish_views
from zcbus.control.features.subscribe import comparisons, tables, unbound, views
from zcbus.control.features.subscribe.client_types import reached
from zcbus.control.features.subscribe.errors import TablesOfSeveralNodesError
from zcbus.control.features.subscribe.lookup import find_channel, find_master
from zcbus.control.features.subscribe.masters import destination_of
from zcbus.control.features.subscribe.queries import strategy_names
from zcbus.control.features.subscribe.sheet_schemas import (
    CANDIDATES,
    CandidateRequest,
    PublishedCandidate,
    SheetPageRequest,
    SheetPosition,
    SheetRecord,
)
from zcbus.control.features.subscribe.start_position import (
    IncrementalPositionRecord,
    find_start,
    position_record,
)
from zcbus.control.platform.agent_requests import Destination
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.store.among import among
from zcbus.control.store.search import any_named
from zcbus.control.store.tables.publish import published_table
from zcbus.control.store.tables.subscribe import channel, subscribed_table
from zcbus.model.reduction.services import is_stale
from zcbus.model.table_verbs import Right


def listing(call: Call, request: SheetPageRequest) -> Listing[SheetRecord]:
    """Subscribed tables that the caller may see."""
    table = views.tables()
    filters = (
        (table.c.client_type, request.client_type),
        (table.c.customer_id, request.customer_id),
        (table.c.master_id, request.control_id),
        (table.c.channel_id, request.channel_id),
        (table.c.node_id, request.node_master),
    )
    conditions = [column == value for column, value in filters if value]
    if request.tables:
        conditions.append(table.c.id.in_(request.tables))
    condition = and_(reached(call.principal, table.c.tenant_id, table.c.client_type), *conditions)
    texts, now = ReasonTexts.of(call), call.services.clock.now()
    policies = strategy_names(call.connection, call.principal)
    rights, limit = tables.link_rights(call.principal), parameters.lag_limit_seconds(call.connection)

    def to_record(row: Row[Any]) -> SheetRecord:
        stale = is_stale(row.agent_seen_at, now)
        return record(row, texts, stale, limit, policies.get(row.customer_id, []), rights)

    return tables.listing(table, condition, request.search, request.state, to_record)


def record(
    row: Row[Any],
    texts: ReasonTexts,
    stale: bool,
    limit_seconds: int,
    policies: list[str],
    rights: frozenset[Right],
) -> SheetRecord:
    """A line of the data sheet. `limit_seconds`: see `tables.pace`. `rights`: the caller's for sync links."""
    figures = tables.figures(row, texts, stale, limit_seconds, rights)
    changes = row.inserts + row.updates + row.deletes
    begun, ended = row.load_started_at, row.load_finished_at or row.reported_at
    return SheetRecord(
        **figures,
        customer_id=row.customer_id,
        customer_name=row.customer_name,
        control_id=row.master_id,
        control_name=row.master_name,
        channel_id=row.channel_id,
        channel_name=row.channel_name,
        node_master=row.node_id,
        node_name=row.node_name,
        link_id=row.link_id,
        policy_names=policies,
        queue_name=real_topic(row.node_id),
        full_topic=full_topic(row.node_id, row.published_table_id, row.published_generation),
        version=row.generation,
        load_type=row.load_type,
        load_threads=row.load_threads,
        load=row.load_mode,
        clean=row.clean_mode,
        ddl=row.ddl_mode,
        load_started_at=begun,
        load_finished_at=row.load_finished_at,
        total_time_ms=round(1000 * (ended - begun).total_seconds()) if begun and ended else None,
        load_size_bytes=_size(row, figures["rows_loaded"]),
        load_size_total_bytes=_size(row, figures["rows_total"]),
        ddl_seen=row.ddl_seen,
        ddl_followed=row.ddl_followed,
        ddl_skipped=row.ddl_skipped,
        last_ddl_at=row.last_ddl_at,
        offset_time=row.last_change_at,
        update_time=row.reported_at,
        error_rate=round(1000 * row.errors / changes, 3) if changes else None,
        apply_by_key=row.key_columns,
        columns=[(source, target) for source, target in row.columns],
        where=row.transform.get("where", ""),
        target_where=row.transform.get("target_where", ""),
        etl_rules=len(row.transform.get("expressions", ())) + len(row.transform.get("masks", ())),
        suspended=row.suspended,
        comparison=comparisons.figures(row, tables.facts_of(row), texts),
    )


def _size(row: Row[Any], rows: int | None) -> int | None:
    """Estimated bytes of `rows` rows, by the mean of the loaded ones; None: not measured."""
    if rows == 0:
        return 0
    return round(row.bytes_loaded * rows / row.rows_loaded) if rows and row.rows_loaded and row.bytes_loaded else None


def candidate_listing(call: Call, request: CandidateRequest) -> Listing[PublishedCandidate]:
    """Published tables of a master's node that none of its channels has. Raises RecordNotFoundError."""
    master = find_master(call.connection, call.principal, request.control_id)
    taken = select(subscribed_table.c.published_table_id).join(channel, channel.c.id == subscribed_table.c.channel_id)
    published = publish_views.tables().where(
        published_table.c.node_id == master.node_id,
        published_table.c.id.not_in(taken.where(channel.c.master_id == master.id)),
    )
    table, kept = published.subquery("candidate"), unbound.kept(master.id, call.services.clock.now())
    statement: Select[Any] = select(table, kept.c.unbound_at).outerjoin(kept, kept.c.published_table_id == table.c.id)
    if request.search:
        statement = statement.where(any_named([table.c.schema_name + "." + table.c.table_name], request.search))
    texts = ReasonTexts.of(call)
    usual = [table.c.schema_name, table.c.table_name]
    return Listing(CANDIDATES, statement, usual, lambda row: _candidate(row, texts))


def rows_of(store: StoreConnection, principal: Principal, ids: Sequence[str]) -> Sequence[Row[Any]]:
    """Those of the tables that the caller may see, as rows of `views.tables`, by source name."""
    table = views.tables()
    query = select(table).where(reached(principal, table.c.tenant_id, table.c.client_type), among(table.c.id, ids))
    return store.execute(query.order_by(table.c.source_schema, table.c.source_table, table.c.id)).all()


def find_row(store: StoreConnection, principal: Principal, table_id: str) -> Row[Any]:
    """Raises RecordNotFoundError."""
    rows = rows_of(store, principal, [table_id])
    if not rows:
        raise RecordNotFoundError(kind="subscribed-table", id=table_id)
    return rows[0]


def find_destination(call: Call, request: SheetPosition) -> IncrementalPositionRecord:
    """The start position of changes and what is pending behind it. Asks an agent: not to be called inside a
    transaction."""
    with call.services.database.read() as store:
        rows = _of_one_node(store, call.principal, request)
        destination = sheet_destination(call, store, rows)
    return position_record(find_start(call.services, destination, rows, request))


def sheet_destination(call: Call, store: StoreConnection, rows: Sequence[Row[Any]]) -> Destination:
    """The agent to ask about tables of one node."""
    return destination_of(find_channel(store, call.principal, rows[0].channel_id), call.services)


def _of_one_node(store: StoreConnection, principal: Principal, request: SheetPosition) -> Sequence[Row[Any]]:
    rows = rows_of(store, principal, request.tables)
    known = {row.id for row in rows}
    for table_id in request.tables:
        if table_id not in known:
            raise RecordNotFoundError(kind="subscribed-table", id=table_id)
    if len({row.node_id for row in rows}) > 1:
        raise TablesOfSeveralNodesError
    return rows


def _candidate(row: Row[Any], texts: ReasonTexts) -> PublishedCandidate:
    return PublishedCandidate(
        id=row.id,
        schema=row.schema_name,
        table=row.table_name,
        state=row.current_state,
        reason=texts.record(row.current_reason),
        full=row.generation > 0,
        rows_total=row.rows_total,
        unbound_at=row.unbound_at,
    )
