"""Queries over the history of full loads."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, case, func, literal, null, select

from zcbus.connectors.registry import KINDS
from zcbus.control.features.load_history.schemas import (
    LOADS,
    LoadCheck,
    LoadFilter,
    LoadPageRequest,
    LoadRecord,
    LoadSummary,
)
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.store.search import any_named
from zcbus.control.store.tables.load import load_record
from zcbus.control.store.tables.subscribe import subscribed_table
from zcbus.control.store.tables.verification import verification
from zcbus.model.reduction.loads import LoadState

_SEARCHED = (
    load_record.c.link_name,
    load_record.c.channel_name,
    load_record.c.source_table,
    load_record.c.target_table,
)
_COPIED = tuple(
    name
    for name in LoadRecord.model_fields
    if name not in ("source", "source_kind", "target", "target_kind", "reason", "check")
    and name not in ("rows_loaded", "rows_total", "bytes_loaded", "rows_per_second")
)


def listing(principal: Principal, request: LoadPageRequest, texts: ReasonTexts) -> Listing[LoadRecord]:
    """Loads in the tenants that the caller may see, the newest first."""
    usual = [load_record.c.queued_at.desc(), load_record.c.id.desc()]
    return Listing(LOADS, _loads(principal, request), usual, _record(texts))


def summary(connection: Connection, principal: Principal, request: LoadFilter) -> LoadSummary:
    """Sums over the loads that the filter leaves."""
    found = _loads(principal, request).subquery()
    is_finished = found.c.state == LoadState.FINISHED
    ran = case((is_finished, found.c.loading_ms - found.c.paused_ms))
    figures: tuple[ColumnElement[Any], ...] = (
        func.count().label("loads"),
        *(func.count(case((found.c.state == state, 1))).label(state.value) for state in LoadState),
        func.coalesce(func.sum(found.c.shown_rows), 0).label("rows_loaded"),
        func.coalesce(func.sum(found.c.shown_bytes), 0).label("bytes_loaded"),
        func.sum(case((is_finished, found.c.shown_rows))).label("finished_rows"),
        func.sum(ran).label("ran_ms"),
    )
    row = connection.execute(select(*figures)).one()
    return LoadSummary(
        loads=row.loads,
        **{state.value: getattr(row, state.value) for state in LoadState},
        rows_loaded=int(row.rows_loaded),
        bytes_loaded=int(row.bytes_loaded),
        rows_per_second=round(1000 * float(row.finished_rows) / float(row.ran_ms), 1) if row.ran_ms else None,
    )


def _loads(principal: Principal, request: LoadFilter) -> Select[Any]:
    """With the newest figures of those that have not ended."""
    table = subscribed_table.c
    is_unfinished = and_(load_record.c.is_open, load_record.c.finished_at.is_(None))
    is_live = and_(is_unfinished, table.reported_generation == load_record.c.generation)
    is_running = and_(is_live, load_record.c.state == LoadState.RUNNING)
    found: Select[Any] = select(
        load_record,
        case((is_live, table.rows_loaded), else_=load_record.c.rows_loaded).label("shown_rows"),
        case((is_live, table.rows_total), else_=load_record.c.rows_total).label("shown_total"),
        case((is_live, table.bytes_loaded), else_=load_record.c.bytes_loaded).label("shown_bytes"),
        case((is_running, table.rows_per_second), else_=load_record.c.rows_per_second).label("shown_rate"),
        _check().label("shown_check"),
    )
    return (
        found.outerjoin(subscribed_table, table.id == load_record.c.table_id)
        .outerjoin(verification, _is_verified())
        .where(principal.visible(load_record.c.tenant_id), *_conditions(request))
    )


def _is_verified() -> ColumnElement[bool]:
    """Whether a row of `verification` speaks of what the load wrote."""
    return and_(
        load_record.c.state == LoadState.FINISHED,
        verification.c.table_id == load_record.c.table_id,
        verification.c.generation == load_record.c.generation,
    )


def _check() -> ColumnElement[Any]:
    """A `LoadCheck`, or NULL. A pass that began before the last row came proves nothing of the load."""
    known = verification.c
    return case(
        (known.table_id.is_(None), null()),
        (known.differences > 0, literal(LoadCheck.DIFFERENCES.value)),
        (known.verified_until >= load_record.c.finished_at, literal(LoadCheck.COMPLETE.value)),
        (known.reason.is_not(None), null()),
        else_=literal(LoadCheck.CHECKING.value),
    )


def _conditions(request: LoadFilter) -> list[ColumnElement[bool]]:
    conditions = []
    if request.search.strip():
        conditions.append(any_named(_SEARCHED, request.search))
    if request.state is not None:
        conditions.append(load_record.c.state == request.state)
    if request.check is not None:
        conditions.append(_check() == request.check.value)
    if request.since is not None:
        conditions.append(load_record.c.queued_at >= request.since)
    if request.until is not None:
        conditions.append(load_record.c.queued_at < request.until)
    return conditions


def _record(texts: ReasonTexts) -> Callable[[Row[Any]], LoadRecord]:
    def of_row(row: Row[Any]) -> LoadRecord:
        return LoadRecord(
            **{name: getattr(row, name) for name in _COPIED},
            source_kind=_label(row.source_kind),
            target_kind=_label(row.target_kind),
            source=row.source_table,
            target=row.target_table,
            check=row.shown_check,
            reason=texts.record(row.reason),
            rows_total=row.shown_total,
            rows_loaded=row.shown_rows,
            bytes_loaded=row.shown_bytes,
            rows_per_second=None if row.shown_rate is None else round(row.shown_rate, 1),
        )

    return of_row


def _label(kind: str) -> str:
    return KINDS[kind].spec.label if kind in KINDS else kind
