"""The queue of comparisons."""

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from tests.support.processes import wait_until

from zcbus.bus.contract import Bus
from zcbus.connectors.errors import SourceUnavailable
from zcbus.engine.comparison.record import Record
from zcbus.engine.comparison.service import ComparisonService
from zcbus.engine.comparison.table import LinkStalled
from zcbus.engine.task_box import TaskBox
from zcbus.model.comparison import ComparisonState
from zcbus.protocol.base import Connection, TableRef
from zcbus.protocol.reports import ComparisonReport
from zcbus.protocol.tasks import ComparisonTask, SubscribedTable, WantedComparison


class _Comparison:
    """Of a table whose source does not answer, or of one that is equal."""

    def __init__(self, request: WantedComparison) -> None:
        self._request = request

    def compare(self) -> Record:
        if self._request.id == "held-up":
            raise SourceUnavailable(kind="postgresql", address="h:1", detail="the table is locked")
        return replace(Record(self._request.number), state=ComparisonState.DONE)


def _wanted(name: str) -> WantedComparison:
    ref = TableRef(schema_name="public", table=name)
    table = SubscribedTable(id=name, published=name, source=ref, target=ref)
    return WantedComparison(id=name, subscription="s", table=table, number=1)


def test_a_table_that_is_held_up_does_not_delay_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before, the first of the queue was tried again and again, and no other had its turn."""
    names = ("held-up", "second", "third")
    side = Connection(kind="postgresql", options={}, secrets={})
    wanted = tuple(map(_wanted, names))
    task = ComparisonTask(service="c", node="n", source=side, target=side, comparisons=wanted)
    monkeypatch.setattr(ComparisonService, "_comparison", lambda _, request, __: cast("Any", _Comparison(request)))
    stop = threading.Event()
    service = ComparisonService(TaskBox(task), cast("Bus", None), stop, tmp_path)
    running = threading.Thread(target=service.run)
    running.start()
    try:

        def done() -> set[str]:
            reports = [one for one in service.reports() if isinstance(one, ComparisonReport)]
            return {one.table for one in reports if one.state is ComparisonState.DONE}

        wait_until(lambda: done() == {"second", "third"}, 30, "the others are compared")
    finally:
        stop.set()
        running.join()


def test_tables_of_a_stalled_link_give_way_once_without_a_pause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before, each of them held the queue for as long as a link may stand still."""
    turns: list[tuple[str, bool]] = []

    class Stalled:
        def __init__(self, *given: Any, yields: bool) -> None:
            self._request, self._yields = given[1], yields

        def compare(self) -> Record:
            turns.append((self._request.id, self._yields))
            if self._yields and self._request.id.startswith("stalled"):
                raise LinkStalled
            return replace(Record(self._request.number), state=ComparisonState.DONE)

    names = ("stalled-1", "stalled-2", "moving", "last")
    side = Connection(kind="postgresql", options={}, secrets={})
    task = ComparisonTask(service="c", node="n", source=side, target=side, comparisons=tuple(map(_wanted, names)))
    monkeypatch.setattr("zcbus.engine.comparison.service.TableComparison", Stalled)
    monkeypatch.setattr("zcbus.engine.backoff.Backoff.pause", lambda _: pytest.fail("nothing has failed"))
    stop = threading.Event()
    service = ComparisonService(TaskBox(task), cast("Bus", None), stop, tmp_path)
    running = threading.Thread(target=service.run)
    running.start()
    try:
        wait_until(lambda: len(turns) == 6, 30, "all had their turn")
    finally:
        stop.set()
        running.join()
    assert turns == [
        ("stalled-1", True),
        ("stalled-2", True),
        ("moving", True),
        ("last", False),
        ("stalled-1", False),
        ("stalled-2", False),
    ]
