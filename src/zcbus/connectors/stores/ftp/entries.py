"""Lines of lists: the facts of MLSD and MLST (RFC 3659), and what servers without them show a person (LIST)."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime

_UNIX = re.compile(
    r"^(?P<type>[-dlbcps])[-rwxsStTlL]{9}[.+@]?\s+(?:\d+\s+)?.*?(?P<size>\d+)\s+"
    r"(?P<time>(?:[A-Z][a-z]{2}\s+\d{1,2}|\d{1,2}\s+[A-Z][a-z]{2})\s+(?:\d{1,2}:\d{2}|\d{4})) (?P<name>.+)$"
)
_UNIX_OTHER = re.compile(r"^[lbcps][-rwxsStTlL]{9}")
_DOS = re.compile(
    r"^(?P<time>\d{2}-\d{2}-\d{2,4}\s+\d{2}:\d{2}(?:AM|PM)?)\s+(?P<size><DIR>|<JUNCTION>|<SYMLINKD?>|\d+)\s+(?P<name>.+)$"
)
_TOTAL = re.compile(r"^total \d+$", re.IGNORECASE)
_MOMENT = re.compile(r"^\d{14}(\.\d{1,9})?$")


class NotAnEntry(ValueError):
    """A line that is no entry of a list as servers write them."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file or folder in a list."""

    name: str
    is_folder: bool
    size: int | None = None
    """Bytes; None: not listed."""
    moment: str = ""
    """Time of the last change in UTC, `YYYYMMDDHHMMSS[.sss]`; empty: not listed."""
    shown: str = ""
    """Of LIST: size and time as they are shown."""


def of_facts(line: str) -> Entry | None:
    """A line of MLSD or MLST; None: neither file nor folder, such as a link. Raises NotAnEntry."""
    facts, space, name = line.partition(" ")
    if not space or "=" not in facts:
        raise NotAnEntry(line)
    values = {key.lower(): value for key, _, value in (fact.partition("=") for fact in facts.split(";"))}
    kind = values.get("type", "").lower()
    if kind not in ("file", "dir"):
        return None
    size, moment = values.get("size", ""), values.get("modify", "")
    return Entry(
        name,
        kind == "dir",
        int(size) if size.isascii() and size.isdecimal() else None,
        moment if _MOMENT.match(moment) else "",
    )


def of_list(line: str) -> Entry | None:
    """A line of LIST as Unix and Windows write it; None: neither file nor folder. Raises NotAnEntry."""
    if not line.strip() or _TOTAL.match(line):
        return None
    if found := _DOS.match(line):
        size = found["size"]
        if size.startswith("<"):
            return Entry(found["name"], True) if size == "<DIR>" else None
        return Entry(found["name"], False, int(size), "", f"{size} {found['time']}")
    if _UNIX_OTHER.match(line):
        return None
    if not (found := _UNIX.match(line)):
        raise NotAnEntry(line)
    if found["type"] == "d":
        return Entry(found["name"], True)
    return Entry(found["name"], False, int(found["size"]), "", f"{found['size']} {found['time']}")


def seconds_of(moment: str) -> float:
    """Seconds since 1970-01-01 UTC of a moment in UTC. Raises ValueError."""
    whole, _, fraction = moment.partition(".")
    at = datetime.strptime(whole, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    return at.timestamp() + (float(f"0.{fraction}") if fraction else 0.0)


def is_moment(text: str) -> bool:
    """Whether it is what MDTM answers."""
    return bool(_MOMENT.match(text))
