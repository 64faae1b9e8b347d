"""Captured changes, replayed into a target, make it equal to its source."""

import random
import threading
from collections.abc import Iterator

import pytest

from tests.conformance.connectors.case import Place, Row, rows_of
from tests.conformance.connectors.conftest import Pair
from tests.conformance.connectors.replay import Change, Copy, read_until, replay
from zcbus.connectors.roles import CapturedTable
from zcbus.connectors.roles.source import drop
from zcbus.model.changes import HeartbeatFrame, Operation
from zcbus.model.position import Position
from zcbus.model.states import CleanMode

pytestmark = pytest.mark.server

NODE = "conformance"
ITEMS = "id BIGINT NOT NULL, name VARCHAR(200), amount DECIMAL(12,2), PRIMARY KEY (id)"
NOTES = "code VARCHAR(20) NOT NULL, part INT NOT NULL, body VARCHAR(2000) NOT NULL, PRIMARY KEY (code, part)"
END = "INSERT INTO items VALUES (1000000, 'the end', 0)"


def create(place: Place) -> list[CapturedTable]:
    place.create("items", ITEMS)
    place.create("notes", NOTES)
    return [CapturedTable(place.name("items"), ("id",)), CapturedTable(place.name("notes"), ("code", "part"))]


def ended(changes: list[Change]) -> bool:
    return any(change.row[1] == "the end" for change in changes if change.table == "items")


def random_statement(dice: random.Random, ids: set[int], codes: set[str]) -> str:
    """One change that is sure to hit a row."""
    choice = dice.random()
    if choice < 0.35 or len(ids) < 3:
        new = dice.choice([n for n in range(2000) if n not in ids])
        ids.add(new)
        return f"INSERT INTO items VALUES ({new}, 'name {dice.random()}', {dice.randrange(10**6)})"
    old = dice.choice(sorted(ids))
    if choice < 0.6:
        return f"UPDATE items SET name = {dice.choice(['NULL', repr(str(dice.random()))])} WHERE id = {old}"
    if choice < 0.7:
        new = dice.choice([n for n in range(2000) if n not in ids])
        ids.symmetric_difference_update({old, new})
        return f"UPDATE items SET id = {new} WHERE id = {old}"
    if choice < 0.85:
        ids.discard(old)
        return f"DELETE FROM items WHERE id = {old}"
    if choice < 0.95 or not codes:
        code = f"c{dice.randrange(10**9)}"
        codes.add(code)
        return f"INSERT INTO notes VALUES ('{code}', 1, 'body'), ('{code}', 2, '中文😀')"
    code = codes.pop()
    return f"DELETE FROM notes WHERE code = '{code}'"


def random_transactions(seed: int, count: int) -> Iterator[list[str]]:
    dice, ids, codes = random.Random(seed), set[int](), set[str]()
    for _ in range(count):
        yield [random_statement(dice, ids, codes) for _ in range(dice.choice([1, 1, 2, 8]))]


def as_text(rows: list[Row]) -> list[Row]:
    """Keys are bytes if the target has no collation that distinguishes all texts."""
    return [tuple(value.decode() if isinstance(value, bytes) else value for value in row) for row in rows]


@pytest.mark.soak(but=["postgresql-to-*", "mysql-to-postgresql", "mysql-to-mysql", "mysql8-to-*"])
def test_replayed_changes_make_the_target_equal(pair: Pair) -> None:
    captured = create(pair.source)
    source = pair.source.connector.source(pair.source.options)
    begin = source.prepare(NODE, captured)
    assert source.prepare(NODE, captured) >= begin
    with source.open_changes(NODE, captured, begin) as stream:
        for statements in random_transactions(7, 60):
            pair.source.transaction(*statements)
        pair.source.transaction("INSERT INTO notes VALUES ('x', 1, 'y')", END)
        frames, changes = read_until(stream, ended)
    tables = {table.name.table: table.name.table for table in captured}
    targets = {name: pair.target.target_table(pair.source.describe(name)) for name in tables}
    with pair.target.connector.target(pair.target.options).open() as session:
        for target in targets.values():
            session.create_table(target, CleanMode.DROP)
        replay(session, targets, changes)
        session.commit()
    for name in tables:
        assert as_text(pair.target.read(name)) == as_text(pair.source.read(name))
    last = frames[-1]
    assert {change.table for change in changes if change.position == last.last_position} == {"items", "notes"}
    assert source.describe_position(last.last_position)


