"""Targets whose transactions are collected and arrive in one step: nothing is lost, doubled or written by two."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pyarrow as pa
import pytest

from tests.conformance.connectors.case import Place, Row
from tests.conformance.connectors.test_row_errors import error
from zcbus.connectors.errors import Fenced, RowRefused, TableMissing, TableRefused, TargetLocked
from zcbus.connectors.roles import Checkpoint, MappedColumn, TargetSession, TargetTable
from zcbus.connectors.roles.alteration import AddedColumn, Alteration
from zcbus.connectors.roles.sink import supports_parallel_keys
from zcbus.connectors.row_errors import RowErrorFilter, RowErrorPart
from zcbus.model.row_errors import OPEN, RowErrorStatus
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.states import CleanMode
from zcbus.model.types import DataType, Kind

pytestmark = pytest.mark.server

INTEGER, TEXT, BYTES = DataType(Kind.INT32, "int"), DataType(Kind.TEXT, "text"), DataType(Kind.BINARY, "bytea")
COLUMNS = (Column("a", INTEGER, False), Column("b", TEXT, False), Column("u", INTEGER), Column("v", TEXT))


@pytest.fixture
def place(written_at_once: Place) -> Place:
    """A target of every such kind."""
    return written_at_once


@pytest.fixture
def session(place: Place) -> Iterator[TargetSession]:
    with open_session(place) as made:
        made.prepare_store()
        made.create_table(table_of(place), CleanMode.DROP)
        yield made


def open_session(place: Place) -> TargetSession:
    return place.connector.target(place.options).open()


def table_of(place: Place, columns: Sequence[Column] = COLUMNS, key: tuple[str, ...] = ("a", "b")) -> TargetTable:
    schema = TableSchema(TableName("public", "t"), "postgresql", tuple(columns), key)
    return place.target_table(schema)


def batch(**columns: Sequence[str | None]) -> pa.RecordBatch:
    arrays = [pa.array(list(values), pa.string()) for values in columns.values()]
    return pa.RecordBatch.from_arrays(arrays, names=list(columns))


def row(a: str, u: str | None = None, v: str | None = None) -> pa.RecordBatch:
    return batch(a=[a], b=["x"], u=[u], v=[v])


def keys(*a: str) -> pa.RecordBatch:
    return batch(a=list(a), b=["x"] * len(a))


def stored(place: Place) -> list[Row]:
    return place.read("t")


def test_rows_and_their_checkpoint_arrive_together_or_not_at_all(place: Place, session: TargetSession) -> None:
    table = table_of(place)
    session.load(table, row("1"))
    session.write_checkpoints([Checkpoint("s", "", 1, '{"n": "表"}'), Checkpoint("s", "t", 1, "{}")])
    assert stored(place) == []
    with open_session(place) as other:
        assert other.checkpoints("s") == []
    session.rollback()
    assert session.checkpoints("s") == []
    session.load(table, row("1"))
    session.write_checkpoints([Checkpoint("s", "", 1, '{"n": "表"}')])
    session.write_checkpoints([Checkpoint("s", "", 2, "{}")])
    session.commit()
    assert stored(place) == [("1", "x", None, None)]
    with open_session(place) as other:
        assert other.checkpoints("s") == [Checkpoint("s", "", 2, "{}")]
        assert other.identity == session.identity
        other.delete(table, keys("1"))
    assert len(stored(place)) == 1, "leaving without commit rolls back"


def test_a_leftover_is_fenced_out_whatever_it_has_collected(place: Place, session: TargetSession) -> None:
    """Also a writer that checked the versions before its successor began: an old batch never follows a new one."""
    table = table_of(place)
    session.upsert(table, row("1", v="first"))
    session.write_checkpoints([Checkpoint("s", "", 1, "{}")])
    session.commit()
    with open_session(place) as leftover:
        leftover.upsert(table, row("1", v="old"))
        leftover.upsert(table, row("2", v="of a row that is deleted meanwhile"))
        leftover.write_checkpoints([Checkpoint("s", "", 2, "leftover")])
        session.upsert(table, row("1", v="new"))
        session.delete(table, keys("2"))
        session.write_checkpoints([Checkpoint("s", "", 2, "successor")])
        session.commit()
        with pytest.raises(Fenced):
            leftover.commit()
        leftover.rollback()
        for wrong in (1, 2, 4):
            with pytest.raises(Fenced):
                leftover.write_checkpoints([Checkpoint("s", "", wrong, "{}")])
            leftover.rollback()
    assert stored(place) == [("1", "x", None, "new")]
    assert session.checkpoints("s") == [Checkpoint("s", "", 2, "successor")]


def test_sessions_with_checkpoints_of_their_own_go_side_by_side(place: Place, session: TargetSession) -> None:
    table = table_of(place)
    assert supports_parallel_keys(session, table)
    with open_session(place) as other:
        for version in (1, 2, 3):
            for number, one in enumerate((session, other)):
                one.upsert(table, row(str(number), v=str(version)))
                one.write_checkpoints([Checkpoint("s", f"#{number}", version, "{}")])
            session.commit()
            other.commit(durable=False)
    assert stored(place) == [("0", "x", None, "3"), ("1", "x", None, "3")]


def test_a_batch_that_is_written_again_changes_nothing(place: Place, session: TargetSession) -> None:
    table = table_of(place)
    for version in (1, 2):
        session.load(table, batch(a=["1", "2"], b=["x", "x"], u=["1", None], v=["one", ""]))
        session.delete(table, keys("2", "3"))
        session.write_checkpoints([Checkpoint("s", "", version, "{}")])
        session.commit()
        assert stored(place) == [("1", "x", "1", "one")]


def test_null_is_not_the_empty_text(place: Place, session: TargetSession) -> None:
    table, odd = table_of(place), "中\0\r\n"
    session.upsert(table, batch(a=["1", "2", "3"], b=["x", "", "x: y/%{}*"], u=["1", None, "3"], v=["", None, odd]))
    session.commit()
    assert stored(place) == [("1", "x", "1", ""), ("2", "", None, None), ("3", "x: y/%{}*", "3", odd)]
    session.upsert(table, row("1"))
    session.commit()
    assert stored(place)[0] == ("1", "x", None, None), "what the earlier row had is gone"


def test_keys_of_bytes_and_texts_never_meet(place: Place) -> None:
    columns = (Column("k", BYTES, False), Column("l", TEXT, False))
    table = table_of(place, columns, ("k", "l"))
    odd = ["", ":", "%3A", "a:b", "a", "b", "A", "é", "*", "?", "\\", "{", " ", "\0"]
    pairs = [(one.encode(), other) for one in odd for other in odd]
    rows = pa.RecordBatch.from_arrays(
        [pa.array([k for k, _ in pairs], pa.binary()), pa.array([text for _, text in pairs], pa.string())], ["k", "l"]
    )
    with open_session(place) as session:
        session.create_table(table, CleanMode.DROP)
        session.load(table, rows)
        session.commit()
        assert len(stored(place)) == len(pairs)
        assert set(stored(place)) == set(pairs)
        session.delete(table, rows.slice(0, 14))
        session.commit()
    assert set(stored(place)) == set(pairs[14:])


def test_updates_complete_rows_from_what_is_stored_and_what_is_open(place: Place, session: TargetSession) -> None:
    table = table_of(place)
    session.load(table, batch(a=["1", "2", "3"], b=["x"] * 3, u=["1", "2", "3"], v=["a", "b", "c"]))
    session.commit()
    session.upsert(table, row("4", "4", "d"))
    session.delete(table, keys("3"))
    session.update(table, keys("1", "3", "4", "9"), batch(v=["A", "nowhere", "D", "nowhere"]))
    session.update(table, keys("2"), batch(a=["5"], b=["z"], u=[None]))
    session.update(table, keys("4"), batch(u=["44"]))
    session.commit()
    expected = [("1", "x", "1", "A"), ("4", "x", "44", "D"), ("5", "z", None, "b")]
    assert stored(place) == expected
    session.update(table, batch(a=["1", "4", "5"], b=["x", "x", "z"]), batch(a=["4", "5", "1"], b=["x", "z", "x"]))
    session.commit()
    assert stored(place) == [("1", "x", None, "b"), ("4", "x", "1", "A"), ("5", "z", "44", "D")]
    session.upsert(table, batch(a=["1", "7"], b=["x", "x"], v=["only v", "new"]))
    session.commit()
    assert stored(place)[0] == ("1", "x", None, "only v")
    assert stored(place)[-1] == ("7", "x", None, "new")


def test_a_part_that_fails_leaves_the_rest(place: Place, session: TargetSession) -> None:
    table = table_of(place)
    session.load(table, row("1", v="one"))

    def two_parts() -> None:
        with session.savepoint():
            session.upsert(table, row("2"))
            session.update(table, keys("1"), batch(v=["undone"]))
            with pytest.raises(RowRefused), session.savepoint():
                session.load(table, batch(a=["3"], b=[None], u=[None], v=[None]))
            raise RowRefused(table="t", detail="")

    with pytest.raises(RowRefused):
        two_parts()
    with session.savepoint():
        session.update(table, keys("1"), batch(u=["5"]))
    session.write_checkpoints([Checkpoint("s", "", 1, "{}")])
    session.commit()
    assert stored(place) == [("1", "x", "5", "one")]


def test_truncation_is_part_of_the_transaction(place: Place, session: TargetSession) -> None:
    table = table_of(place)
    session.load(table, row("1"))
    session.commit()
    session.truncate(table)
    session.rollback()
    assert len(stored(place)) == 1
    session.upsert(table, row("2"))
    session.truncate(table)
    session.load(table, row("3"))
    session.commit()
    assert stored(place) == [("3", "x", None, None)]


def test_a_transaction_larger_than_memory(
    place: Place, session: TargetSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zcbus.connectors.writing.journal._IN_MEMORY", 1000)
    table = table_of(place)
    for first in range(0, 3000, 500):
        numbers = [str(number) for number in range(first, first + 500)]
        session.load(table, batch(a=numbers, b=["x"] * 500, u=numbers, v=numbers))
        with pytest.raises(RowRefused), session.savepoint():
            session.load(table, batch(a=numbers, b=[None] * 500, u=numbers, v=numbers))
    session.update(table, keys("7", "2999"), batch(v=["seven", "last"]))
    session.delete(table, keys("8"))
    session.commit()
    found = stored(place)
    assert len(found) == 2999
    assert found[7] == ("7", "x", "7", "seven")
    assert found[-1] == ("2999", "x", "2999", "last")


def test_no_other_session_writes_locked_checkpoints(place: Place, session: TargetSession) -> None:
    session.write_checkpoints([Checkpoint("s", "", 1, "{}")])
    session.commit()
    impatient = place.connector.target(replace(place.options, lock_wait=0))
    with open_session(place) as holder, impatient.open() as other:
        assert holder.lock_checkpoints("s") == [Checkpoint("s", "", 1, "{}")]
        with pytest.raises(TargetLocked):
            other.write_checkpoints([Checkpoint("s", "", 2, "{}")])
        other.rollback()
        other.write_checkpoints([Checkpoint("another", "", 1, "{}")])
        other.commit()
        holder.upsert(table_of(place), row("1"))
        holder.commit()
        other.write_checkpoints([Checkpoint("s", "", 2, "{}")])
        holder.lock_checkpoints("s")
        with pytest.raises(TargetLocked):
            other.commit()
        holder.rollback()
        other.write_checkpoints([Checkpoint("s", "", 2, "{}")])
        other.commit()
    assert len(stored(place)) == 1


def test_checkpoints_are_forgotten(place: Place, session: TargetSession) -> None:
    session.row_errors.keep("s", [error(1)])
    session.write_checkpoints([Checkpoint("s", "a:b", 1, "{}"), Checkpoint("s", "a", 1, "{}")])
    session.write_checkpoints([Checkpoint("s:a", "b", 1, "{}")])
    session.commit()
    session.delete_checkpoints("s", "a")
    assert [one.name for one in session.checkpoints("s")] == ["a:b"]
    session.delete_checkpoints("s")
    assert session.checkpoints("s") == []
    assert session.row_errors.count("s", RowErrorFilter()) == 0
    assert len(session.checkpoints("s:a")) == 1
    session.write_checkpoints([Checkpoint("s", "a", 1, "again")])
    session.commit()


def test_row_errors_are_kept_in_the_transaction(place: Place, session: TargetSession) -> None:
    store = session.row_errors
    store.keep("s", [error(1), error(2)])
    session.rollback()
    assert store.count("s", RowErrorFilter()) == 0
    store.keep("s", [error(number) for number in (1, 2, 3)])
    store.keep("other", [error(9)])
    session.commit()
    assert store.read("s", RowErrorFilter()) == [replace(error(n), detail=f"too long ␀ {n}") for n in (1, 2, 3)]
    store.keep("s", [error(2, table="u", blocking=True, detail="refused")])
    assert dict(store.open_counts("s")) == {"t": 2, "u": 1}
    assert [one.id for one in store.read("s", RowErrorFilter(blocking=True))] == [error(2).id]
    assert store.count("s", RowErrorFilter(search="TOO LONG")) == 2
    assert store.count("s", RowErrorFilter(cause="too …")) == 2
    assert store.count("s", RowErrorFilter(cause="long …")) == 0
    assert list(store.details("s", RowErrorFilter(), 1).values()) == [1]
    page = store.read("s", RowErrorFilter(), RowErrorPart("found", True, 1, 1))
    assert [one.found_ms for one in page] == [2]
    assert store.delete("s", RowErrorFilter(ids=(error(1).id,))) == 1
    session.commit()
    assert store.count("s", RowErrorFilter()) == 2


def test_row_errors_are_locked_for_a_decision(place: Place, session: TargetSession) -> None:
    open_ones = RowErrorFilter(statuses=OPEN)
    session.row_errors.keep("s", [error(1), error(2)])
    session.commit()
    assert len(session.row_errors.lock("s", open_ones)) == 2

    def decide() -> list[str]:
        with open_session(place) as other:
            found = [one.id for one in other.row_errors.lock("s", open_ones)]
            other.rollback()
            return found

    with ThreadPoolExecutor(1) as other_thread:
        waiting = other_thread.submit(decide)
        with pytest.raises(TimeoutError):
            waiting.result(0.3)
        session.row_errors.keep("s", [error(1, status=RowErrorStatus.PROCESSED)])
        session.commit()
        assert waiting.result(30) == [error(2).id]


def test_tables_are_made_described_and_emptied(place: Place, session: TargetSession) -> None:
    table = table_of(place)
    described = session.describe([table.name, TableName(table.name.schema, "nowhere")])
    assert list(described) == [table.name]
    found = described[table.name]
    assert [(c.name, c.type.kind, c.nullable) for c in found.columns] == [
        ("a", Kind.INT32, False),
        ("b", Kind.TEXT, False),
        ("u", Kind.INT32, True),
        ("v", Kind.TEXT, True),
    ]
    assert found.primary_key == ("a", "b")
    with place.connector.discoverer(place.options) as discoverer:
        assert [summary.name for summary in discoverer.tables(table.name.schema)] == [table.name]
        assert discoverer.describe([table.name]) == [found]
        with pytest.raises(TableMissing):
            discoverer.describe([TableName(table.name.schema, "nowhere")])
    with pytest.raises(TableRefused):
        session.create_table(table_of(place, key=()), CleanMode.NONE)
    session.load(table, row("1"))
    session.commit()
    session.drop_table(table.name)
    assert session.describe([table.name]) == {}
    with pytest.raises(TableMissing):
        session.load(table, row("1"))


def test_rows_follow_changes_of_structure(place: Place, session: TargetSession) -> None:
    table = table_of(place)
    session.load(table, batch(a=["1", "2"], b=["x", "x"], u=["1", None], v=["one", None]))
    session.commit()
    columns = (*COLUMNS[:2], Column("w", TEXT), Column("n", TEXT), Column("o", INTEGER))
    after = table_of(place, columns)
    changed = Alteration(
        drop=("u",),
        rename=(("v", MappedColumn("w", "w", TEXT)),),
        add=(AddedColumn(MappedColumn("n", "n", TEXT), "new"), AddedColumn(MappedColumn("o", "o", INTEGER), None)),
    )
    for _ in range(2):
        session.alter_table(after, changed)
        assert stored(place) == [("1", "x", "one", "new", None), ("2", "x", None, "new", None)]
    session.update(after, keys("1"), batch(o=["7"]))
    session.commit()
    assert stored(place)[0] == ("1", "x", "one", "new", "7")
    wide = table_of(place, (*columns, Column("p", INTEGER)))
    session.add_columns(wide, wide.columns[-1:])
    session.upsert(wide, batch(a=["2"], b=["x"], w=["two"], n=["n"], o=[None], p=["1"]))
    session.commit()
    assert stored(place)[1] == ("2", "x", "two", "n", None, "1")
    with pytest.raises(RowRefused):
        session.alter_table(after, Alteration(redefine=(MappedColumn("w", "w", INTEGER),)))


def test_the_shadow_table_s_rows_replace_the_table_s(place: Place, session: TargetSession) -> None:
    table = table_of(place)
    shadow = replace(table, name=place.name("shadow"))
    session.load(table, batch(a=["1", "2", "3"], b=["x"] * 3, u=["1", "2", "3"], v=["a", "b", "c"]))
    session.commit()
    session.create_shadow_table(table, shadow.name)
    session.load(shadow, batch(a=["2", "3", "4"], b=["x"] * 3, u=["2", "33", "4"], v=["b", "c", "d"]))
    session.commit()
    assert len(stored(place)) == 3
    session.apply_shadow_table(table, shadow.name)
    assert stored(place)[0] == ("1", "x", "1", "a"), "until the commit the old rows are seen"
    session.commit()
    session.drop_table(shadow.name)
    assert stored(place) == [("2", "x", "2", "b"), ("3", "x", "33", "c"), ("4", "x", "4", "d")]


def test_ranges_cover_the_table(place: Place, session: TargetSession) -> None:
    table = table_of(place)
    numbers = [str(number * 7 - 30) for number in range(11)]
    session.load(table, batch(a=numbers, b=["x"] * 11, u=numbers, v=numbers))
    session.commit()
    schema = place.describe("t")
    with place.connector.reader(place.options, "target") as reader:
        found, borders = [], [None]
        while (border := reader.border(schema, ("a", "b"), borders[-1], 3)) is not None:
            found += [rows for rows, _ in reader.read(schema, ("a", "b"), borders[-1], 100, border)]
            borders.append(border)
        found += [rows for rows, _ in reader.read(schema, ("a", "b"), borders[-1], 100)]
        assert reader.count(schema) == 11
    assert [number for rows in found for number in rows.column("a").to_pylist()] == numbers
    assert [rows.num_rows for rows in found] == [3, 3, 3, 2]
