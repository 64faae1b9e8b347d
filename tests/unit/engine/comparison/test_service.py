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
from zcbus.engine.task_box import TaskBox
from zcbus.model.comparison import ComparisonState
from zcbus.protocol.base import Connection, TableRef
from zcbus.protocol.reports import ComparisonReport
from zcbus.protocol.tasks import ContrastTask, SubscribedTable, WantedComparison


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
    task = ContrastTask(service="c", node="n", source=side, target=side, comparisons=wanted)
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
