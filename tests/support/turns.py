"""Cases of a test that take turns: `make test` runs one of those that are alike, chosen by the test's name, and
`make soak` the others. Each server is so met by many tests, and no test by all servers that are alike.

A test marked `every_case`, and one whose cases a mark divides, runs as if there were no turns.
"""

import zlib
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from typing import Any

import pytest

from tests.support.parts import SOAK, leave_to

EVERY_CASE = "every_case"


def take_turns(items: Iterable[pytest.Item], parameter: str, family_of: Callable[[Any], Hashable]) -> None:
    """Leave to the soak all but one of the cases of a test that differ only in `parameter`, by values of one family."""
    alike: dict[tuple[Hashable, ...], list[pytest.Item]] = defaultdict(list)
    for item in items:
        call = getattr(item, "callspec", None)
        if call is None or parameter not in call.params or _stays(item):
            continue
        others = tuple(sorted((name, index) for name, index in call.indices.items() if name != parameter))
        test = item.nodeid.partition("[")[0]
        alike[test, others, family_of(call.params[parameter])].append(item)
    for (test, others, _), cases in alike.items():
        turn = zlib.crc32(f"{test}{others}".encode()) % len(cases)
        for number, item in enumerate(cases):
            if number != turn:
                leave_to(SOAK, item)


def _stays(item: pytest.Item) -> bool:
    return any(item.get_closest_marker(name) is not None for name in (SOAK, EVERY_CASE))
