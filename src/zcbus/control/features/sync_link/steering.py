"""What is done to single tables of a link while the others run on: load again, begin elsewhere, hold back, go on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row

from zcbus.control.features.container import service as containers
from zcbus.control.features.container.requests import ask
from zcbus.control.features.publish import service as publish
from zcbus.control.features.subscribe import service as subscribe
from zcbus.control.features.sync_link.difference import next_generation
from zcbus.control.features.sync_link.errors import TableActionRefusedError
from zcbus.control.features.sync_link.schemas import (
    TableAction,
    TablesChoice,
)
from zcbus.control.features.sync_link.service import chosen_tables, find_link, link_place, services_of, try_again
from zcbus.control.features.sync_link.states import FAILED
from zcbus.control.features.sync_link.steering_schemas import (
    IncrementalPlace,
    IncrementalPlaceRecord,
    IncrementalStart,
    ReloadRequest,
    TableStartRecord,
)
from zcbus.control.features.sync_link.tables import actions_of, begins_with_load, current_tables, lacks_changes
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.services import Services
from zcbus.model.states import CleanMode, SyncState
from zcbus.protocol.base import TableRef
from zcbus.protocol.requests import ResolveStart, StartPlace
from zcbus.protocol.tasks import Begin


@dataclass(frozen=True, slots=True)
class Steered:
    """What an action came to: how many tables changed, and each one's state before, for the operation log."""

    count: int
    before: dict[str, str]


def act_on_tables(store: StoreConnection, link: Row[Any], request: TablesChoice, action: TableAction) -> Steered:
    """Do something with tables of a link. All or none. Raises LinkTableUnknownError, TableActionRefusedError."""
    chosen = chosen_tables(store, link, request.tables)
    wanted = [row for row in chosen if not (action is TableAction.SUSPEND and row.suspended)]
    _check(wanted, action)
    if wanted:
        _perform(store, link, wanted, request, action)
        containers.announce_services(store, services_of(link))
    return Steered(len(wanted), {_name(row): row.current_state for row in wanted})


def accept_gaps(store: StoreConnection, link: Row[Any], tables: Sequence[str] | None) -> Steered:
    """Let tables of which changes are missing go on without them; None: all that can. All or none. Raises
    LinkTableUnknownError, TableActionRefusedError."""
    if tables is not None:
        chosen = chosen_tables(store, link, tables)
        _check(chosen, TableAction.ACCEPT_GAP)
    else:
        chosen = [row for row in current_tables(store, link.id) if TableAction.ACCEPT_GAP in actions_of(row)]
    lost = {row.id: row for row in chosen if lacks_changes(row)}
    publish.accept_gaps(store, [row.published_table_id for row in lost.values()])
    for row in chosen:
        begin = Begin(mode="incremental", gap=row.published_gap + (row.id in lost))
        _begin_anew(store, [row], begin, held=False)
    if chosen:
        containers.announce_services(store, services_of(link))
    return Steered(len(chosen), {_name(row): row.current_state for row in chosen})


def find_place(services: Services, principal: Principal, request: IncrementalPlace) -> IncrementalPlaceRecord:
    """Where changes would begin, and what waits behind that. Asks an agent: not to be called inside a transaction."""
    with services.database.read() as store:
        link = find_link(store, principal, request)
        rows = chosen_tables(store, link, request.tables)
    place = _ask(services, link, rows, request)
    return IncrementalPlaceRecord(
        offset=place.offset,
        first_offset=place.first_offset,
        next_offset=place.next_offset,
        complete=place.counted_to >= place.next_offset,
        tables=[
            TableStartRecord(
                source=f"{one.table.schema_name}.{one.table.table}",
                changes=one.changes,
                first_change_at=_moment(one.first_change_ms),
            )
            for one in place.tables
        ],
    )


