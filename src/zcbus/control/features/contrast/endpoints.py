"""Calls about comparisons of subscribed tables."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.contrast import differences, service
from zcbus.control.features.contrast.schemas import DIFFERENCES, ComparisonOrder, DifferencePage, DifferencePageRequest
from zcbus.control.features.subscribe import comparisons, sheet
from zcbus.control.features.subscribe.endpoints import OPERATE, VIEW
from zcbus.control.features.subscribe.sheet_schemas import SheetChoice, SheetResult
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.outcomes import tell
from zcbus.control.platform.routing import Api

api = Api("contrast")

_COMPARE = "/api/zcbus/subscribe/table/compare"


@api.change(_COMPARE, OPERATE)
def compare(call: Call, body: ComparisonOrder) -> list[SheetResult]:
    """Compare tables with their source, once. Tables that are published append-only have no key: only their rows are
    counted. Answers what became of each."""

    def perform(rows: Sequence[Row[Any]]) -> None:
        service.compare(call, rows, body)

    return _each(call, body, "compare", partial(comparisons.why_not_compared_by, body.method), perform)


@api.change(f"{_COMPARE}/stop", OPERATE)
def stop(call: Call, body: SheetChoice) -> list[SheetResult]:
    """Break comparisons off that are under way. Answers what became of each."""
    return _each(call, body, "stop-comparing", comparisons.why_not_stopped, lambda rows: service.stop(call, rows))


@api.change(f"{_COMPARE}/repair", OPERATE)
def repair(call: Call, body: SheetChoice) -> list[SheetResult]:
    """Make the rows that the last comparison found what they are in the source. Answers what became of each. Code
    60102: only numbers of rows were compared."""
    service.check_repair(call, body.tables)
    return _each(call, body, "repair", comparisons.why_not_repaired, lambda rows: service.repair(call, rows))


@api.change(f"{_COMPARE}/discard", OPERATE)
def discard(call: Call, body: SheetChoice) -> list[SheetResult]:
    """Let go what the last comparison found, without repairing it. Answers what became of each."""
    return _each(call, body, "discard", comparisons.why_not_discarded, lambda rows: service.discard(call, rows))


@api.read(f"{_COMPARE}/difference/page", VIEW, unit=Unit.OWN, lists=DIFFERENCES)
def page_differences(call: Call, body: DifferencePageRequest) -> DifferencePage:
    """Rows that the last comparison of a table found, with both sides."""
    return differences.page(call, body)


def _each(
    call: Call,
    choice: SheetChoice,
    action: str,
    possible: sheet.Possible,
    perform: Callable[[Sequence[Row[Any]]], None],
) -> list[SheetResult]:
    """Also with tables that a sync link steers: nothing of the link is changed."""
    return tell(call, sheet.each(call, choice, possible, perform, of_links=True), action)
