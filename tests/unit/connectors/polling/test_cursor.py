"""Rows that are committed late are published, and rows that are read twice are published once."""

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
    """Rows by key: their watermark, their value, and their commit time."""

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
    """One round: the published keys and values."""
    bound = -1.0 if cursor.bound is None else float(cursor.bound)
    found = sorted((taken, key, value) for key, (taken, value) in table.now(at).items() if taken > bound)
    published = []
    for first in range(0, len(found), size):
        part = found[first : first + size]
        columns = [[key for _, key, _ in part], [str(taken) for taken, _, _ in part], [value for _, _, value in part]]
        rows = pa.RecordBatch.from_arrays([pa.array(one, pa.string()) for one in columns], names=["id", "at", "v"])
        changed = cursor.changed(rows, SCHEMA, ("id",), str(part[-1][0]))
        published += list(zip(changed.column(0).to_pylist(), changed.column(2).to_pylist(), strict=True))
        cursor.reached(at, str(part[-1][0]))
    cursor.advance_bound(at)
    return published


@pytest.mark.parametrize("seed", range(60))
def test_the_copy_gets_equal_whatever_is_committed_late_within_the_overlap(seed: int) -> None:
    dice = random.Random(seed)
    table, cursor, copy = Table(), TableCursor(OVERLAP), {}
    keys = [str(number) for number in range(12)]
    free = dict.fromkeys(keys, 0.0)
    for _ in range(150):
        taken = round(dice.uniform(0, 100), 3)
        key = dice.choice(keys)
        if taken > free[key]:  # the writer of a row locks it until the commit
            committed = taken + dice.uniform(0, OVERLAP)
            table.write(key, taken, committed, f"{key} at {taken}")
            free[key] = committed
    at, published = 0.0, 0
    while at < 120:
        at += dice.uniform(0.5, 8)
        changes = read(table, cursor, at, dice.choice([1, 3, 100]))
        copy.update(changes)
        published += len(changes)
    assert copy == {key: value for key, (_, value) in table.now(at).items()}
    assert published <= sum(map(len, table.rows.values()))


def test_published_rows_are_read_again_until_the_overlap_is_over() -> None:
    table, cursor = Table(), TableCursor(OVERLAP)
    table.write("1", 1.0, 1.0, "a")
    assert read(table, cursor, 2.0, 10) == [("1", "a")]
    assert cursor.bound is None
    assert read(table, cursor, 4.0, 10) == []
    assert read(table, cursor, 7.5, 10) == []
    assert cursor.bound == "1.0"


def test_a_restart_publishes_rows_after_the_bound_again_and_misses_none() -> None:
    table, cursor = Table(), TableCursor(OVERLAP)
    for number in range(20):
        table.write(str(number), float(number), float(number), "a")
    read(table, cursor, 10.0, 3)
    read(table, cursor, 16.0, 3)
    assert cursor.bound is not None
    again = TableCursor(OVERLAP, cursor.bound)
    published = dict(read(table, again, 30.0, 3))
    assert set(published) == {str(number) for number in range(20) if number > float(cursor.bound)}