def start_incremental(services: Services, principal: Principal, request: IncrementalStart) -> tuple[Steered, int]:
    """Let tables begin with the changes from a place on, or only set that place. Returns the place's record number.

    Asks an agent: not to be called inside a transaction. Raises what `act_on_tables` raises, and AgentAnsweredError
    where the bus does not have the place.
    """
    with services.database.read() as store:
        link = find_link(store, principal, request)
        rows = chosen_tables(store, link, request.tables)
        _check(rows, TableAction.START_INCREMENTAL)
    place = _ask(services, link, rows, request)
    begin = Begin(mode="incremental", offset=place.offset, record_time=place.record_time)
    with services.database.write() as store:
        rows = chosen_tables(store, link, request.tables)
        _check(rows, TableAction.START_INCREMENTAL)
        _begin_anew(store, rows, begin, held=request.hold)
        containers.announce_services(store, services_of(link))
    return Steered(len(rows), {_name(row): row.current_state for row in rows}), place.offset


def _ask(services: Services, link: Row[Any], rows: Sequence[Row[Any]], request: IncrementalPlace) -> StartPlace:
    question = ResolveStart(
        node=link.node_id,
        tables=tuple(TableRef(schema_name=row.source_schema, table=row.source_table) for row in rows),
        at_ms=int(request.time.timestamp() * 1000) if request.time is not None else None,
        offset=request.offset,
    )
    return ask(services, link_place(link, services.clock.now()), question, StartPlace)


def _check(rows: Sequence[Row[Any]], action: TableAction) -> None:
    for row in rows:
        state = SyncState(row.current_state)
        if action not in actions_of(row):
            raise TableActionRefusedError(table=_name(row), action=action.value, state=state.value)


def _perform(
    store: StoreConnection, link: Row[Any], rows: Sequence[Row[Any]], request: TablesChoice, action: TableAction
) -> None:
    if action is TableAction.RELOAD:
        beside = request.beside if isinstance(request, ReloadRequest) else None
        for row in rows:
            chosen = row.clean_mode == CleanMode.NONE if beside is None else beside
            _begin_anew(store, [row], Begin(mode="full", beside=chosen), held=False)
    elif action is TableAction.RESET:
        _begin_anew(store, rows, None, held=True)
    elif action is TableAction.RESET_START:
        _begin_anew(store, rows, None, held=False)
    elif action is TableAction.SUSPEND:
        subscribe.set_suspended(store, [row.id for row in rows], True)
    else:
        _resume(store, link, rows)


def _begin_anew(store: StoreConnection, rows: Sequence[Row[Any]], begin: Begin | None, *, held: bool) -> None:
    """Give up where tables stand. What is held needs no snapshot before it goes on."""
    generations = {row.id: next_generation(row) for row in rows}
    subscribe.begin_anew(store, generations, begin, held=held)
    if not held:
        _publish(store, [row for row in rows if begins_with_load(row.load_mode, _plain(begin))], generations)


def _resume(store: StoreConnection, link: Row[Any], rows: Sequence[Row[Any]]) -> None:
    subscribe.set_suspended(store, [row.id for row in rows], False)
    waiting = [row for row in rows if row.published_generation < row.generation]
    loading = [row for row in waiting if begins_with_load(row.load_mode, row.begin)]
    _publish(store, loading, {row.id: row.generation for row in loading})
    if try_again(store, link, [row for row in rows if not row.suspended or row.current_state in FAILED]):
        # Publishing looks at its tables when it starts.
        containers.restart(store, [link.publish_service_id])


def _publish(store: StoreConnection, rows: Sequence[Row[Any]], generations: Mapping[str, int]) -> None:
    """Ask for snapshots with these numbers (by subscribed table)."""
    wanted = {row.published_table_id: (tuple(row.published_key_columns), generations[row.id]) for row in rows}
    publish.change_tables(store, wanted)


def _plain(begin: Begin | None) -> dict[str, Any] | None:
    return begin.model_dump() if begin is not None else None


def _name(row: Row[Any]) -> str:
    return f"{row.source_schema}.{row.source_table}"


def _moment(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else datetime.fromtimestamp(milliseconds / 1000, UTC)
