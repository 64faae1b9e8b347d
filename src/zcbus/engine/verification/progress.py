"""Transitions of a table's verification progress, and its report."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from zcbus.connectors.reading import Key as CanonicalKey
from zcbus.engine.comparison.record import Record
from zcbus.engine.comparison.rows import Key
from zcbus.engine.verification.progress_store import PassProgress
from zcbus.model.comparison import ComparisonState, Difference, RepairState
from zcbus.protocol.base import Reason
from zcbus.protocol.reports import Verification

MAX_KEPT = 1_000
"""Maximum of rows known to differ; then no more are searched."""


@dataclass(frozen=True, slots=True)
class CheckedRows:
    """Result of a check of rows whose changes had all arrived."""

    differences: dict[Key, Difference]
    unsettled: int = 0
    rows: int = 0
    """Rows of the source in the range."""
    end: CanonicalKey | None = None
    """Last key of the range; None: the range reached the table's end."""


def begun(progress: PassProgress, key: tuple[str, ...], number: int, now: datetime) -> PassProgress:
    """Progress at the start of a turn. The pass continues; a new one starts if there is none, if the key changed, or if
    a pass was requested since."""
    if progress.began_at is not None and progress.key == key and progress.serves >= number:
        return progress
    return replace(
        progress,
        key=key,
        behind=(),
        began_at=now,
        finished_at=None,
        pass_rows=0,
        pass_unsettled=0,
        pass_clean=True,
        serves=max(number, progress.asked),
    )


def advanced(progress: PassProgress, checked: CheckedRows) -> PassProgress:
    """Progress after a range."""
    return replace(
        progress,
        behind=checked.end or (),
        pass_rows=progress.pass_rows + checked.rows,
        pass_unsettled=progress.pass_unsettled + checked.unsettled,
        pass_clean=progress.pass_clean and not checked.differences,
    )


def finished(progress: PassProgress, clean: bool, now: datetime) -> PassProgress:
    """Progress at the table's end. `clean`: no row is known to differ. Every row was checked after the pass began, so
    the table is verified up to that moment."""
    return replace(
        progress,
        behind=(),
        verified_until=progress.began_at if clean and progress.pass_clean else progress.verified_until,
        began_at=None,
        finished_at=now,
        rows_total=progress.pass_rows,
        pass_rows=0,
        unsettled=progress.pass_unsettled,
        asked=progress.serves,
    )


def with_found(record: Record, found: Mapping[tuple[str, ...], Difference], key: tuple[str, ...]) -> Record:
    """The record of rows that differ, in the form of a comparison's, so that the same calls show it."""
    state = RepairState.ALLOWED if found else RepairState.NONE
    record = replace(record, state=ComparisonState.DONE, key_names=key, repair_state=state)
    return record.with_differences(found)


def is_full(record: Record) -> bool:
    """Whether the record has room for no more rows: there are many, or large ones."""
    return len(record.keys) >= MAX_KEPT or len(record.differences) < len(record.keys)


def report_of(progress: PassProgress, record: Record, reason: Reason | None) -> Verification:
    """The report of a table's verification."""
    return Verification(
        verified_until=progress.verified_until,
        pass_rows=progress.pass_rows,
        rows_total=progress.rows_total,
        missing=record.missing,
        extra=record.extra,
        different=record.different,
        capped=is_full(record),
        unsettled=progress.unsettled,
        asked=progress.asked,
        repair=progress.repair,
        repaired=progress.repaired,
        reason=reason,
    )
