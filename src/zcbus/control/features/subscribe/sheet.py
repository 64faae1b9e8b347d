"""The data sheet: which tables a master's channels receive, seen, settled, steered and given up one by one or many at a
time. Tables of sync links are shown too; they are steered at their link."""

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row, Select, and_, select

from zcbus.bus.topics import full_topic, real_topic
from zcbus.control.features.container.reasons import ReasonTexts
from zcbus.control.features.publish import views as publish_views
from zcbus.control.features.subscribe import comparisons, service, steering, table_repository, tables, unbound, views
from zcbus.control.features.subscribe.client_types import reached, refuse_without_rules, why_not_started
from zcbus.control.features.subscribe.errors import SheetActionRefusedError, TablesOfSeveralNodesError
from zcbus.control.features.subscribe.masters import place_of
from zcbus.control.features.subscribe.queries import find_channel, find_master, strategy_names
from zcbus.control.features.subscribe.sheet_schemas import (
    CANDIDATES,
    CandidateRequest,
    PublishedCandidate,
    SheetChoice,
    SheetClean,
    SheetLimits,
    SheetPageRequest,
    SheetPlace,
    SheetRecord,
    SheetResult,
    SheetStart,
)
from zcbus.control.features.subscribe.start_place import (
    IncrementalPlaceRecord,
    begin_at,
    find_start,
    place_record,
)
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.principal import Principal
from zcbus.control.store.among import among
from zcbus.control.store.search import any_named
from zcbus.control.store.tables.publish import published_table
from zcbus.control.store.tables.subscribe import channel, subscribed_table
from zcbus.model.reduction.services import is_stale
from zcbus.model.states import SyncState
from zcbus.model.table_states import EXCEPTIONS, TableAction
from zcbus.protocol.answers import StartPlace

Possible = Callable[[Row[Any]], str]
"""Why something cannot be done with a table: the key of the text; empty: it can."""

_STARTING = frozenset({TableAction.RELOAD, TableAction.RESUME, TableAction.RESET_START, TableAction.ACCEPT_GAP})


def listing(call: Call, request: SheetPageRequest) -> Listing[SheetRecord]:
    """Subscribed tables that the caller may see."""
    table = views.tables()
    wanted = (
        (table.c.client_type, request.client_type),
        (table.c.customer_id, request.customer_id),
        (table.c.master_id, request.control_id),
        (table.c.channel_id, request.channel_id),
        (table.c.node_id, request.node_master),
    )
    conditions = [column == value for column, value in wanted if value]
    condition = and_(reached(call.principal, table.c.tenant_id, table.c.client_type), *conditions)
    texts, now = ReasonTexts.of(call), call.services.clock.now()
    policies = strategy_names(call.connection, call.principal)

    def to_record(row: Row[Any]) -> SheetRecord:
        return record(row, texts, is_stale(row.agent_seen_at, now), policies.get(row.customer_id, []))

    return tables.listing(table, condition, request.search, request.state, to_record)


def record(row: Row[Any], texts: ReasonTexts, stale: bool, policies: list[str]) -> SheetRecord:
    """A line of the data sheet."""
    figures = tables.figures(row, texts, stale)
    changes = row.inserts + row.updates + row.deletes
    begun, ended = row.load_started_at, row.load_finished_at or row.reported_at
    if row.link_id is not None:
        figures["actions"] = []
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
        comparison=comparisons.figures(row, texts),
    )


def _size(row: Row[Any], rows: int | None) -> int | None:
    """Bytes of so many rows, each as large as those that were loaded; None: that was never measured."""
    if rows == 0:
        return 0
    return round(row.bytes_loaded * rows / row.rows_loaded) if rows and row.rows_loaded and row.bytes_loaded else None


def candidate_listing(call: Call, request: CandidateRequest) -> Listing[PublishedCandidate]:
    """What a master's node publishes and none of its channels has. Raises RecordNotFoundError."""
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
    wanted = select(table).where(reached(principal, table.c.tenant_id, table.c.client_type), among(table.c.id, ids))
    return store.execute(wanted.order_by(table.c.source_schema, table.c.source_table, table.c.id)).all()


def find_row(store: StoreConnection, principal: Principal, table_id: str) -> Row[Any]:
    """Raises RecordNotFoundError."""
    rows = rows_of(store, principal, [table_id])
    if not rows:
        raise RecordNotFoundError(kind="subscribed-table", id=table_id)
    return rows[0]


def steer(call: Call, choice: SheetChoice, action: TableAction, beside: bool | None = None) -> list[SheetResult]:
    """Do the same with tables; those with which it cannot be done stay as they are."""

    def possible(row: Row[Any]) -> str:
        if action not in tables.actions_of(row):
            return "sheet-impossible"
        return why_not_started(row) if action in _STARTING else ""

    return each(call, choice, possible, lambda rows: steering.perform(call.connection, rows, action, beside))


def recover(call: Call, choice: SheetChoice) -> list[SheetResult]:
    """Try tables with a full or an incremental exception again."""

    def possible(row: Row[Any]) -> str:
        return why_not_started(row) if row.current_state in EXCEPTIONS else "sheet-no-exception"

    return each(call, choice, possible, lambda rows: steering.perform(call.connection, rows, TableAction.RESUME))


