"""How a table's place moves, and what is told of it."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from zcbus.engine.comparison.record import Record
from zcbus.engine.verification.place import Place
from zcbus.engine.verification.table import MOST_KEPT, Looked
from zcbus.model.comparison import ComparisonState, Difference, RepairState
from zcbus.protocol.base import Reason
from zcbus.protocol.reports import Verification


def begun(place: Place, key: tuple[str, ...], number: int, now: datetime) -> Place:
    """At the start of a turn: the pass goes on, unless there is none, its key is another one, or somebody asked for one
    since it began."""
    if place.began_at is not None and place.key == key and place.serves >= number:
        return place
    return replace(
        place,
        key=key,
        behind=(),
        began_at=now,
        finished_at=None,
        pass_rows=0,
        pass_unsettled=0,
        pass_clean=True,
        serves=max(number, place.asked),
    )


def advanced(place: Place, looked: Looked) -> Place:
    """Behind a range."""
    return replace(
        place,
        behind=looked.end or (),
        pass_rows=place.pass_rows + looked.rows,
        pass_unsettled=place.pass_unsettled + looked.unsettled,
        pass_clean=place.pass_clean and not looked.differences,
    )


def finished(place: Place, clean: bool, now: datetime) -> Place:
    """At the table's end. `clean`: no row is known to differ. Every row was looked at since the pass began, so that is
    the moment up to which the table is verified."""
    return replace(
        place,
        behind=(),
        verified_until=place.began_at if clean and place.pass_clean else place.verified_until,
        began_at=None,
        finished_at=now,
        rows_total=place.pass_rows,
        pass_rows=0,
        unsettled=place.pass_unsettled,
        asked=place.serves,
    )


def with_found(record: Record, found: Mapping[tuple[str, ...], Difference], key: tuple[str, ...]) -> Record:
    """The record of what differs, as a comparison keeps it, so that it is looked at as a comparison's."""
    state = RepairState.ALLOWED if found else RepairState.NONE
    record = replace(record, state=ComparisonState.DONE, key_names=key, repair_state=state)
    return record.with_differences(found)


def is_full(record: Record) -> bool:
    """Whether no more rows that differ are looked for: there are many, or large ones."""
    return len(record.keys) >= MOST_KEPT or len(record.differences) < len(record.keys)


def told(place: Place, record: Record, reason: Reason | None) -> Verification:
    """As it is reported."""
    return Verification(
        verified_until=place.verified_until,
        pass_rows=place.pass_rows,
        rows_total=place.rows_total,
        missing=record.missing,
        extra=record.extra,
        different=record.different,
        capped=is_full(record),
        unsettled=place.unsettled,
        asked=place.asked,
        repair=place.repair,
        repaired=place.repaired,
        reason=reason,
    )
