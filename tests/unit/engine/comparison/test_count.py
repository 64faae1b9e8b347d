"""Numbers of rows that change while they are counted are never called different."""

import threading
from collections.abc import Callable
from typing import cast

from zcbus.engine.comparison.changing_keys import ChangingRows
from zcbus.engine.comparison.count import Counted, Counting
from zcbus.engine.comparison.rows import Key
from zcbus.engine.comparison.sides import Plan


class Rows:
    """A side; something may happen after each count."""

    def __init__(self, number: int, after: Callable[[], None] = lambda: None) -> None:
        self.number, self._after = number, after

    def count(self) -> int:
        number = self.number
        self._after()
        return number


class Log:
    """Of rows that come and go."""

    def __init__(self, arrives: bool = True) -> None:
        self.records, self._arrives = 0, arrives

    def watch(self, watched: ChangingRows) -> None:
        pass

    def mark(self) -> int:
        return self.records

    def wait(self) -> bool:
        return self._arrives

    def changed_since(self, mark: int) -> frozenset[Key] | None:
        return frozenset({()}) if self.records > mark else frozenset()


def counted(source: Rows, target: Rows, log: Log, exported: Callable[[int], None] = lambda _: None) -> Counted:
    nothing = cast("Plan", None)
    return Counting(nothing, source, target, log, 4, threading.Event(), exported).count()


def test_the_source_is_exported_before_the_target_is_counted() -> None:
    seen: list[object] = []
    counted(Rows(8), Rows(8, lambda: seen.append("target")), Log(), seen.append)
    assert seen == [8, "target"]


def test_numbers_that_stay_differ() -> None:
    assert counted(Rows(10), Rows(8), Log()) == Counted(10, 8)
    assert counted(Rows(8), Rows(8), Log()) == Counted(8, 8)


def test_a_row_that_comes_and_goes_while_it_is_counted_is_changing() -> None:
    log = Log()

    def change() -> None:
        log.records += 2

    assert counted(Rows(10, change), Rows(9), log) == Counted(10, 9, changing=True)


def test_a_stalled_link_is_reported() -> None:
    assert counted(Rows(10), Rows(9), Log(arrives=False)) == Counted(10, 9, caught_up=False)


def test_a_row_on_its_way_arrives() -> None:
    target = Rows(9)
    target = Rows(9, lambda: setattr(target, "number", 10))
    assert counted(Rows(10), target, Log()) == Counted(10, 10)
