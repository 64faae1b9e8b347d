"""Matches by page."""

from collections import Counter
from collections.abc import Callable, Sequence

from zcbus.control.features.container.reasons import ReasonTexts
from zcbus.control.features.datasource.schemas import TableAddress
from zcbus.control.features.simplify_sync.choice import matches_of, reason_of
from zcbus.control.features.simplify_sync.matching import Match
from zcbus.control.features.simplify_sync.schemas import MatchPage, MatchPageRequest, MatchRecord, MatchState
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RequestMalformedError
from zcbus.control.platform.paging import ALL
from zcbus.protocol.base import TableRef

_SORT_KEYS: dict[str, Callable[[Match], tuple[object, ...]]] = {
    "source": lambda one: (one.line.schema_name, one.line.table),
    "target": lambda one: (one.target.table, one.line.schema_name, one.line.table),
    "state": lambda one: (one.state.value, one.line.schema_name, one.line.table),
    "estimatedRows": lambda one: (one.line.estimated_rows or 0, one.line.schema_name, one.line.table),
}


def page_matches(call: Call, request: MatchPageRequest) -> MatchPage:
    """The part of the matches that is wanted. Raises what `matches_of` raises."""
    if request.sort is not None and request.sort not in _SORT_KEYS:
        raise RequestMalformedError(fields="sort", sort=request.sort)
    matches = matches_of(call, request, request.refresh).matches
    counts = Counter(one.state for one in matches)
    wanted = [one for one in matches if _is_wanted(one, request)]
    if request.sort is not None:
        wanted.sort(key=_SORT_KEYS[request.sort], reverse=request.order != "asc")
    texts = ReasonTexts.of(call)
    return MatchPage(
        records=[_record(one, texts) for one in _part(wanted, request)],
        total=len(wanted),
        counts={state: counts[state] for state in MatchState},
    )


def _is_wanted(one: Match, request: MatchPageRequest) -> bool:
    if request.state and one.state not in request.state:
        return False
    wanted = (request.search or "").strip().lower()
    return wanted in f"{one.line.schema_name}.{one.line.table}\n{one.target.table}".lower()


def _part(wanted: Sequence[Match], request: MatchPageRequest) -> Sequence[Match]:
    if request.size == ALL:
        return wanted
    begin = (request.current - 1) * request.size
    return wanted[begin : begin + request.size]


def _record(one: Match, texts: ReasonTexts) -> MatchRecord:
    return MatchRecord(
        source=_address(one.source),
        target=_address(one.target),
        state=one.state,
        reason=reason_of(one, texts),
        estimated_rows=one.line.estimated_rows,
    )


def _address(table: TableRef) -> TableAddress:
    return TableAddress(schema=table.schema_name, table=table.table)
