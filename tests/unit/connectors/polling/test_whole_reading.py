"""Tables without a watermark: read whole in each round, and deleted rows are reported."""

from collections.abc import Iterator, Sequence

import pyarrow as pa
import pytest

from zcbus.connectors.errors import TableRefused
from zcbus.connectors.polling import stream as streams
from zcbus.connectors.polling.stream import PollingStream
from zcbus.connectors.roles import CapturedTable
from zcbus.model.changes import ChangeFrame, HeartbeatFrame, Operation, Streamed
from zcbus.model.position import Position
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

NAME = TableName("s", "t")
TEXT = DataType(Kind.TEXT, "text")
TABLE = TableSchema(NAME, "x", (Column("k", TEXT, False), Column("v", TEXT, True)), primary_key=("k",))


class Whole:
    """A puller of a table that a test changes between rounds."""

    def __init__(self) -> None:
        self.rows: dict[str, str] = {}
        self.asked = 0

    def table_schemas(self, names: Sequence[TableName]) -> list[TableSchema]:
        return [TABLE] * len(names)

    def watermark(self, table: TableSchema) -> str:
        return ""

    def newest(self, table: TableSchema, column: str, behind: int) -> str | None:
        return None

    def pull(
        self, table: TableSchema, column: str, after: str | None, rows: int
    ) -> Iterator[tuple[pa.RecordBatch, str]]:
        for key, value in list(self.rows.items()):
            self.asked += 1
            yield pa.RecordBatch.from_pydict({"k": [key], "v": [value]}), ""

    def identity(self) -> str:
        return ""

    def __enter__(self) -> "Whole":
        return self

    def __exit__(self, *details: object) -> None:
        pass


class Kept:
    """A node's history document."""

    def __init__(self) -> None:
        self.document = b""

    def read(self) -> bytes:
        return self.document

    def write(self, document: bytes) -> None:
        self.document = document


def opened(source: Whole, history: Kept) -> PollingStream:
    tables = [CapturedTable(NAME, ("k",))]
    return PollingStream(lambda: source, tables, Position(0, 0), history, 0, 0, {"kind": "x", "address": ""})


def changes_of(stream: PollingStream, *, durable: bool = True) -> list[tuple[str, str]]:
    """Changes of one round: operation and key. `durable`: before the process may die."""
    found: list[tuple[str, str]] = []
    frames: list[Streamed] = []
    while not (frames and isinstance(frames[-1], HeartbeatFrame)):
        frames += stream.read(0)
    for frame in frames:
        if isinstance(frame, ChangeFrame):
            for changes in frame.tables:
                keys = map(str, changes.keys_before.column("k").to_pylist())
                operations = map(Operation, changes.operations.to_numpy())
                found += zip((one.name for one in operations), keys, strict=True)
    if durable:
        assert isinstance(frames[-1], HeartbeatFrame)
        stream.acknowledge(frames[-1].position)
    return found


def test_a_row_is_gone_once_two_readings_miss_it() -> None:
    source, history = Whole(), Kept()
    source.rows = {"a": "1", "b": "1"}
    stream = opened(source, history)
    assert changes_of(stream) == [("UPDATE", "a"), ("UPDATE", "b")]
    del source.rows["b"]
    assert changes_of(stream) == []
    source.rows["b"] = "1"
    assert changes_of(stream) == [], "it had moved to another page"
    del source.rows["b"]
    assert changes_of(stream) == []
    assert changes_of(stream) == [("DELETE", "b")]
    source.rows["b"] = "1"
    assert changes_of(stream) == [("UPDATE", "b")]


def test_rows_deleted_between_polls_are_reported_and_repeated_unless_durable() -> None:
    source, history = Whole(), Kept()
    source.rows = {"a": "1", "b": "1", "c": "1"}
    changes_of(opened(source, history))
    del source.rows["b"]
    killed = opened(source, history)
    assert changes_of(killed) == [("UPDATE", "a"), ("UPDATE", "c")], "their values are not remembered"
    assert changes_of(killed, durable=False) == [("DELETE", "b")]
    again = opened(source, history)
    changes_of(again)
    assert changes_of(again) == [("DELETE", "b")]
    last = opened(source, history)
    changes_of(last)
    assert changes_of(last) == [], "that it is gone was durable"


def test_a_table_that_is_too_large_is_refused_before_it_takes_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "_MAX_SCANNED", 3)
    source = Whole()
    source.rows = {str(number): "1" for number in range(100)}
    stream = opened(source, Kept())
    with pytest.raises(TableRefused) as caught:
        changes_of(stream)
    assert caught.value.facts["reason"] == "watermark-too-many-rows"
    assert source.asked == 4
