"""Quiet hours. Pure."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

_HOUR = 60


def quiet_until(begin: int, end: int, zone: str, now: datetime) -> datetime | None:
    """When the quiet hours end that `now` lies in; None: it lies in none. `begin`, `end`: minutes of the day in `zone`
    (an IANA name), not the same; an end before its beginning lies on the next day. A clock that is set forward or back
    moves the end along with it."""
    local = now.astimezone(ZoneInfo(zone))
    minute = local.hour * _HOUR + local.minute
    is_over_night = begin > end
    is_quiet = (minute >= begin or minute < end) if is_over_night else begin <= minute < end
    if not is_quiet:
        return None
    day = local.date() + timedelta(days=1 if is_over_night and minute >= begin else 0)
    return datetime.combine(day, time(end // _HOUR, end % _HOUR), ZoneInfo(zone)).astimezone(UTC)
