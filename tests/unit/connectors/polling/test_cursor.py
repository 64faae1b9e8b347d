"""Rows that are committed late are told, and rows that are read twice are told once."""

import random

import pyarrow as pa
import pytest

from zcbus.connectors.polling.cursor import TableCursor
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

OVERLAP = 5.0
TEXT = DataType(Kind.TEXT, "text")
SCHEMA = TableSchema(
    TableName("main", "t"), "sqlite", (Column("id", TEXT, False), Column("at", TEXT, False), Column("v", TEXT)), ("id",)
)


class Table:
    """Rows by key: the watermark they took, their value, and when they are committed."""

    def __init__(self) -> None:
        self.rows: dict[str, list[tuple[float, float, str]]] = {}

    def write(self, key: str, taken: float, committed: float, value: str) -> None:
        self.rows.setdefault(key, []).append((committed, taken, value))

    def now(self, at: float) -> dict[str, tuple[float, str]]:
        found = {}
        for key, versions in self.rows.items():
            seen = [one for one in versions if one[0] <= at]
            if seen:
                found[key] = max(seen)[1:]
        return found


def read(table: Table, cursor: TableCursor, at: float, size: int) -> list[tuple[str, str]]:
    """One round: what it tells, as key and value."""
    bound = -1.0 if cursor.bound is None else float(cursor.bound)
    found = sorted((taken, key, value) for key, (taken, value) in table.now(at).items() if taken > bound)
    told = []
    for first in range(0, len(found), size):
        part = found[first : first + size]
        columns = [[key for _, key, _ in part], [str(taken) for taken, _, _ in part], [value for _, _, value in part]]
        rows = pa.RecordBatch.from_arrays([pa.array(one, pa.string()) for one in columns], names=["id", "at", "v"])
        changed = cursor.changed(rows, SCHEMA, ("id",), str(part[-1][0]))
        told += list(zip(changed.column(0).to_pylist(), changed.column(2).to_pylist(), strict=True))
        cursor.reached(at, str(part[-1][0]))
    cursor.advance_bound(at)
    return told


@pytest.mark.parametrize("seed", range(60))
def test_the_copy_gets_equal_whatever_is_committed_late_within_the_overlap(seed: int) -> None:
    dice = random.Random(seed)
    table, cursor, copy = Table(), TableCursor(OVERLAP), {}
    keys = [str(number) for number in range(12)]
    free = dict.fromkeys(keys, 0.0)
    for _ in range(150):
        taken = round(dice.uniform(0, 100), 3)
        key = dice.choice(keys)
        if taken > free[key]:  # whoever changes a row holds it until the commit
            committed = taken + dice.uniform(0, OVERLAP)
            table.write(key, taken, committed, f"{key} at {taken}")
            free[key] = committed
    at, told = 0.0, 0
    while at < 120:
        at += dice.uniform(0.5, 8)
        changes = read(table, cursor, at, dice.choice([1, 3, 100]))
        copy.update(changes)
        told += len(changes)
    assert copy == {key: value for key, (_, value) in table.now(at).items()}
    assert told <= sum(map(len, table.rows.values()))


def test_what_was_told_is_read_again_until_the_overlap_is_over_and_then_no_more() -> None:
    table, cursor = Table(), TableCursor(OVERLAP)
    table.write("1", 1.0, 1.0, "a")
    assert read(table, cursor, 2.0, 10) == [("1", "a")]
    assert cursor.bound is None
    assert read(table, cursor, 4.0, 10) == []
    assert read(table, cursor, 7.5, 10) == []
    assert cursor.bound == "1.0"


def test_a_restart_tells_again_what_lies_behind_the_bound_and_misses_nothing() -> None:
    table, cursor = Table(), TableCursor(OVERLAP)
    for number in range(20):
        table.write(str(number), float(number), float(number), "a")
    read(table, cursor, 10.0, 3)
    read(table, cursor, 16.0, 3)
    assert cursor.bound is not None
    again = TableCursor(OVERLAP, cursor.bound)
    told = dict(read(table, again, 30.0, 3))
    assert set(told) == {str(number) for number in range(20) if number > float(cursor.bound)}
