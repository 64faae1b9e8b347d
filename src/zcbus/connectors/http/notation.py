"""How a service writes its times. Some compare the times that they are asked for with these as texts, in which
`2026-01-31T12:00` is behind all of `2026-01-31 23:59`."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

_FORM = re.compile(r"\d{4}-\d\d-\d\d([T ])\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|([+-])(\d\d)(?::?(\d\d))?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Notation:
    """Of times."""

    separator: str = "T"
    """Between day and time."""
    zone: str = "Z"
    """As it is written, where there is one."""
    offset: timezone = UTC
    """That of the zone."""

    def text(self, moment: datetime, *, zoned: bool) -> str:
        """A time of UTC in this notation, without zeros at its end. `zoned`: with the zone."""
        local = moment.astimezone(self.offset) if zoned else moment
        spelled = local.replace(tzinfo=None).isoformat(self.separator)
        return (spelled.rstrip("0") if local.microsecond else spelled) + (self.zone if zoned else "")


ISO = Notation()


def notation_of(value: Any) -> Notation | None:
    """The notation of a time; None: it is none that is known."""
    found = _FORM.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return None
    separator, zone, sign, hours, minutes = found.groups(default="")
    offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0)) * (-1 if sign == "-" else 1)
    if not offset:
        return Notation(separator, zone if zone == "+00:00" else "Z")
    return Notation(separator, zone, timezone(offset)) if abs(offset) < timedelta(days=1) else None
