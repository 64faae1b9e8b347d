"""Matches by page."""

from collections import Counter

from zcbus.control.features.datasource.schemas import TableAddress
from zcbus.control.features.simplify_sync.choice import matches_of, reason_of
from zcbus.control.features.simplify_sync.matching import Match
from zcbus.control.features.simplify_sync.schemas import MatchPage, MatchPageRequest, MatchRecord, MatchState
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import ListDefinition, in_order, part_of
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.protocol.base import TableRef

MATCHES = ListDefinition[Match](
    MatchRecord,
    sort_keys={
        "source": lambda one: (one.line.schema_name, one.line.table),
        "target": lambda one: (one.target.table, one.line.schema_name, one.line.table),
        "state": lambda one: (one.state.value, one.line.schema_name, one.line.table),
        "estimatedRows": lambda one: (one.line.estimated_rows or 0, one.line.schema_name, one.line.table),
    },
)


def page_matches(call: Call, request: MatchPageRequest) -> MatchPage:
    """The requested page of the matches. Raises what `matches_of` raises."""
    matches = matches_of(call, request, request.refresh).matches
    counts = Counter(one.state for one in matches)
    listed = in_order((one for one in matches if _matches(one, request)), request, MATCHES)
    texts = ReasonTexts.of(call)
    return MatchPage(
        records=[_record(one, texts) for one in part_of(listed, request)],
        total=len(listed),
        counts={state: counts[state] for state in MatchState},
    )


def _matches(one: Match, request: MatchPageRequest) -> bool:
    if request.state and one.state not in request.state:
        return False
    text = (request.search or "").strip().lower()
    return text in f"{one.line.schema_name}.{one.line.table}\n{one.target.table}".lower()


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
