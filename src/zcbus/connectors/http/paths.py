"""Places in JSON, as documents name them: a subset of JSONPath (RFC 9535) that always ends after one walk.

`$.data.items`, `data.items` and `data['items']` name a member, `rows[0]` an element, `groups[*].users` every one. A
name that is missing on the way is no error: it finds nothing.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

ALL: Final = object()
Step = str | int | object

_STEP = re.compile(r"\.?([A-Za-z_@#%-][\w@#%:-]*)|\[(\d{1,6})\]|\[\*\]|\.\*|\['([^']{1,200})'\]")

_PLAIN = re.compile(r"[A-Za-z_@#%-][\w@#%:-]*")


class PathInvalid(ValueError):
    """A text is no path."""


@lru_cache(maxsize=1024)
def steps(path: str) -> tuple[Step, ...]:
    """The steps of a path; () is the answer itself. Raises PathInvalid."""
    rest = path.removeprefix("$")
    found: list[Step] = []
    at = 0
    while at < len(rest):
        match = _STEP.match(rest, at)
        if match is None:
            raise PathInvalid(path)
        name, index, quoted = match.groups()
        found.append(name or quoted or (int(index) if index else ALL))
        at = match.end()
    return tuple(found)


def written(steps: Sequence[str]) -> str:
    """The path of members by name."""
    parts = [f".{step}" if _PLAIN.fullmatch(step) else f"['{step}']" for step in steps]
    return "".join(parts).removeprefix(".")


def every(value: Any, path: str) -> list[Any]:
    """All that a path finds."""
    found = [value]
    for step in steps(path):
        found = [one for value in found for one in _members(value, step)]
    return found


def first(value: Any, path: str) -> Any:
    """First match of a path; None: nothing."""
    return next(iter(every(value, path)), None)


def _members(value: Any, step: Step) -> list[Any]:
    if step is ALL:
        return list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    if isinstance(step, int):
        return [value[step]] if isinstance(value, list) and step < len(value) else []
    return [value[step]] if isinstance(value, dict) and step in value else []
