"""The life of one subject under a rule. Pure: the evaluation and its rehearsal over the history share it."""

from dataclasses import dataclass, replace
from enum import StrEnum

GRACE = 60.0
"""Seconds without figures that interrupt nothing: a process that starts again, a sample that was left out."""


class Reading(StrEnum):
    """A subject's figure at a moment."""

    OVER = "over"
    """The condition holds."""
    FINE = "fine"
    MISSING = "missing"
    """There is no figure, so nothing is known."""


class State(StrEnum):
    PENDING = "pending"
    """The condition holds, not for long enough."""
    FIRING = "firing"
    MISSING = "missing"
    MISSING_FIRING = "missing-firing"
    """It is missing for so long that this is an alert."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Of a rule: seconds that its condition must hold, and whether missing figures are an alert after as long, a
    minute at least."""

    seconds: float
    on_missing: bool


@dataclass(frozen=True, slots=True)
class Status:
    """A subject that is not in order. Moments in seconds since 1970; `since`: of the condition; `fired_at`: since when
    it is an alert; `missing_since`: the last figure is older than this. `value`: when the condition began to hold."""

    since: float | None = None
    value: float | None = None
    fired_at: float | None = None
    missing_since: float | None = None
    missing_fired_at: float | None = None

    @property
    def state(self) -> State:
        """An alert stays one while figures are missing: nothing shows that it is over."""
        if self.fired_at is not None:
            return State.FIRING
        if self.missing_fired_at is not None:
            return State.MISSING_FIRING
        return State.MISSING if self.missing_since is not None else State.PENDING


def advance(status: Status | None, limits: Limits, reading: Reading, at: float, value: float | None) -> Status | None:
    """The status after a reading; None: in order."""
    if reading is Reading.FINE:
        return None
    if reading is Reading.MISSING:
        return _missing(status or Status(), limits, at)
    return _over(status or Status(), limits, at, value)


def interrupt(status: Status | None) -> Status | None:
    """The status after a time in which nothing was evaluated: how long a condition held is not known."""
    return status if status is not None and status.fired_at is not None else None


def _missing(status: Status, limits: Limits, at: float) -> Status:
    since = at if status.missing_since is None else status.missing_since
    is_alert = limits.on_missing and status.fired_at is None and at - since >= max(limits.seconds, GRACE)
    fired_at = (status.missing_fired_at or at) if is_alert else None
    return replace(status, missing_since=since, missing_fired_at=fired_at)


def _over(status: Status, limits: Limits, at: float, value: float | None) -> Status:
    gone = status.missing_since
    begun, seen = status.since, status.value
    if begun is None or (status.fired_at is None and gone is not None and at - gone > GRACE):
        begun, seen = at, value
    fired_at = status.fired_at
    if fired_at is None and at - begun >= limits.seconds:
        fired_at = at
    return Status(begun, seen, fired_at)
