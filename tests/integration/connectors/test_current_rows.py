"""Folders with the current rows of tables: what readers see at any moment, through kills and two writers."""

import random
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pytest
from pyarrow import parquet

from tests.integration.connectors.test_files_target import STORES, TABLE, KilledError, Place
from tests.servers.csv_folder import CsvFolders
from zcbus.connectors.errors import Fenced
from zcbus.connectors.files.target.current.merge import Merge
from zcbus.connectors.roles import Checkpoint, TargetSession
from zcbus.connectors.roles.alteration import AddedColumn, Alteration
from zcbus.connectors.roles.target_table import MappedColumn
from zcbus.connectors.stores.local import LocalStore
from zcbus.model.states import CleanMode
from zcbus.model.types import DataType, Kind

pytestmark = pytest.mark.server
Rows = dict[int, str]


def batch(rows: Rows) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({"id": [str(one) for one in rows], "name": list(rows.values())})


def make(place: Place) -> TargetSession:
    session = place.open()
    session.prepare_store()
    session.create_table(TABLE, CleanMode.DROP)
    return session


def seen(place: Place) -> Rows:
    """As a reader without the connector has it: the files that the pointer names."""
    store = place.store()
    named = orjson.loads(store.get("orders/_latest.json") or b"")["files"]
    tables = [parquet.read_table(pa.BufferReader(store.get(f"orders/{one['name']}") or b"")) for one in named]
    store.close()
    assert [one.num_rows for one in tables] == [one["rows"] for one in named]
    rows = [row for table in tables for row in table.to_pylist()]
    assert len({row["id"] for row in rows}) == len(rows), "a key is in one file"
    return {row["id"]: row["name"] for row in rows}


def named_files(place: Place) -> list[str]:
    store = place.store()
    found = orjson.loads(store.get("orders/_latest.json") or b"")["files"]
    store.close()
    return [one["name"] for one in found]


