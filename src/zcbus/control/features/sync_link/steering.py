"""What is done to single tables of a link while the others run on: load again, begin elsewhere, hold back, go on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row

from zcbus.control.features.container.reasons import ReasonTexts
from zcbus.control.features.subscribe import steering
from zcbus.control.features.subscribe.sheet_schemas import SheetResult
from zcbus.control.features.subscribe.start_place import (
    IncrementalPlaceRecord,
    begin_at,
    find_start,
    place_record,
)
from zcbus.control.features.subscribe.tables import actions_of, current_tables
from zcbus.control.features.sync_link.errors import TableActionRefusedError
from zcbus.control.features.sync_link.schemas import TablesChoice
from zcbus.control.features.sync_link.service import chosen_tables, find_link, known_tables, link_place
from zcbus.control.features.sync_link.steering_schemas import IncrementalPlace, IncrementalStart, ReloadRequest
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.services import Services
from zcbus.model.states import SyncState
from zcbus.model.table_states import TableAction


@dataclass(frozen=True, slots=True)
class Steered:
    """What became of each table, and the state before of those that changed, for the operation log."""

    results: list[SheetResult]
    before: dict[str, str]


def act_on_tables(
    store: StoreConnection, link: Row[Any], request: TablesChoice, action: TableAction, texts: ReasonTexts
) -> Steered:
    """Do something with tables of a link; those with which it cannot be done stay as they are."""
    rows, unknown = known_tables(store, link, request.tables)
    beside = request.beside if isinstance(request, ReloadRequest) else None
    steered = _steer(store, rows, action, texts, beside)
    missing = texts.named("sheet-unknown", "")
    strangers = [SheetResult(id=name, table=name, done=False, reason=missing) for name in unknown]
    return Steered([*steered.results, *strangers], steered.before)


def accept_all_gaps(store: StoreConnection, link: Row[Any], texts: ReasonTexts) -> Steered:
    """Let all tables of a link of which changes are missing go on without them."""
    lacking = [row for row in current_tables(store, link.id) if TableAction.ACCEPT_GAP in actions_of(row)]
    return _steer(store, lacking, TableAction.ACCEPT_GAP, texts)


def _steer(
    store: StoreConnection,
    rows: Sequence[Row[Any]],
    action: TableAction,
    texts: ReasonTexts,
    beside: bool | None = None,
) -> Steered:
    refused = {row.id for row in rows if not _is_asked_already(row, action) and action not in actions_of(row)}
    taken = [row for row in rows if row.id not in refused and not _is_asked_already(row, action)]
    steering.perform(store, taken, action, beside)
    results = [
        SheetResult(
            id=row.id,
            table=_name(row),
            done=row.id not in refused,
            reason=_refusal(row, action, texts) if row.id in refused else "",
        )
        for row in rows
    ]
    return Steered(results, _states(taken))


def _is_asked_already(row: Row[Any], action: TableAction) -> bool:
    return action is TableAction.SUSPEND and bool(row.suspended)


def _refusal(row: Row[Any], action: TableAction, texts: ReasonTexts) -> str:
    facts = {"table": _name(row), "action": action.value, "state": row.current_state}
    return texts.text(TableActionRefusedError.code, facts)


def find_place(services: Services, principal: Principal, request: IncrementalPlace) -> IncrementalPlaceRecord:
    """Where changes would begin, and what waits behind that. Asks an agent: not to be called inside a transaction."""
    with services.database.read() as store:
        link = find_link(store, principal, request)
        rows = chosen_tables(store, link, request.tables)
    return place_record(find_start(services, link_place(link, services.clock.now()), rows, request))


def start_incremental(
    services: Services, principal: Principal, request: IncrementalStart
) -> tuple[dict[str, str], int]:
    """Let tables begin with the changes from a place on, or only set that place. All or none: the place is one for all.
    Returns each table's state before, and the place's record number.

    Asks an agent: not to be called inside a transaction. Raises LinkTableUnknownError, TableActionRefusedError, and
    AgentAnsweredError where the bus does not have the place.
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
    return _states(rows), place.offset


def _check(rows: Sequence[Row[Any]], action: TableAction) -> None:
    for row in rows:
        state = SyncState(row.current_state)
        if action not in actions_of(row):
            raise TableActionRefusedError(table=_name(row), action=action.value, state=state.value)


def _states(rows: Sequence[Row[Any]]) -> dict[str, str]:
    return {_name(row): row.current_state for row in rows}


def _name(row: Row[Any]) -> str:
    return f"{row.source_schema}.{row.source_table}"
