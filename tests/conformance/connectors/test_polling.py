"""Polled sources: committed rows are published by key, over restarts too; tables that cannot be captured are
refused."""

import pytest

from tests.conformance.connectors.case import Place, rows_of
from tests.support.history import History
from zcbus.connectors.errors import TableRefused
from zcbus.connectors.polling import rounds
from zcbus.connectors.roles import CapturedTable, ChangeStream
from zcbus.kit.clock import now_ms
from zcbus.model.changes import ChangeFrame, HeartbeatFrame, Streamed
from zcbus.model.position import START, Position

pytestmark = pytest.mark.server

NODE = "conformance"
ITEMS = "id BIGINT NOT NULL, name VARCHAR(200), updated_at BIGINT NOT NULL, PRIMARY KEY (id)"


def items(place: Place) -> list[CapturedTable]:
    return [CapturedTable(place.name("items"), ("id",))]


def round_of(stream: ChangeStream) -> list[Streamed]:
    """Everything up to the end of the next round."""
    frames: list[Streamed] = []
    while not frames or not isinstance(frames[-1], HeartbeatFrame):
        frames += stream.read(5.0)
    return frames


def rows_in(frames: list[Streamed]) -> list[tuple[object, ...]]:
    return [
        row for frame in frames if isinstance(frame, ChangeFrame) for part in frame.tables for row in rows_of(part.rows)
    ]


@pytest.mark.wide
def test_changes_are_published_once_and_in_order(polled: Place) -> None:
    polled.create("items", ITEMS)
    source = polled.connector.source(polled.options)
    start = source.prepare(NODE, items(polled))
    with source.open_changes(NODE, items(polled), start, History()) as stream:
        assert rows_in(round_of(stream)) == []
        polled.execute("INSERT INTO items VALUES (1, 'a', 1), (2, 'b', 2), (3, NULL, 2)")
        assert rows_in(round_of(stream)) == [("1", "a", "1"), ("2", "b", "2"), ("3", None, "2")]
        polled.execute("UPDATE items SET name = '中文😀', updated_at = 3 WHERE id = 1")
        frames = round_of(stream)
        assert rows_in(frames) == [("1", "中文😀", "3")]
        # Rows that are committed late, and the same again.
        polled.execute("INSERT INTO items VALUES (4, 'late', 2)")
        assert rows_in(round_of(stream)) == [("4", "late", "2")]
        assert rows_in(round_of(stream)) == []


@pytest.mark.wide
@pytest.mark.soak(but=["sqlite", "duckdb", "h2", "http"])
def test_many_rows_of_one_watermark_are_published_for_any_batch(polled: Place) -> None:
    polled.create("items", ITEMS.replace("200", "2000"))
    source = polled.connector.source(polled.options)
    start = source.prepare(NODE, items(polled))
    with source.open_changes(NODE, items(polled), start, History()) as stream:
        for first in range(0, polled.case.many_rows, 500):
            values = ", ".join(f"({number}, '{'x' * 1500}', 7)" for number in range(first, first + 500))
            polled.execute(f"INSERT INTO items VALUES {values}")
        rows = [row[0] for row in rows_in(round_of(stream))]
    assert sorted(map(int, rows)) == list(range(polled.case.many_rows))


def test_rows_read_after_a_snapshot_have_later_positions_after_any_pause(polled: Place) -> None:
    """Else a load would take it for a part of the image, and skip it."""
    polled.create("items", ITEMS)
    source = polled.connector.source(polled.options)
    start = rounds.beginning(now_ms() - 5 * 3600 * 1000, START)
    history = History()
    with source.open_changes(NODE, items(polled), start, history):
        pass
    with source.open_snapshot() as image:
        polled.execute("INSERT INTO items VALUES (1, 'a', 1)")
        with source.open_changes(NODE, items(polled), start, history) as stream:
            frames = round_of(stream)
    assert rows_in(frames) == [("1", "a", "1")]
    assert all(frame.last_position > image.position for frame in frames if isinstance(frame, ChangeFrame))


