"""Compaction against a naive model that applies change by change."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zcbus.engine.compaction import Net, compact
from zcbus.model.changes import Operation, TableChanges
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

NAMES = ("a", "b", "small", "large")
KEY = ("a", "b")
TEXT = DataType(Kind.TEXT, "text")
SCHEMA = TableSchema(
    TableName("public", "t"), "postgresql", tuple(Column(name, TEXT) for name in NAMES), primary_key=KEY
)
Key = tuple[str, str]
Table = dict[Key, tuple[str | None, str | None]]


@dataclass(frozen=True)
class Change:
    operation: Operation
    before: Key | None
    after: Key | None = None
    small: str | None = None
    large: str | None = None
    small_sent: bool = True
    large_sent: bool = True


def as_batches(changes: Sequence[Change], cut: int) -> list[TableChanges]:
    return [as_batch(part) for part in (changes[:cut], changes[cut:]) if part]


def as_batch(changes: Sequence[Change]) -> TableChanges:
    def column(values: list[str | None]) -> Any:
        return pa.array(values, pa.string())

    rows = [
        column([change.after[0] if change.after else None for change in changes]),
        column([change.after[1] if change.after else None for change in changes]),
        column([change.small if change.small_sent else None for change in changes]),
        column([change.large if change.large_sent else None for change in changes]),
    ]
    before = [column([change.before[part] if change.before else None for change in changes]) for part in (0, 1)]
    unchanged = {}
    if not all(change.small_sent for change in changes):
        unchanged["small"] = pa.array([not change.small_sent for change in changes])
    if not all(change.large_sent for change in changes):
        unchanged["large"] = pa.array([not change.large_sent for change in changes])
    count = len(changes)
    return TableChanges(
        SCHEMA,
        KEY,
        pa.array([change.operation for change in changes], pa.int8()),
        pa.array([0] * count, pa.int32()),
        pa.array(range(count), pa.int32()),
        pa.RecordBatch.from_arrays(rows, names=list(NAMES)),
        pa.RecordBatch.from_arrays(before, names=list(KEY)),
        unchanged,
    )


class Model:
    """Draws a plausible log of changes of a table, together with the table's content after it."""

    def __init__(self, draw: Any) -> None:
        self._draw = draw
        keys = st.tuples(st.sampled_from("12"), st.sampled_from("xyz"))
        self.start: Table = draw(st.dictionaries(keys, st.tuples(self._values(), self._values()), max_size=5))
        self.table = dict(self.start)
        self._keys = keys
        self.changes = [change for change in (self._change() for _ in range(draw(st.integers(1, 14)))) if change]

    @staticmethod
    def _values() -> Any:
        return st.one_of(st.none(), st.sampled_from(["p", "q", "r", "s", "t"]))

    def _change(self) -> Change | None:
        kind = self._draw(st.sampled_from(["insert", "update", "update", "move", "delete"]))
        key = self._draw(self._keys)
        if kind == "insert":
            return self._insert(key)
        if key not in self.table:
            return None
        if kind == "delete":
            del self.table[key]
            return Change(Operation.DELETE, key)
        to = self._draw(self._keys) if kind == "move" else key
        return self._update(key, to)

    def _insert(self, key: Key) -> Change | None:
        if key in self.table:
            return None
        row = self._draw(self._values()), self._draw(self._values())
        self.table[key] = row
        return Change(Operation.INSERT, None, key, *row)

    def _update(self, key: Key, to: Key) -> Change | None:
        if to != key and to in self.table:
            return None
        small, large = self.table.pop(key)
        small_sent, large_sent = self._draw(st.booleans()), self._draw(st.booleans())
        small = self._draw(self._values()) if small_sent else small
        large = self._draw(self._values()) if large_sent else large
        self.table[to] = (small, large)
        return Change(Operation.UPDATE, key, to, small, large, small_sent, large_sent)


def key_rows(batch: pa.RecordBatch) -> list[Key]:
    return [(row["a"], row["b"]) for row in batch.to_pylist()]


def apply(table: Table, net: Net) -> None:
    """What a target does, with a primary key that is checked row by row."""
    for key in key_rows(net.deletes):
        table.pop(key, None)
    for update in net.updates:
        for key, values in zip(key_rows(update.keys), update.rows.to_pylist(), strict=True):
            if key not in table:
                continue
            old = table.pop(key)
            to = values["a"], values["b"]
            assert to not in table, "an update must not meet another row"
            table[to] = (values.get("small", old[0]), values.get("large", old[1]))
    keys = key_rows(net.upserts)
    assert len(keys) == len(set(keys))
    for key, values in zip(keys, net.upserts.to_pylist(), strict=True):
        table[key] = (values["small"], values["large"])


@pytest.mark.wide
@settings(max_examples=400, deadline=None)
@given(st.data())
def test_the_net_effect_is_that_of_all_changes_one_by_one(data: st.DataObject) -> None:
    model = Model(data.draw)
    if not model.changes:
        return
    target = dict(model.start)
    cut = data.draw(st.integers(0, len(model.changes)))
    for net in compact(as_batches(model.changes, cut)):
        apply(target, net)
    assert target == model.table


@pytest.mark.wide
@settings(max_examples=150, deadline=None)
@given(st.data())
def test_applying_it_twice_changes_nothing_where_every_value_was_sent(data: st.DataObject) -> None:
    """Convergent apply: what an interrupted snapshot contains already may come again."""
    model = Model(data.draw)
    complete = [change for change in model.changes if change.small_sent and change.large_sent]
    if not complete or len(complete) < len(model.changes):
        return
    target = dict(model.table)
    for net in compact(as_batches(complete, 0)):
        apply(target, net)
    assert target == model.table


def test_net_effects_without_unsent_values() -> None:
    changes = [
        Change(Operation.INSERT, None, ("1", "x"), "p", "q"),
        Change(Operation.UPDATE, ("1", "x"), ("1", "y"), "r", "q"),
        Change(Operation.DELETE, ("2", "x")),
        Change(Operation.INSERT, None, ("2", "x"), "s", None),
    ]
    (net,) = compact(as_batches(changes, 2))
    assert key_rows(net.deletes) == [("1", "x")]
    assert net.updates == ()
    assert net.upserts.to_pylist() == [
        {"a": "1", "b": "y", "small": "r", "large": "q"},
        {"a": "2", "b": "x", "small": "s", "large": None},
    ]


def test_a_row_keeps_its_large_value_when_it_moves() -> None:
    move = Change(Operation.UPDATE, ("1", "x"), ("1", "y"), "p", None, large_sent=False)
    (net,) = compact(as_batches([move], 0))
    assert net.deletes.num_rows == net.upserts.num_rows == 0
    (update,) = net.updates
    assert key_rows(update.keys) == [("1", "x")]
    assert update.rows.to_pylist() == [{"a": "1", "b": "y", "small": "p"}]
