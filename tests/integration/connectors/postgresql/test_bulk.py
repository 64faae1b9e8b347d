"""A backlog is read in bulk, with the same result as the stream."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from tests.integration.connectors.postgresql.conftest import Database
from tests.integration.connectors.postgresql.test_capture import T, changes, count, numbers, read_until
from tests.support.processes import wait_until
from zcbus.connectors.postgresql.capture import backlog, bulk, stream
from zcbus.connectors.postgresql.capture.bulk import BulkFeed
from zcbus.connectors.postgresql.capture.feeds import LiveFeed
from zcbus.connectors.postgresql.capture.source import PostgreSQLSource
from zcbus.connectors.postgresql.capture.stream import PostgreSQLChangeStream
from zcbus.model.changes import ChangeFrame
from zcbus.model.position import Position

pytestmark = pytest.mark.server


@pytest.fixture
def source(database: Database) -> Iterator[PostgreSQLSource]:
    made = PostgreSQLSource(database.options)
    made.drop("n")
    yield made
    made.drop("n")


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any backlog is read in bulk, in short ranges."""
    monkeypatch.setattr(backlog, "BULK_BYTES", 1)
    monkeypatch.setattr(backlog, "MIN_BYTES", 1)
    monkeypatch.setattr(backlog, "LOG_RANGE_BYTES", 64 << 10)
    monkeypatch.setattr(backlog, "DURABLE_BYTES", 128 << 10)


def fill(database: Database, first: int, last: int, rows: int = 10) -> None:
    for start in range(first, last, rows):
        database.execute(
            f"INSERT INTO t SELECT i, repeat('x', 100) FROM generate_series({start}, {start + rows - 1}) i"
        )


def keys(frames: Sequence[ChangeFrame]) -> list[int]:
    return [int(row[3][0]) for row in changes(frames)]


def read_confirming(stream: PostgreSQLChangeStream, expected: int) -> tuple[list[ChangeFrame], list[str]]:
    """All frames up to a number of changes, acknowledged one by one, and the names of the feeds that returned them."""
    frames: list[ChangeFrame] = []
    used: list[str] = []
    while count(frames) < expected:
        came = [frame for frame in stream.read(5) if isinstance(frame, ChangeFrame)]
        frames += came
        if came and (not used or used[-1] != type(stream._feed).__name__):
            used.append(type(stream._feed).__name__)
        if came and came[-1].complete:
            stream.acknowledge(came[-1].last_position)
    return frames, used


@pytest.mark.wide
@pytest.mark.soak(but=["postgres18_server"])
@pytest.mark.usefixtures("eager")
def test_a_backlog_then_what_follows(database: Database, source: PostgreSQLSource) -> None:
    database.execute("CREATE TABLE t (k int PRIMARY KEY, v text); CREATE TABLE other (k int)")
    source.prepare("n", [T])
    fill(database, 0, 3000)
    database.execute("INSERT INTO other SELECT generate_series(1, 5000)")
    fill(database, 3000, 4000)
    with source.open_changes("n", [T], None) as opened:
        assert isinstance(opened._feed, BulkFeed)
        frames, used = read_confirming(opened, 4000)
        assert keys(frames) == list(range(4000))
        while isinstance(opened._feed, BulkFeed):
            opened.read(0.1)
        fill(database, 4000, 4010)
        rest, _ = read_confirming(opened, 10)
        assert keys(rest) == list(range(4000, 4010))
        assert isinstance(opened._feed, LiveFeed)
    assert used == ["BulkFeed"]
    positions = [offset for frame in frames for offset in numbers(frame.transactions.offsets)]
    assert positions == sorted(set(positions))
    assert len(positions) == 400


@pytest.mark.soak(but=["postgres_server"])
@pytest.mark.usefixtures("eager")
def test_unacknowledged_changes_are_sent_again(database: Database, source: PostgreSQLSource) -> None:
    database.execute("CREATE TABLE t (k int PRIMARY KEY, v text)")
    source.prepare("n", [T])
    fill(database, 0, 3000)
    with source.open_changes("n", [T], None) as opened:
        frames = read_until(opened, lambda found: count(found) >= 3000)
    assert keys(frames) == list(range(3000))
    offsets = [offset for frame in frames for offset in numbers(frame.transactions.offsets)]
    for place in (0, 7, 150, 298):
        with source.open_changes("n", [T], Position(0, offsets[place])) as opened:
            assert isinstance(opened._feed, BulkFeed)
            again = read_until(opened, lambda found, expected=2990 - 10 * place: count(found) >= expected)  # type: ignore[misc]
        assert keys(again) == list(range(10 * place + 10, 3000))