def test_every_operation_is_reported_as_it_was(place: Place) -> None:
    captured = create(place)
    source = place.connector.source(place.options)
    begin = source.prepare(NODE, captured)
    with source.open_changes(NODE, captured, begin) as stream:
        place.execute("INSERT INTO items VALUES (1, 'a', 1.5), (2, NULL, NULL)")
        place.execute("UPDATE items SET name = 'b' WHERE id = 1")
        place.execute("UPDATE items SET id = 3 WHERE id = 2")
        place.execute("DELETE FROM items WHERE id = 3")
        place.execute("UPDATE items SET name = 'nothing' WHERE id = 99")
        place.execute("TRUNCATE TABLE items")
        place.execute(END)
        _, changes = read_until(stream, ended)
    found = [(change.operation, change.key_before, change.row) for change in changes]
    nothing = (None, None, None)
    assert found == [
        (Operation.INSERT, (None,), ("1", "a", "1.50")),
        (Operation.INSERT, (None,), ("2", None, None)),
        (Operation.UPDATE, ("1",), ("1", "b", "1.50")),
        (Operation.UPDATE, ("2",), ("3", None, None)),
        (Operation.DELETE, ("3",), nothing),
        (Operation.TRUNCATE, (None,), nothing),
        (Operation.INSERT, (None,), ("1000000", "the end", "0.00")),
    ]


@pytest.mark.wide
@pytest.mark.soak(but=["mysql"])
def test_a_transaction_larger_than_memory_should_hold(place: Place) -> None:
    captured = create(place)
    source = place.connector.source(place.options)
    begin = source.prepare(NODE, captured)
    body = "x" * 400
    with source.open_changes(NODE, captured, begin) as stream:
        place.execute("INSERT INTO items VALUES (1, 'before', 0)")
        values = [", ".join(f"('c{n}', {p}, '{body}')" for p in range(500)) for n in range(100)]
        place.transaction(
            *(f"INSERT INTO notes VALUES {rows}" for rows in values), "DELETE FROM notes WHERE part < 499"
        )
        place.execute(END)
        frames, changes = read_until(stream, ended, seconds=180)
    partial = [frame for frame in frames if not frame.complete]
    assert partial
    assert max(sum(table.rows.nbytes for table in frame.tables) for frame in frames) < 24 << 20
    copy = Copy()
    for change in changes:
        copy.apply(change)
    assert len(copy.rows("notes")) == 100
    assert sorted(copy.rows("notes"), key=repr) == sorted(place.read("notes"), key=repr)
    inside = {change.position for change in changes if change.table == "notes"} - {Position(0, 0)}
    before, end = changes[0].position, changes[-1].position
    assert all(before < position < end for position in inside)


def test_a_reader_resumes_exactly_behind_a_position(place: Place) -> None:
    captured = create(place)
    source = place.connector.source(place.options)
    begin = source.prepare(NODE, captured)
    with source.open_changes(NODE, captured, begin) as stream:
        for statements in random_transactions(3, 12):
            place.transaction(*statements)
        place.execute(END)
        frames, changes = read_until(stream, ended)
    positions = sorted({change.position for change in changes})
    assert frames[-1].last_position == positions[-1]
    for position in (begin, positions[0], positions[5], positions[-2]):
        with source.open_changes(NODE, captured, position) as stream:
            _, again = read_until(stream, ended)
        expected = [change for change in changes if change.position > position]
        assert [repr(change) for change in again] == [repr(change) for change in expected]


