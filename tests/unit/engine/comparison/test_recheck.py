"""Rows that change during a recheck are never reported as different, whenever they are read."""

from collections.abc import Callable, Sequence

import pyarrow as pa
import pytest

from zcbus.engine.comparison.changing_keys import ChangingKeys
from zcbus.engine.comparison.forms import ComparedColumn, Form
from zcbus.engine.comparison.recheck import Recheck, Rechecked
from zcbus.engine.comparison.rows import Key, Part
from zcbus.engine.comparison.sides import Plan
from zcbus.engine.subscribe.schema.mapping import Mapped, map_table
from zcbus.engine.transform.shapes import Shapes
from zcbus.model.arrow import ArrowArray
from zcbus.model.changes import Operation, TableChanges
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind
from zcbus.protocol.base import TableRef
from zcbus.protocol.tasks import SubscribedTable

Rows = dict[str, str]
NUMBER, TEXT = DataType(Kind.INT64, "bigint"), DataType(Kind.TEXT, "text")
SCHEMA = TableSchema(
    TableName("public", "t"), "postgresql", (Column("id", NUMBER, False), Column("v", TEXT, True)), ("id",)
)
KEYS = [(str(number),) for number in range(1, 6)]


def as_is(values: ArrowArray, _source: DataType, _target: DataType) -> ArrowArray:
    return values


def batch(rows: Rows) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays(
        [pa.array(list(rows), pa.string()), pa.array(list(rows.values()), pa.string())], names=["id", "v"]
    )


def make_plan() -> Plan:
    ref = TableRef(schema_name="public", table="t")
    mapped: Mapped = map_table(
        SubscribedTable(id="t", published="t", source=ref, target=ref), SCHEMA, ("id",), Shapes("")
    )
    key = ComparedColumn("id", "id", NUMBER, NUMBER, Form.NUMBER, as_is)
    value = ComparedColumn("v", "v", TEXT, TEXT, Form.EXACT, as_is)
    return Plan(mapped, SCHEMA, SCHEMA, (key, value), (key,))


class Look:
    """A side whose rows may become others after each look."""

    def __init__(self, rows: Rows, after: Callable[[], None] = lambda: None) -> None:
        self.rows, self._after = rows, after

    def find(self, keys: Sequence[Key]) -> Part:
        rows = batch({key: self.rows[key] for (key,) in keys if key in self.rows})
        self._after()
        return Part(rows, rows.select(["id"]))


class History:
    """A source, the target that follows it at once, and the log between them."""

    def __init__(self, rows: Rows) -> None:
        self.source, self.target = Look(rows), Look(dict(rows))
        self.records: list[TableChanges] = []
        self.arrives = True
        self._watched: ChangingKeys | None = None

    def change(self, key: str, value: str) -> None:
        """In the source, and in the target."""
        self.source.rows[key] = self.target.rows[key] = value
        rows = batch({key: value})
        numbers = pa.array([0], pa.int32())
        kind = pa.array([int(Operation.UPDATE)], pa.int8())
        self.records.append(TableChanges(SCHEMA, ("id",), kind, numbers, numbers, rows, rows.select(["id"])))

    def watch(self, watched: ChangingKeys) -> None:
        self._watched = watched

    def mark(self) -> int:
        return len(self.records)

    def wait(self) -> bool:
        return self.arrives

    def changed_since(self, mark: int) -> frozenset[Key] | None:
        assert self._watched is not None
        for offset, changes in enumerate(self.records):
            self._watched.note(offset, changes)
        return self._watched.changed_from(mark)

    def recheck(self, rounds: int = 4) -> Rechecked:
        return Recheck(make_plan(), self.source, self.target, self, rounds).recheck(KEYS)


@pytest.fixture
def history() -> History:
    return History({key: "a" for (key,) in KEYS})


def test_a_row_that_comes_back_between_two_polls_is_changing_and_not_different(history: History) -> None:
    """The row is `a` whenever the source is read, and `b` whenever the target is."""
    history.source = Look(history.source.rows, lambda: history.change("1", "b"))
    history.target = Look(history.target.rows, lambda: history.change("1", "a"))
    confirmed = history.recheck()
    assert (confirmed.differences, confirmed.unsettled, confirmed.caught_up) == ({}, 1, True)


def test_rows_that_differ_are_found_next_to_one_that_changes(history: History) -> None:
    history.target = Look({"1": "a", "2": "spoilt", "4": "a", "5": "a"}, lambda: history.change("1", "b"))
    history.source.rows.pop("4")
    confirmed = history.recheck()
    assert {key: one.kind for key, one in confirmed.differences.items()} == {
        ("2",): "different",
        ("3",): "missing",
        ("4",): "extra",
    }
    assert confirmed.unsettled == 0


def test_a_row_that_stops_changing_is_judged_then(history: History) -> None:
    def change() -> None:
        if len(history.records) < 3:
            history.change("2", "a")

    history.target = Look({**history.target.rows, "1": "b"})
    history.source = Look(history.source.rows, change)
    assert set(history.recheck(rounds=8).differences) == {("1",)}


def test_a_stalled_link_is_reported(history: History) -> None:
    history.target.rows["1"] = "b"
    history.arrives = False
    confirmed = history.recheck()
    assert (set(confirmed.differences), confirmed.caught_up) == ({("1",)}, False)


def test_a_truncated_table_has_changed_in_every_row() -> None:
    watched = ChangingKeys(make_plan(), KEYS)
    nothing = pa.RecordBatch.from_arrays([pa.array([None], pa.string())] * 2, names=["id", "v"])
    zero = pa.array([0], pa.int32())
    kind = pa.array([int(Operation.TRUNCATE)], pa.int8())
    watched.note(7, TableChanges(SCHEMA, ("id",), kind, zero, zero, nothing, nothing.select(["id"])))
    assert watched.changed_from(7) == frozenset(KEYS)
    assert not watched.changed_from(8)
