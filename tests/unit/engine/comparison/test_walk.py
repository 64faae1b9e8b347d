"""A walk says when the source has been read while the target is still being read."""

import threading
from collections.abc import Generator, Iterator
from types import SimpleNamespace
from typing import Any, cast

from tests.unit.engine.comparison.test_merge import KEY, VALUE, parts

from zcbus.engine.comparison.merge import Findings
from zcbus.engine.comparison.rows import Part
from zcbus.engine.comparison.walk import Walk

DEADLINE_S = 30


class Side:
    """A side without sums or forms of rows, read part by part."""

    def __init__(self, read: Iterator[Part]) -> None:
        self._read = read

    def sums(self) -> None:
        return None

    def full_row_form(self) -> str:
        return ""

    def parts(self, _ranges: object = ()) -> Generator[Part, None, None]:
        yield from self._read


def test_the_source_counts_as_read_before_the_rest_of_the_target_is() -> None:
    rows = dict.fromkeys(range(100), "x")
    exported = threading.Event()

    def slow() -> Iterator[Part]:
        first, *others = parts(rows | dict.fromkeys(range(100, 200), "y"), 50)
        yield first
        assert exported.wait(DEADLINE_S)
        yield from others

    seen: list[bool] = []

    def progress(_findings: Findings) -> None:
        seen.append(walk.source_read)
        if walk.source_read:
            exported.set()

    plan: Any = SimpleNamespace(columns=(KEY, VALUE), key=(KEY,))
    sides = cast("Any", Side(parts(rows, 1000))), cast("Any", Side(slow()))
    walk = Walk(plan, *sides, threading.Event(), progress, strict=False)
    walk.run()
    assert seen[-1] is True
    assert (walk.findings.compared, walk.findings.extra) == (100, 100)
