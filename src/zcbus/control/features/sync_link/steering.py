"""What is done to single tables of a link while the others run on: load again, begin elsewhere, hold back, go on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row

from zcbus.control.features.subscribe import steering
from zcbus.control.features.subscribe.start_place import (
    IncrementalPlaceRecord,
    begin_at,
    find_start,
    place_record,
)
from zcbus.control.features.subscribe.tables import actions_of, current_tables
from zcbus.control.features.sync_link.errors import TableActionRefusedError
from zcbus.control.features.sync_link.schemas import TablesChoice
from zcbus.control.features.sync_link.service import chosen_tables, find_link, link_place
from zcbus.control.features.sync_link.steering_schemas import IncrementalPlace, IncrementalStart, ReloadRequest
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.services import Services
from zcbus.model.states import SyncState
from zcbus.model.table_states import TableAction


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
    beside = request.beside if isinstance(request, ReloadRequest) else None
    steering.perform(store, wanted, action, beside)
    return _steered(wanted)


def accept_gaps(store: StoreConnection, link: Row[Any], tables: Sequence[str] | None) -> Steered:
    """Let tables of which changes are missing go on without them; None: all that can. All or none. Raises
    LinkTableUnknownError, TableActionRefusedError."""
    if tables is not None:
        chosen = chosen_tables(store, link, tables)
        _check(chosen, TableAction.ACCEPT_GAP)
    else:
        chosen = [row for row in current_tables(store, link.id) if TableAction.ACCEPT_GAP in actions_of(row)]
    steering.perform(store, chosen, TableAction.ACCEPT_GAP)
    return _steered(chosen)


def find_place(services: Services, principal: Principal, request: IncrementalPlace) -> IncrementalPlaceRecord:
    """Where changes would begin, and what waits behind that. Asks an agent: not to be called inside a transaction."""
    with services.database.read() as store:
        link = find_link(store, principal, request)
        rows = chosen_tables(store, link, request.tables)
    return place_record(find_start(services, link_place(link, services.clock.now()), rows, request))


def start_incremental(services: Services, principal: Principal, request: IncrementalStart) -> tuple[Steered, int]:
    """Let tables begin with the changes from a place on, or only set that place. Returns the place's record number.

    Asks an agent: not to be called inside a transaction. Raises what `act_on_tables` raises, and AgentAnsweredError
    where the bus does not have the place.
    """
    with services.database.read() as store:
        link = find_link(store, principal, request)
        rows = chosen_tables(store, link, request.tables)
        _check(rows, TableAction.START_INCREMENTAL)
    place = find_start(services, link_place(link, services.clock.now()), rows, request)
    with services.database.write() as store:
        rows = chosen_tables(store, link, request.tables)
        _check(rows, TableAction.START_INCREMENTAL)
        begin_at(store, rows, place, held=request.hold)
    return _steered(rows), place.offset


def _check(rows: Sequence[Row[Any]], action: TableAction) -> None:
    for row in rows:
        state = SyncState(row.current_state)
        if action not in actions_of(row):
            raise TableActionRefusedError(table=_name(row), action=action.value, state=state.value)


def _steered(rows: Sequence[Row[Any]]) -> Steered:
    return Steered(len(rows), {_name(row): row.current_state for row in rows})


def _name(row: Row[Any]) -> str:
    return f"{row.source_schema}.{row.source_table}"
