"""A made-up source: transactions over two tables, their log as frames, and snapshots at chosen positions."""

import random
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from zcbus.bus.contract import Bus, Retention
from zcbus.bus.topics import full_topic, real_topic
from zcbus.model.changes import (
    ChangeFrame,
    Frame,
    HeartbeatFrame,
    Operation,
    RollbackFrame,
    SnapshotEnd,
    SnapshotRows,
    TableChanges,
    Transactions,
)
from zcbus.model.frames import encode_frame
from zcbus.model.position import Position
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

NODE = "node1"
TEXT = DataType(Kind.TEXT, "text")
Change = tuple[str, Operation, str, str, str]
"""Table, operation, key before, key after, value."""
Content = dict[str, dict[str, str]]


def schema(table: str) -> TableSchema:
    return TableSchema(
        TableName("public", table), "postgresql", (Column("id", TEXT, False), Column("v", TEXT)), ("id",)
    )


class History:
    """`states[n]` is the content after transaction n, whose position is (0, 10·n)."""

    def __init__(self, chance: random.Random, tables: Sequence[str], transactions: int, moves: bool = True) -> None:
        """`moves`: whether rows get other keys."""
        self._chance, self._moves = chance, moves
        self._tables = tables
        self._value = 0
        content: Content = {table: {f"k{n:02}": "first" for n in range(chance.randrange(8))} for table in tables}
        self.states = [content]
        self.transactions: list[list[Change]] = [[]]
        for _ in range(transactions):
            content = {table: dict(rows) for table, rows in content.items()}
            changes = [self._change(content) for _ in range(chance.randrange(1, 6))]
            self.transactions.append([change for change in changes if change is not None])
            self.states.append(content)

    def _change(self, content: Content) -> Change | None:
        table = self._chance.choice(list(self._tables))
        rows = content[table]
        old, new = (f"k{self._chance.randrange(12):02}" for _ in range(2))
        self._value += 1
        value = f"v{self._value}"
        kind = self._chance.choice(list(Operation) if self._chance.random() < 0.1 else [0, 0, 1, 1, 2])
        if kind == Operation.TRUNCATE:
            rows.clear()
            return table, Operation.TRUNCATE, "", "", ""
        if old not in rows:
            rows[old] = value
            return table, Operation.INSERT, "", old, value
        if kind == Operation.DELETE:
            del rows[old]
            return table, Operation.DELETE, old, "", ""
        if new in rows or not self._moves:
            new = old
        del rows[old]
        rows[new] = value
        return table, Operation.UPDATE, old, new, value

    def frames(self) -> list[Frame]:
        """The log: several transactions a frame, or several frames a transaction, some of them taken back first."""
        frames: list[Frame] = [HeartbeatFrame(Position(0, 1), 1)]
        number = 1
        while number < len(self.transactions):
            if self._chance.random() < 0.3:
                frames += self._in_pieces(number)
                number += 1
                continue
            several = list(range(number, min(number + self._chance.randrange(1, 4), len(self.transactions))))
            frames.append(frame([(n, change) for n in several for change in self.transactions[n]], several, True))
            number += len(several)
            if self._chance.random() < 0.2:
                frames.append(HeartbeatFrame(Position(0, 10 * (number - 1) + 3), 1))
        return [*frames, HeartbeatFrame(Position(0, 10 * number), 1)]

    def _in_pieces(self, number: int) -> list[Frame]:
        changes = self.transactions[number]
        cut = self._chance.randrange(len(changes) + 1)
        head = frame([(number, change) for change in changes[:cut]], [number], False)
        tail = frame([(number, change) for change in changes[cut:]], [number], True)
        broken = [head, RollbackFrame()] if self._chance.random() < 0.4 else []
        return [*broken, head, tail]

    def snapshot(self, table: str, places_among: int | None = None) -> list[Frame]:
        """Rows at one position, or the first keys at one and the others at a later one; `places_among`: both among the
        first so many transactions."""
        places = sorted(self._chance.choices(range(places_among or len(self.states)), k=2))
        first, last = (places[0], places[0]) if self._chance.random() < 0.5 else (places[0], places[1])
        border = f"k{self._chance.randrange(12):02}"
        early = {k: v for k, v in self.states[first][table].items() if k <= border}
        late = {k: v for k, v in self.states[last][table].items() if k > border}
        frames: list[Frame] = []
        for place, rows in ((first, early), (last, late)):
            keys = sorted(rows)
            for start in range(0, len(keys), 3):
                some = keys[start : start + 3]
                batch = pa.RecordBatch.from_arrays(
                    [pa.array(some, pa.string()), pa.array([rows[key] for key in some], pa.string())], names=["id", "v"]
                )
                frames.append(SnapshotRows(schema(table), batch, Position(0, 10 * place), (some[-1],), 10))
        count = len(early) + len(late)
        return [*frames, SnapshotEnd(schema(table), Position(0, 10 * first), Position(0, 10 * last), count)]


def frame(changes: list[tuple[int, Change]], transactions: list[int], complete: bool) -> ChangeFrame:
    tables = {change[0] for _, change in changes}
    place = [10 * number if complete else 10 * number - 5 for number in transactions]
    return ChangeFrame(
        Transactions(
            pa.array([0] * len(place), pa.int64()),
            pa.array(place, pa.int64()),
            pa.array([1] * len(place), pa.int64()),
        ),
        complete,
        tuple(_table_changes(table, changes, transactions) for table in sorted(tables)),
    )


def _table_changes(table: str, changes: list[tuple[int, Change]], transactions: list[int]) -> TableChanges:
    mine = [(place, number, change) for place, (number, change) in enumerate(changes) if change[0] == table]

    def column(values: list[str]) -> Any:
        return pa.array([value or None for value in values], pa.string())

    return TableChanges(
        schema(table),
        ("id",),
        pa.array([change[1] for _, _, change in mine], pa.int8()),
        pa.array([transactions.index(number) for _, number, _ in mine], pa.int32()),
        pa.array([place for place, _, _ in mine], pa.int32()),
        pa.RecordBatch.from_arrays(
            [column([change[3] for _, _, change in mine]), column([change[4] for _, _, change in mine])],
            names=["id", "v"],
        ),
        pa.RecordBatch.from_arrays([column([change[2] for _, _, change in mine])], names=["id"]),
    )


def write(bus: Bus, topic: str, frames: Sequence[Frame]) -> None:
    with bus.writer(topic, Retention()) as writer:
        for each in frames:
            writer.append(encode_frame(each))
        writer.flush()


def write_real(bus: Bus, frames: Sequence[Frame]) -> None:
    write(bus, real_topic(NODE), frames)


def write_full(bus: Bus, table: str, generation: int, frames: Sequence[Frame]) -> None:
    write(bus, full_topic(NODE, table, generation), frames)
