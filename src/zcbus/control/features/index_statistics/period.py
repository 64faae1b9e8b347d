"""The period of key figures, the one that it is compared with, and the resolution that fits both."""

from dataclasses import dataclass
from datetime import datetime

from zcbus.control.features.index_statistics.schemas import PeriodRequest
from zcbus.control.store.metrics.tiers import TIERS, Tier

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
_MINUTES = next(tier for tier in TIERS if tier.step == _MINUTE)
_HOURS = next(tier for tier in TIERS if tier.step == _HOUR)


@dataclass(frozen=True, slots=True)
class Period:
    """All in seconds; `start` and `end` since 1970, in whole steps of the tier. `end` is behind `start`."""

    start: int
    end: int
    shift: int
    """To the period before: whole days, so that a part of a day is compared with the same part."""
    tier: Tier
    point: int
    """Of a chart: steps of the tier that it joins, as seconds."""

    @classmethod
    def of(cls, request: PeriodRequest, now: datetime) -> "Period":
        """Days are counted in minutes for as long as these are kept, longer or older periods in hours."""
        first, last = request.between(now)
        # A day at whose end clocks are set back has an hour more.
        shift = max(1, -int(-(last - first - _HOUR) // _DAY)) * _DAY
        is_recent = last - first <= 2 * _DAY and now.timestamp() - (first - shift) <= _MINUTES.kept
        tier = _MINUTES if is_recent else _HOURS
        start = int(first // tier.step) * tier.step
        end = max(start + tier.step, int(min(last, now.timestamp()) // tier.step) * tier.step)
        return cls(start, end, shift, tier, _point(end - start, tier))

    @classmethod
    def minutes(cls, length: int, now: datetime) -> "Period":
        """The last `length` seconds in whole minutes, a point of a chart each."""
        end = int(now.timestamp() // _MINUTE) * _MINUTE
        return cls(end - length, end, 0, _MINUTES, _MINUTE)

    @classmethod
    def days(cls, number: int, ahead: int, now: datetime) -> "Period":
        """The last `number` days of a clock that is `ahead` of UTC by so many hours, a point of a chart each; the last
        one up to the end of the present hour."""
        today = int((now.timestamp() + ahead * _HOUR) // _DAY) * _DAY - ahead * _HOUR
        end = (int(now.timestamp()) // _HOUR + 1) * _HOUR
        return cls(today - (number - 1) * _DAY, end, 0, _HOURS, _DAY)

    def times(self) -> list[int]:
        """Beginnings of a chart's points, milliseconds since 1970."""
        return [(self.start + number * self.point) * 1000 for number in range(self.points())]

    def points(self) -> int:
        """Number of a chart's points; the last one may have fewer steps."""
        return -(-(self.end - self.start) // self.point)


def _point(length: int, tier: Tier) -> int:
    if length <= 4 * _HOUR:
        return max(tier.step, 10 * _MINUTE)
    if length <= 4 * _DAY:
        return _HOUR
    return 6 * _HOUR if length <= 31 * _DAY else _DAY