@pytest.mark.usefixtures("eager")
def test_a_huge_transaction_in_bulk(database: Database, source: PostgreSQLSource) -> None:
    database.execute("CREATE TABLE t (k int PRIMARY KEY, v text)")
    source.prepare("n", [T])
    fill(database, 0, 10)
    fill(database, 10, 60010, rows=60000)
    fill(database, 60010, 60020)
    with source.open_changes("n", [T], None) as opened:
        frames, _ = read_confirming(opened, 60020)
    assert keys(frames) == list(range(60020))
    partial = [frame for frame in frames if not frame.complete]
    assert partial
    assert all(len(frame.transactions.offsets) == 1 for frame in partial)


@pytest.mark.soak(but=["postgres18_server"])
def test_a_stream_that_fell_behind_turns_to_bulk(
    database: Database, source: PostgreSQLSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "_CHECK_SECONDS", 0.0)
    monkeypatch.setattr(backlog, "BULK_BYTES", 64 << 10)
    monkeypatch.setattr(stream, "_RECEIPTS", 1)
    database.execute("CREATE TABLE t (k int PRIMARY KEY, v text)")
    source.prepare("n", [T])
    with source.open_changes("n", [T], None) as opened:
        fill(database, 0, 10)
        first, used = read_confirming(opened, 10)
        assert used == ["LiveFeed"]
        fill(database, 10, 20010, rows=100)
        rest, used = read_confirming(opened, 20000)
        while isinstance(opened._feed, BulkFeed):
            opened.read(0.1)
    assert keys([*first, *rest]) == list(range(20010))
    assert "BulkFeed" in used


@pytest.mark.soak(but=["postgres18_server"])
@pytest.mark.usefixtures("eager")
def test_a_reader_that_leaves_early_frees_the_slot(database: Database, source: PostgreSQLSource) -> None:
    database.execute("CREATE TABLE t (k int PRIMARY KEY, v text)")
    source.prepare("n", [T])
    fill(database, 0, 100000, rows=10000)
    for _ in range(3):
        with source.open_changes("n", [T], None) as opened:
            assert isinstance(opened._feed, BulkFeed)
    with source.open_changes("n", [T], None) as opened:
        frames = read_until(opened, lambda found: count(found) >= 100000)
    assert keys(frames) == list(range(100000))


@pytest.mark.usefixtures("eager")
def test_without_room_for_temporary_files_the_stream_is_read(
    database: Database, source: PostgreSQLSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    database.execute("CREATE TABLE t (k int PRIMARY KEY, v text)")
    name = database.options.database
    database.execute(f"ALTER DATABASE \"{name}\" SET temp_file_limit = '1MB'")
    monkeypatch.setattr(bulk, "_WORK_MEMORY", "64kB")
    source.prepare("n", [T])
    fill(database, 0, 40000, rows=10000)
    with source.open_changes("n", [T], None) as opened:
        assert isinstance(opened._feed, BulkFeed)
        frames = read_until(opened, lambda found: count(found) >= 40000)
        assert isinstance(opened._feed, LiveFeed)
    assert keys(frames) == list(range(40000))


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("free", [0, 1])
def test_with_few_slots_left_there_are_fewer_sessions(database: Database, source: PostgreSQLSource, free: int) -> None:
    database.execute("CREATE TABLE t (k int PRIMARY KEY, v text)")
    source.prepare("n", [T])
    fill(database, 0, 3000, rows=100)
    with all_slots_taken_but(database, free), source.open_changes("n", [T], None) as opened:
        assert isinstance(opened._feed, BulkFeed if free else LiveFeed)
        frames, _ = read_confirming(opened, 3000)
    assert keys(frames) == list(range(3000))
    left = "SELECT slot_name FROM pg_replication_slots WHERE slot_name LIKE 'zcbus_bulk%'"
    wait_until(lambda: not database.rows(left), 60, "the sessions' slots are gone")


@contextmanager
def all_slots_taken_but(database: Database, free: int) -> Iterator[None]:
    database.execute(
        f"""SELECT pg_create_physical_replication_slot('taken_' || i) FROM generate_series(1,
        current_setting('max_replication_slots')::int - (SELECT count(*)::int FROM pg_replication_slots) - {free}) i"""
    )
    try:
        yield
    finally:
        database.execute(
            "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name LIKE 'taken%'"
        )