def test_snapshot_and_changes_fit_together(place: Place) -> None:
    """With a concurrent writer, the snapshot and the changes after its position hold everything once."""
    captured = create(place)
    source = place.connector.source(place.options)
    begin = source.prepare(NODE, captured)
    transactions = list(random_transactions(11, 300))
    half, done = threading.Event(), threading.Event()

    def write() -> None:
        with place.case.server.connect(place.database) as connection:
            cursor = connection.cursor()
            for number, statements in enumerate([*transactions, [END]]):
                if number == 100:
                    half.set()
                for statement in ("BEGIN", *statements, "COMMIT"):
                    cursor.execute(statement)
        done.set()

    writer = threading.Thread(target=write)
    with source.open_changes(NODE, captured, begin) as stream:
        writer.start()
        assert half.wait(30)
        copy = Copy()
        with source.open_snapshot() as snapshot:
            position = snapshot.position
            for table in captured:
                schema = place.describe(table.name.table)
                for batch, _ in snapshot.read(schema, table.key, None, 50):
                    copy.put(table.name.table, table.key, schema.names, rows_of(batch))
        frames, changes = read_until(stream, ended)
        writer.join(30)
    assert done.is_set()
    assert position > begin
    later = [change for change in changes if change.position > position]
    for change in later:
        copy.apply(change)
    for table in captured:
        assert copy.rows(table.name.table) == sorted(place.read(table.name.table), key=repr)
    assert frames


def test_an_idle_source_says_how_far_it_is(place: Place) -> None:
    captured = create(place)
    source = place.connector.source(place.options)
    begin = source.prepare(NODE, captured)
    place.create("elsewhere", "id INT NOT NULL, PRIMARY KEY (id)")
    place.execute("INSERT INTO elsewhere VALUES (1)")
    current = source.prepare(f"{NODE}2", captured)
    drop(source, f"{NODE}2")
    with source.open_changes(NODE, captured, begin) as stream:
        reached, answered = begin, None
        for _ in range(40):
            for frame in stream.read(0.5):
                assert isinstance(frame, HeartbeatFrame)
                reached = frame.position
                answered = frame.answered_ms if frame.answered_ms is not None else answered
                stream.acknowledge(reached)
            if reached >= current and answered is not None:
                break
    assert reached >= current
    assert answered is not None
    assert answered >= 0
    with source.open_changes(NODE, captured, reached) as stream:
        place.execute(END)
        _, changes = read_until(stream, ended)
    assert len(changes) == 1


def test_without_a_key_each_change_has_the_complete_row_before(place: Place) -> None:
    place.create("items", ITEMS.replace(", PRIMARY KEY (id)", ""))
    if place.case.kind == "postgresql":
        place.execute("ALTER TABLE items REPLICA IDENTITY FULL")
    place.execute("INSERT INTO items VALUES (1, NULL, 1), (1, NULL, 1)")
    source, captured = place.connector.source(place.options), [CapturedTable(place.name("items"), ())]
    begin = source.prepare(NODE, captured)
    with source.open_snapshot() as snapshot:
        batches = list(snapshot.read(place.describe("items"), (), None, 1))
    assert [(rows_of(batch), key) for batch, key in batches] == [([("1", None, "1.00")], ())] * 2
    with source.open_changes(NODE, captured, begin) as stream:
        place.transaction("UPDATE items SET name = 'a' WHERE id = 1", "DELETE FROM items WHERE id = 1", END)
        _, changes = read_until(stream, ended)
    before, after, none = ("1", None, "1.00"), ("1", "a", "1.00"), (None, None, None)
    assert [(change.key_names, change.operation, change.key_before, change.row) for change in changes[:-1]] == [
        ((), Operation.UPDATE, before, after),
        ((), Operation.UPDATE, before, after),
        ((), Operation.DELETE, after, none),
        ((), Operation.DELETE, after, none),
    ]
    assert (changes[-1].operation, changes[-1].key_before) == (Operation.INSERT, none)