@pytest.mark.soak(but=["name"])
@pytest.mark.parametrize("columns", ["", "name"])
def test_random_changes_leave_each_row_once(
    csv_folders: CsvFolders, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    """In files of a few rows, so that each commit splits some and joins others."""
    place = Place(csv_folders, content="rows", columns=columns)
    plain: Any = Merge.__init__
    monkeypatch.setattr(Merge, "__init__", lambda self, *given: plain(self, *given[:-1], 400))
    chance, expected = random.Random(7), Rows()
    session = make(place)
    with session:
        for version in range(1, 13):
            ids = chance.sample(range(1000), chance.choice([3, 60, 120]))
            gone, rest = ids[: len(ids) // 2], ids[len(ids) // 2 :]
            changed = {one: chance.choice(["x", "y", "z"]) for one in rest}
            session.upsert(TABLE, batch(changed))
            session.delete(TABLE, batch(dict.fromkeys(gone, "")).select(["id"]))
            session.write_checkpoints([Checkpoint("s", "", version, "{}")])
            session.commit()
            expected = {key: one for key, one in (expected | changed).items() if key not in gone}
            assert seen(place) == expected
        assert len(named_files(place)) > 5
        some = sorted(expected)[::7]
        session.update(
            TABLE, batch(dict.fromkeys(some, "")).select(["id"]), batch(dict.fromkeys(some, "w")).select(["name"])
        )
        session.delete(TABLE, batch(dict.fromkeys([*expected][::2], "")).select(["id"]))
        session.commit()
        expected |= dict.fromkeys(some, "w")
        for one in [*expected][::2]:
            del expected[one]
        assert seen(place) == expected
        session.truncate(TABLE)
        session.commit()
        assert seen(place) == {}


def _die_at(monkeypatch: pytest.MonkeyPatch, number: int) -> Callable[[], bool]:
    """The process ends behind a change of the store; returns whether it came so far."""
    counted, reached = count(1), list[bool]()

    def wrap(plain: Any) -> Any:
        def call(self: LocalStore, *given: Any, **named: Any) -> Any:
            if reached:
                raise KilledError
            found = plain(self, *given, **named)
            if next(counted) == number:
                reached.append(True)
                raise KilledError
            return found

        return call

    for name in ("put", "move", "delete"):
        monkeypatch.setattr(LocalStore, name, wrap(getattr(LocalStore, name)))
    return lambda: bool(reached)


def test_a_kill_at_any_step_leaves_the_rows_before_or_after(
    csv_folders: CsvFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Place(csv_folders, content="rows", columns="name")
    rows = {1: "x", 2: "y"}
    with make(place) as session:
        session.upsert(TABLE, batch(rows))
        session.commit()
    for step in count(1):
        version = len(place_checkpoints(place)) and place_checkpoints(place)[0].version
        before, rows = rows, {1: f"x{step}", 2: "y", 2 + step: "new"}
        with place.open() as session, monkeypatch.context() as patched:
            has_died = _die_at(patched, step)
            try:
                session.delete(TABLE, batch(dict.fromkeys(before, "")).select(["id"]))
                session.upsert(TABLE, batch(rows))
                session.write_checkpoints([Checkpoint("s", "", version + 1, "{}")])
                session.commit()
            except KilledError:
                pass
        assert seen(place) in (before, rows), "also before the next session begins"
        done = bool(place_checkpoints(place)) and place_checkpoints(place)[0].version == version + 1
        assert seen(place) == (rows if done else before), f"killed behind step {step}"
        rows = rows if done else before
        if not has_died():
            break
    assert step > 6
    assert rows == {1: f"x{step}", 2: "y", 2 + step: "new"}


def place_checkpoints(place: Place) -> list[Checkpoint]:
    with place.open() as session:
        return session.checkpoints("s")


@pytest.mark.soak(but=["csv_folders"])
@pytest.mark.parametrize("fixture", STORES)
def test_a_leftover_is_refused_and_replaced_files_stay_for_a_while(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, fixture: str
) -> None:
    place = Place(request.getfixturevalue(fixture), content="rows", retention=1)
    with make(place) as session, place.open() as leftover:
        session.upsert(TABLE, batch({1: "a", 2: "b"}))
        session.write_checkpoints([Checkpoint("s", "", 1, "{}")])
        session.commit()
        (first,) = named_files(place)
        leftover.upsert(TABLE, batch({9: "old"}))
        leftover.write_checkpoints([Checkpoint("s", "", 2, "{}")])
        session.upsert(TABLE, batch({1: "c"}))
        session.write_checkpoints([Checkpoint("s", "", 2, "{}")])
        session.commit()
        with pytest.raises(Fenced):
            leftover.commit()
        leftover.rollback()
        assert seen(place) == {1: "c", 2: "b"}
        assert f"orders/{first}" in place.files()
        store_class = type(place.store())
        now = store_class.now
        monkeypatch.setattr(store_class, "now", lambda self: now(self) + 61)
        session.upsert(TABLE, batch({3: "d"}))
        session.commit()
        assert f"orders/{first}" not in place.files()
        assert seen(place) == {1: "c", 2: "b", 3: "d"}


def test_a_pointer_that_another_process_wrote_late_is_put_right(csv_folders: CsvFolders) -> None:
    place = Place(csv_folders, content="rows")
    pointer: Path = csv_folders.path(place.options.folder, "orders/_latest.json")
    with make(place) as session:
        session.upsert(TABLE, batch({1: "a"}))
        session.commit()
        late = pointer.read_bytes()
        session.upsert(TABLE, batch({1: "b"}))
        session.commit()
    pointer.write_bytes(late)
    assert seen(place) == {1: "a"}
    with place.open() as session:
        session.checkpoints("s")
    assert seen(place) == {1: "b"}


def test_files_follow_a_structure_that_changes_values(csv_folders: CsvFolders) -> None:
    place = Place(csv_folders, content="rows")
    grade = MappedColumn("grade", "grade", DataType(Kind.INT32, "int"), True)
    title = MappedColumn("title", "title", DataType(Kind.TEXT, "text"), True)
    with make(place) as session:
        session.upsert(TABLE, batch({1: "a", 2: "b"}))
        session.commit()
        session.alter_table(TABLE, Alteration(rename=(("name", title),), add=(AddedColumn(grade, "7"),)))
    store = place.store()
    (name,) = named_files(place)
    found = parquet.read_table(pa.BufferReader(store.get(f"orders/{name}") or b"")).to_pylist()
    store.close()
    assert found == [{"id": 1, "title": "a", "grade": 7}, {"id": 2, "title": "b", "grade": 7}]
