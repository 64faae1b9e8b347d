"""Listing of and decisions about row errors, which the target stores."""

from collections import Counter
from dataclasses import replace

from zcbus.connectors.registry import spec_of
from zcbus.connectors.row_errors import RowErrorFilter, RowErrorPart, RowErrorStore
from zcbus.engine.connections import Connectors, options_of
from zcbus.engine.reasons import APPEND_ONLY
from zcbus.kit.clock import now_ms
from zcbus.model.row_errors import OPEN, Decision, RowError, RowErrorStatus, cause_of
from zcbus.protocol.answers import Decided, RowErrorCause, RowErrorCauses, RowErrorLines
from zcbus.protocol.base import Message
from zcbus.protocol.requests import DecideRowErrors, ListRowErrorCauses, ListRowErrors

_MAX_AT_ONCE = 10_000
_MAX_CAUSES = 50


def answer_about_row_errors(
    request: ListRowErrors | ListRowErrorCauses | DecideRowErrors, connectors: Connectors
) -> Message:
    """The answer that the request's docstring names."""
    if isinstance(request, ListRowErrors):
        return list_row_errors(request, connectors)
    if isinstance(request, ListRowErrorCauses):
        return list_causes(request, connectors)
    return decide_row_errors(request, connectors)


def list_row_errors(request: ListRowErrors, connectors: Connectors) -> RowErrorLines:
    """A page of a subscription's row errors."""
    which = RowErrorFilter(
        tables=request.tables,
        statuses=request.statuses,
        operations=request.operations,
        ids=request.ids,
        search=request.search,
        cause=request.cause,
    )
    part = RowErrorPart(request.sort, request.descending, request.offset, request.limit)
    with connectors(request.target.kind).target(options_of(request.target)).open() as session:
        session.prepare_store()
        errors = session.row_errors.read(request.subscription, which, part)
        total = session.row_errors.count(request.subscription, which)
        session.rollback()
    return RowErrorLines(lines=tuple(errors), total=total)


def list_causes(request: ListRowErrorCauses, connectors: Connectors) -> RowErrorCauses:
    """Counts of row errors by the target's message, without the rows' values."""
    which = RowErrorFilter(tables=request.tables, statuses=request.statuses)
    values = spec_of(request.target.kind).row_values
    counts: Counter[str] = Counter()
    with connectors(request.target.kind).target(options_of(request.target)).open() as session:
        session.prepare_store()
        for detail, count in session.row_errors.details(request.subscription, which, _MAX_AT_ONCE).items():
            counts[cause_of(detail, values)] += count
        session.rollback()
    return RowErrorCauses(
        causes=tuple(RowErrorCause(cause=cause, count=count) for cause, count in counts.most_common(_MAX_CAUSES))
    )


def decide_row_errors(request: DecideRowErrors, connectors: Connectors) -> Decided:
    """Store a decision, which the worker executes. Left out are closed row errors, decided ones unless named by id, and
    those that can only be skipped (NotAppended). Returns the number of decided row errors."""
    undecided = None if request.ids else False
    which = RowErrorFilter(tables=request.tables, ids=request.ids, statuses=OPEN, wanted=undecided)
    with connectors(request.target.kind).target(options_of(request.target)).open() as session:
        session.prepare_store()
        count = _decide(session.row_errors, request, which)
        session.commit()
    return Decided(count=count)


def _decide(store: RowErrorStore, request: DecideRowErrors, which: RowErrorFilter) -> int:
    errors = store.lock(request.subscription, which, RowErrorPart(descending=False, limit=_MAX_AT_ONCE))
    possible = [error for error in errors if request.decision is Decision.SKIP or error.code != APPEND_ONLY]
    store.keep(request.subscription, [_decided(error, request) for error in possible])
    return len(possible)


def _decided(error: RowError, request: DecideRowErrors) -> RowError:
    decided = replace(error, status=RowErrorStatus.PROCESSING, wanted=Decision(request.decision), changed_ms=now_ms())
    if request.after is not None:
        decided = replace(decided, after={**error.after, **request.after}, edited=True)
    return decided