def unbind(call: Call, choice: SheetChoice) -> list[SheetResult]:
    """No longer subscribe tables; the target's data stays, and where they stand is kept for a while."""

    def remove(rows: Sequence[Row[Any]]) -> None:
        ids = [row.id for row in rows]
        unbound.keep(call.connection, ids, call.services.clock.now())
        service.remove_tables(call.connection, ids)
        steering.announce(call.connection, rows)

    return each(call, choice, _always, remove)


def set_limits(call: Call, limits: SheetLimits) -> list[SheetResult]:
    """How many refused changes tables may have open, and how many they skip."""

    def change(rows: Sequence[Row[Any]]) -> None:
        service.set_error_limits(
            call.connection,
            [row.id for row in rows],
            error_limit=limits.error_limit,
            dml_skip=limits.dml_skip,
            ddl_skip=limits.ddl_skip,
        )
        steering.announce(call.connection, rows)

    return each(call, limits, _always, change)


def set_modes(call: Call, modes: SheetClean) -> list[SheetResult]:
    """How the next full load cleans, and what a change of structure does."""
    given = {"clean_mode": modes.clean, "ddl_mode": modes.ddl}
    values = {name: value.value for name, value in given.items() if value is not None}

    def change(rows: Sequence[Row[Any]]) -> None:
        if values:
            table_repository.set_modes(call.connection, [row.id for row in rows], **values)
            steering.announce(call.connection, rows)

    return each(call, modes, _always, change)


def find_place(call: Call, request: SheetPlace) -> IncrementalPlaceRecord:
    """Where changes would begin, and what waits behind that. Asks an agent: not to be called inside a transaction."""
    with call.services.database.read() as store:
        rows = _of_one_node(store, call.principal, request)
    return place_record(_ask(call, rows, request))


def start_incremental(call: Call, request: SheetStart) -> tuple[list[SheetResult], int]:
    """Let tables begin with the changes from a place on, or only set that place. Returns the place's record number.
    Asks an agent. Raises SheetActionRefusedError, TablesOfSeveralNodesError: all or none."""
    with call.services.database.read() as store:
        rows = _standing(store, call.principal, request)
    place = _ask(call, rows, request)
    with call.services.database.write() as store:
        rows = _standing(store, call.principal, request)
        _note_before(call, rows)
        begin_at(store, rows, place, held=request.hold)
    return [result(row, "", ReasonTexts.of(call)) for row in rows], place.offset


def result(row: Row[Any], reason: str, texts: ReasonTexts) -> SheetResult:
    """What became of a table. `reason`: the text's key; empty: done."""
    name = f"{row.source_schema}.{row.source_table}"
    return SheetResult(id=row.id, table=name, done=not reason, reason=texts.named(reason, "") if reason else "")


def each(
    call: Call,
    choice: SheetChoice,
    possible: Possible,
    perform: Callable[[Sequence[Row[Any]]], None],
    *,
    of_links: bool = False,
) -> list[SheetResult]:
    """Do something with those of the tables with which it is possible; tells what became of each. `of_links`: also with
    tables that sync links steer."""
    texts, rows = ReasonTexts.of(call), rows_of(call.connection, call.principal, choice.tables)
    reasons = {row.id: "sheet-of-link" if row.link_id is not None and not of_links else possible(row) for row in rows}
    taken = [row for row in rows if not reasons[row.id]]
    _note_before(call, taken)
    perform(taken)
    missing = [table_id for table_id in dict.fromkeys(choice.tables) if table_id not in reasons]
    unknown = texts.named("sheet-unknown", "")
    return [
        *(result(row, reasons[row.id], texts) for row in rows),
        *(SheetResult(id=table_id, table="", done=False, reason=unknown) for table_id in missing),
    ]


def _note_before(call: Call, rows: Sequence[Row[Any]]) -> None:
    """For the operation log: how the tables were before something is done with them."""
    call.audit.before = {
        f"{row.source_schema}.{row.source_table}": {
            "state": row.current_state,
            "clean": row.clean_mode,
            "ddl": row.ddl_mode,
            "errorLimit": row.error_limit,
            "dmlSkip": row.dml_skip,
            "ddlSkip": row.ddl_skip,
        }
        for row in rows
    }


def _always(_row: Row[Any]) -> str:
    return ""


def _standing(store: StoreConnection, principal: Principal, request: SheetPlace) -> Sequence[Row[Any]]:
    rows = _of_one_node(store, principal, request)
    for row in rows:
        if row.link_id is not None or TableAction.START_INCREMENTAL not in tables.actions_of(row):
            name = f"{row.source_schema}.{row.source_table}"
            raise SheetActionRefusedError(table=name, state=SyncState(row.current_state).value)
    refuse_without_rules(rows)
    return rows


def _of_one_node(store: StoreConnection, principal: Principal, request: SheetPlace) -> Sequence[Row[Any]]:
    rows = rows_of(store, principal, request.tables)
    known = {row.id for row in rows}
    for table_id in request.tables:
        if table_id not in known:
            raise RecordNotFoundError(kind="subscribed-table", id=table_id)
    if len({row.node_id for row in rows}) > 1:
        raise TablesOfSeveralNodesError
    return rows


def _ask(call: Call, rows: Sequence[Row[Any]], request: SheetPlace) -> StartPlace:
    with call.services.database.read() as store:
        place = place_of(find_channel(store, call.principal, rows[0].channel_id), call.services)
    return find_start(call.services, place, rows, request)


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