def test_positions_only_grow_and_say_what_was_committed_before(polled: Place) -> None:
    polled.create("items", ITEMS)
    source = polled.connector.source(polled.options)
    reached = source.prepare(NODE, items(polled))
    with source.open_changes(NODE, items(polled), reached, History()) as stream:
        for number in range(3):
            polled.execute(f"INSERT INTO items VALUES ({number}, 'x', {number})")
            end = source.log_end()
            frames: list[Streamed] = []
            while reached < end:
                (frame,) = stream.read(5.0) or (None,)
                if frame is not None:
                    position = frame.position if isinstance(frame, HeartbeatFrame) else frame.last_position  # type: ignore[union-attr]
                    assert position > reached
                    reached = position
                    frames.append(frame)
            assert (str(number), "x", str(number)) in rows_in(frames)
    assert source.describe_position(reached).endswith("Z")


def test_a_restart_resumes_at_the_document_s_bound(polled: Place) -> None:
    polled.create("items", ITEMS)
    source, history = polled.connector.source(polled.options), History()
    polled.execute("INSERT INTO items VALUES (1, 'a', 1)")
    start = source.prepare(NODE, items(polled))
    with source.open_changes(NODE, items(polled), start, history) as stream:
        round_of(stream)
    polled.execute("INSERT INTO items VALUES (2, 'b', 2)")
    polled.execute("UPDATE items SET name = 'c', updated_at = 3 WHERE id = 1")
    with source.open_changes(NODE, items(polled), Position(0, start.offset + 9), history) as stream:
        frames = round_of(stream)
    assert {("2", "b", "2"), ("1", "c", "3")} <= set(rows_in(frames))
    assert isinstance(frames[-1], HeartbeatFrame)
    assert frames[-1].position > start


def test_an_image_lies_before_what_may_be_missing_in_it(polled: Place) -> None:
    polled.create("items", ITEMS)
    source = polled.connector.source(polled.options)
    start = source.prepare(NODE, items(polled))
    polled.execute("INSERT INTO items VALUES (1, 'a', 1)")
    assert polled.read("items") == [("1", "a", "1")]
    with source.open_snapshot() as image, source.open_changes(NODE, items(polled), start, History()) as stream:
        polled.execute("INSERT INTO items VALUES (2, 'b', 2)")
        frames = [frame for frame in round_of(stream) if isinstance(frame, ChangeFrame)]
        assert all(frame.last_position > image.position for frame in frames)
        assert ("2", "b", "2") in rows_in(list(frames))


@pytest.mark.parametrize(
    ("columns", "key", "reason"),
    [
        ("id BIGINT NOT NULL PRIMARY KEY, name VARCHAR(9)", ("id",), "watermark-missing"),
        ("id BIGINT NOT NULL PRIMARY KEY, updated_at BIGINT", ("id",), "watermark-nullable"),
        ("id BIGINT NOT NULL PRIMARY KEY, updated_at DATE NOT NULL", ("id",), "watermark-unordered"),
        ("id BIGINT NOT NULL, updated_at BIGINT NOT NULL", (), "watermark-needs-key"),
    ],
)
def test_tables_that_cannot_be_captured_are_refused(
    polled: Place, columns: str, key: tuple[str, ...], reason: str
) -> None:
    if polled.case.declares_structure:
        pytest.skip("the document says what is captured, and is checked before")
    polled.create("items", columns)
    source, table = polled.connector.source(polled.options), CapturedTable(polled.name("items"), key)
    with pytest.raises(TableRefused) as caught:
        source.prepare(NODE, [table])
    assert caught.value.facts["reason"] == reason
    (refused,) = source.refusals([table], [polled.describe("items")])
    assert refused.facts["reason"] == reason


def test_a_changed_structure_stops_the_table(polled: Place) -> None:
    if polled.case.declares_structure:
        pytest.skip("the connection says which columns there are")
    polled.create("items", ITEMS)
    source, history = polled.connector.source(polled.options), History()
    start = source.prepare(NODE, items(polled))
    with source.open_changes(NODE, items(polled), start, history) as stream:
        round_of(stream)
        polled.execute("ALTER TABLE items ADD COLUMN note VARCHAR(9)")
        with pytest.raises(TableRefused) as caught:
            round_of(stream)
    assert caught.value.facts["reason"] == "schema-changed"
    with pytest.raises(TableRefused):
        source.open_changes(NODE, items(polled), start, history)
