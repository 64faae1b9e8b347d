"""Verification fields of a row of `views.tables`."""

from typing import Any

from sqlalchemy import ColumnElement, Label, Row, and_, case, func, literal

from zcbus.control.features.subscribe.schemas import VerificationFigures
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.store.tables.subscribe import subscribed_table
from zcbus.control.store.tables.verification import verification

_NAMES = ("number", "repair", "asked", "reported_repair", "repaired", "pass_rows", "rows_total", "unsettled", "capped")
_KINDS = ("missing", "extra", "different")


def columns() -> list[Label[Any]]:
    """Of the table's verification, with `verification_` in front, `verified_until` and `differences`; of an older
    generation of the table nothing holds any more."""
    columns, holds = verification.c, _holds()
    return [
        *(columns[name].label(f"verification_{name}") for name in _NAMES),
        *(case((holds, columns[name]), else_=literal(0)).label(f"verification_{name}") for name in _KINDS),
        case((holds, columns.reason)).label("verification_reason"),
        case((holds, columns.verified_until)).label("verified_until"),
        case((holds, columns.differences), else_=literal(0)).label("differences"),
        case((holds, columns.differences_since)).label("differences_since"),
    ]


def _holds() -> ColumnElement[bool]:
    return func.coalesce(
        and_(verification.c.generation == subscribed_table.c.generation, verification.c.table_id.is_not(None)),
        literal(False),
    )


def figures(row: Row[Any], texts: ReasonTexts) -> VerificationFigures | None:
    """The verification as a record; None: never reported."""
    if row.verification_number is None:
        return None
    return VerificationFigures(
        verified_until=row.verified_until,
        percent=_percent(row),
        differences=row.differences,
        missing=row.verification_missing,
        extra=row.verification_extra,
        different=row.verification_different,
        differences_since=row.differences_since,
        capped=bool(row.verification_capped and row.differences),
        unsettled=row.verification_unsettled,
        asked=row.verification_number > row.verification_asked,
        repairing=repairs(row),
        repaired=row.verification_repaired,
        reason=texts.record(row.verification_reason),
    )


def repairs(row: Row[Any]) -> bool:
    """Whether a repair of differences is ordered and not reported as done."""
    return (row.verification_repair or 0) > (row.verification_reported_repair or 0)


def _percent(row: Row[Any]) -> float | None:
    """How much of the pass under way is done, by the size that the table had in the one before."""
    if not row.verification_rows_total or not row.verification_pass_rows:
        return None
    done: float = round(100 * row.verification_pass_rows / row.verification_rows_total, 1)
    return min(99.9, done)
