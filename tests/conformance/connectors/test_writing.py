"""Batches have the effect of their rows, also if rows conflict with each other."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pyarrow as pa
import pytest

from tests.conformance.connectors.case import Place
from zcbus.connectors.errors import RowRefused, TableMissing, TargetLocked
from zcbus.connectors.roles import RowStatements, TargetSession, TargetTable
from zcbus.connectors.roles.sink import lock_holders
from zcbus.model.states import LoadType

pytestmark = pytest.mark.server


@pytest.fixture
def place(written: Place) -> Place:
    """A target of every kind."""
    return written


def batch(**columns: Sequence[str | None]) -> pa.RecordBatch:
    arrays = [pa.array(list(values), pa.string()) for values in columns.values()]
    return pa.RecordBatch.from_arrays(arrays, names=list(columns))


by_each_load_type = pytest.mark.parametrize("load_type", list(LoadType), ids=["bulk", "statements"])


@pytest.fixture
def load_type() -> LoadType:
    """How the session writes, where a test does not try both."""
    return LoadType.BULK


@pytest.fixture
def session(place: Place, load_type: LoadType) -> Iterator[TargetSession]:
    place.create("t", "a INT NOT NULL, b VARCHAR(20) NOT NULL, u INT, v VARCHAR(50), PRIMARY KEY (a, b), UNIQUE (u)")
    with place.connector.target(replace(place.options, load_type=load_type)).open() as made:
        yield made


def table_of(place: Place) -> TargetTable:
    return place.target_table(place.describe("t"))


@by_each_load_type
def test_upserts_replace_and_add(place: Place, session: TargetSession) -> None:
    table = table_of(place)
    session.load(table, batch(a=["1", "2"], b=["x", "x"], u=["1", None], v=["one", "tab\t\\n\n\"'"]))
    session.upsert(table, batch(a=["2", "3", "1"], b=["x", "x", "y"], u=["2", "3", "4"], v=[None, "", "中文😀"]))
    session.commit()
    assert place.read("t") == [
        ("1", "x", "1", "one"),
        ("1", "y", "4", "中文😀"),
        ("2", "x", "2", None),
        ("3", "x", "3", ""),
    ]


def test_rows_that_should_be_new_replace_existing_ones(place: Place, session: TargetSession) -> None:
    table = table_of(place)
    session.add(table, batch(a=["1", "2"], b=["x", "x"], u=["1", "2"], v=["one", None]))
    session.commit()
    session.upsert(table, batch(a=["9"], b=["x"], u=["9"], v=["before"]))
    session.add(table, batch(a=["3", "2"], b=["x", "x"], u=["3", "4"], v=["three", "two"]))
    session.commit()
    assert place.read("t") == [
        ("1", "x", "1", "one"),
        ("2", "x", "4", "two"),
        ("3", "x", "3", "three"),
        ("9", "x", "9", "before"),
    ]


def test_without_a_unique_key_new_rows_are_not_doubled(place: Place) -> None:
    place.create("loose", "n INT NOT NULL PRIMARY KEY, a INT NOT NULL, v VARCHAR(50)")
    table = replace(place.target_table(place.describe("loose")), key=("a",))
    with place.connector.target(place.options).open() as session:
        session.add(table, batch(n=["1", "2"], a=["1", "2"], v=["one", "two"]))
        session.add(table, batch(n=["5", "3"], a=["2", "3"], v=["TWO", "three"]))
        session.commit()
    assert place.read("loose") == [("1", "1", "one"), ("3", "3", "three"), ("5", "2", "TWO")]


def test_statements_with_literals_write_the_same_as_batches(place: Place, session: TargetSession) -> None:
    target = place.connector.target(place.options)
    if not isinstance(target, RowStatements):
        pytest.skip("this kind spells no statements of rows")
    table, existing = table_of(place), place.describe("t")
    odd = ["tab\t\\n\n\"'", "", "中文😀", None]
    session.load(table, batch(a=["1", "2"], b=["x'\\", "y"], u=["1", "2"], v=["one", "two"]))
    session.commit()
    new = batch(a=["3", "4", "5", "6"], b=["x"] * 4, u=["3", None, "5", "6"], v=odd)
    changed = batch(a=["1", "3"], b=["x'\\", "x"], u=[None, "9"], v=["it's", "\\"])
    for statement in (
        *target.delete_statements(table, existing, batch(a=["2"], b=["y"])),
        *target.insert_statements(table, existing, new),
        *target.update_statements(table, existing, changed),
    ):
        place.execute(statement)
    assert place.read("t") == [
        ("1", "x'\\", None, "it's"),
        ("3", "x", "9", "\\"),
        ("4", "x", None, ""),
        ("5", "x", "5", "中文😀"),
        ("6", "x", "6", None),
    ]


@by_each_load_type
def test_rows_swap_their_unique_values(place: Place, session: TargetSession) -> None:
    table = table_of(place)
    session.load(table, batch(a=["1", "2"], b=["x", "x"], u=["1", "2"], v=["a", "b"]))
    session.commit()
    session.upsert(table, batch(a=["1", "2"], b=["x", "x"], u=["2", "1"], v=["A", "B"]))
    session.commit()
    assert place.read("t") == [("1", "x", "2", "A"), ("2", "x", "1", "B")]
    session.update(table, batch(a=["1", "2"], b=["x", "x"]), batch(u=["1", "2"]))
    session.commit()
    assert place.read("t") == [("1", "x", "1", "A"), ("2", "x", "2", "B")]


@by_each_load_type
def test_updates_set_only_their_columns(place: Place, session: TargetSession) -> None:
    table = table_of(place)
    session.load(table, batch(a=["1", "2"], b=["x", "x"], u=["1", "2"], v=["a", "b"]))
    session.update(table, batch(a=["1", "9"], b=["x", "x"]), batch(v=["new", "nowhere"]))
    session.update(table, batch(a=["2"], b=["x"]), batch(a=["5"], b=["z"], u=[None]))
    session.commit()
    assert place.read("t") == [("1", "x", "1", "new"), ("5", "z", None, "b")]


@by_each_load_type
def test_keys_pass_through_each_other(place: Place, session: TargetSession) -> None:
    table = table_of(place)
    session.load(table, batch(a=["1", "2", "3"], b=["x", "x", "x"], u=["1", "2", "3"], v=["one", "two", "three"]))
    session.update(table, batch(a=["1", "2", "3"], b=["x", "x", "x"]), batch(a=["2", "3", "1"], b=["x", "x", "x"]))
    session.commit()
    assert place.read("t") == [("1", "x", "3", "three"), ("2", "x", "1", "one"), ("3", "x", "2", "two")]


@by_each_load_type
def test_deletes_count_existing_rows(place: Place, session: TargetSession) -> None:
    table = table_of(place)
    session.load(table, batch(a=["1", "2", "3"], b=["x", "X", "x "], u=["1", "2", "3"], v=["a", "b", "c"]))
    assert session.delete(table, batch(a=["1", "2", "3", "4"], b=["y", "X", "x ", "x"])) == 2
    session.commit()
    assert place.read("t") == [("1", "x", "1", "a")]


def test_truncation_is_part_of_the_transaction(place: Place, session: TargetSession) -> None:
    table = table_of(place)
    session.load(table, batch(a=["1"], b=["x"], u=["1"], v=["a"]))
    session.commit()
    session.truncate(table)
    session.rollback()
    assert len(place.read("t")) == 1
    session.truncate(table)
    session.load(table, batch(a=["2"], b=["x"], u=["1"], v=["a"]))
    session.commit()
    assert place.read("t") == [("2", "x", "1", "a")]


@by_each_load_type
def test_nothing_is_altered_to_make_it_fit(place: Place, session: TargetSession) -> None:
    table = table_of(place)
    good = batch(a=["1"], b=["x"], u=["1"], v=["a"])
    session.load(table, good)
    session.commit()
    beyond = (
        batch(a=["2"], b=["x"], u=["2"], v=["x" * 51]),
        batch(a=["2"], b=["x"], u=["99999999999"], v=["a"]),
    )
    for wrong in (
        *(beyond if place.case.checks_declared_limits else ()),
        batch(a=["2"], b=["x"], u=["not a number"], v=["a"]),
        batch(a=["2"], b=[None], u=["2"], v=["a"]),
    ):
        with pytest.raises(RowRefused) as caught:
            session.load(table, wrong)
        assert caught.value.facts["table"] == str(table.name)
        session.rollback()
        with pytest.raises(RowRefused):
            session.upsert(table, wrong)
        session.rollback()
    if place.case.checks_declared_limits:
        with pytest.raises(RowRefused):
            session.update(table, batch(a=["1"], b=["x"]), batch(v=["x" * 51]))
        session.rollback()
    assert place.read("t") == [("1", "x", "1", "a")]


def test_a_missing_table_is_reported(place: Place, session: TargetSession) -> None:
    table = table_of(place)
    place.execute("DROP TABLE t")
    with pytest.raises(TableMissing):
        session.load(table, batch(a=["1"], b=["x"], u=["1"], v=["a"]))


def test_columns_are_added(place: Place, session: TargetSession) -> None:
    place.execute("INSERT INTO t VALUES (1, 'x', 1, 'a')")
    old = table_of(place)
    place.create(
        "wide", "a INT NOT NULL, b VARCHAR(20) NOT NULL, u INT, v VARCHAR(50), w INT NOT NULL, PRIMARY KEY (a, b)"
    )
    wide = place.target_table(place.describe("wide"))
    table = TargetTable(old.name, wide.columns, old.key, wide.source_schema)
    session.add_columns(table, [column for column in wide.columns if column.target == "w"])
    session.upsert(table, batch(a=["2"], b=["x"], u=["2"], v=["b"], w=["7"]))
    session.commit()
    assert place.read("t") == [("1", "x", "1", "a", None), ("2", "x", "2", "b", "7")]


def test_a_column_that_another_session_added_is_written(place: Place, session: TargetSession) -> None:
    old = table_of(place)
    session.upsert(old, batch(a=["1"], b=["x"], u=["1"], v=["a"]))
    session.commit()
    place.create("wide", "a INT NOT NULL, b VARCHAR(20) NOT NULL, u INT, v VARCHAR(50), w INT, PRIMARY KEY (a, b)")
    wide = place.target_table(place.describe("wide"))
    table = TargetTable(old.name, wide.columns, old.key, wide.source_schema)
    with place.connector.target(place.options).open() as other:
        other.add_columns(table, [column for column in wide.columns if column.target == "w"])
        other.commit()
    session.upsert(table, batch(a=["2"], b=["x"], u=["2"], v=["b"], w=["7"]))
    session.commit()
    assert place.read("t") == [("1", "x", "1", "a", None), ("2", "x", "2", "b", "7")]


def test_a_lock_of_another_session_is_reported_after_a_while(place: Place, session: TargetSession) -> None:
    if not place.case.hold:
        pytest.skip("the server sets no limit to a wait")
    table = table_of(place)
    impatient = replace(place.options, lock_wait=1)
    with place.case.server.connect(place.database) as other, place.connector.target(impatient).open() as waiting:
        cursor = other.cursor()
        cursor.execute("BEGIN")
        cursor.execute(place.case.hold)
        with pytest.raises(TargetLocked):
            waiting.upsert(table, batch(a=["1"], b=["x"], u=["1"], v=["one"]))
        waiting.rollback()
        assert "zcbus" not in lock_holders(waiting, table.name)
        if place.case.kind == "postgresql":
            assert "UTC" in lock_holders(waiting, table.name)
    session.upsert(table, batch(a=["1"], b=["x"], u=["1"], v=["one"]))
