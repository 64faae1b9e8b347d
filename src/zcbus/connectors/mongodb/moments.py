"""Moments and days: BSON has milliseconds since 1970, of any year."""

import re

import numpy as np

_DAY = re.compile(r"(\d{4,})(-\d\d-\d\d)( BC)?")
_MOMENT = re.compile(r"(\d{4,}-\d\d-\d\d) ([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,3})0*)?( BC)?(?:\+00)?")
DAY_MS = 86_400_000
_LIMIT = 1 << 63


def days(text: str) -> int:
    """Since 1970, of a canonical date. Raises ValueError for one that has no place among days."""
    match = _DAY.fullmatch(text)
    year = int(match[1]) if match else 0
    if match is None or not year:
        raise ValueError("not a day")
    found = int(np.datetime64(f"{1 - year if match[3] else year:05}{match[2]}", "D").astype(np.int64))
    if not -_LIMIT <= found * DAY_MS < _LIMIT:
        raise ValueError("beyond the days that there are")
    return found


def milliseconds(text: str) -> int:
    """Since 1970, of a canonical time. Raises ValueError for one that has no place among them, or has more digits."""
    match = _MOMENT.fullmatch(text)
    if match is None:
        raise ValueError("not a moment of milliseconds")
    day, hour, minute, second, fraction, era = match.groups(default="")
    clock = (int(hour) * 60 + int(minute)) * 60 + int(second)
    return days(day + era) * DAY_MS + clock * 1000 + int((fraction or "").ljust(3, "0"))


def day_text(number: int) -> str:
    """Inverse of `days`."""
    day = str(np.datetime64(number, "D"))
    year, behind = int(day[:-6]), day[-6:]
    return f"{year:04}{behind}" if year > 0 else f"{1 - year:04}{behind} BC"


def moment_text(number: int) -> str:
    """Inverse of `milliseconds`, without a zone."""
    day, rest = divmod(number, DAY_MS)
    seconds, fraction = divmod(rest, 1000)
    clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    clock = f"{clock}.{fraction:03}".rstrip("0") if fraction else clock
    text = day_text(day)
    return f"{text[:-3]} {clock} BC" if text.endswith(" BC") else f"{text} {clock}"
