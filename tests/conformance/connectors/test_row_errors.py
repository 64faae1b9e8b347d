"""Storage of the changes that a target refused."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pyarrow as pa
import pytest

from tests.conformance.connectors.case import Place
from zcbus.connectors.errors import RowRefused
from zcbus.connectors.roles import Checkpoint, TargetSession
from zcbus.connectors.row_errors import RowErrorFilter, RowErrorPart
from zcbus.model.row_errors import OPEN, Decision, RowError, RowErrorStatus, RowOperation

pytestmark = pytest.mark.server


@pytest.fixture
def place(written: Place) -> Place:
    """A target of every kind."""
    return written


@pytest.fixture
def session(place: Place) -> Iterator[TargetSession]:
    place.create("t", "a INT NOT NULL PRIMARY KEY, v VARCHAR(5) CHECK (LENGTH(v) < 6)")
    with place.connector.target(place.options).open() as made:
        made.prepare_store()
        yield made


def error(number: int, **fields: object) -> RowError:
    usual: dict[str, object] = {
        "id": f"t/1/{number}.0",
        "table": "t",
        "target": "public.t",
        "operation": RowOperation.UPDATE,
        "status": RowErrorStatus.NOT_PROCESSED,
        "key": {"a": str(number)},
        "before": {"a": str(number)},
        "after": {"a": str(number), "v": "中文 \0 100% \\ 'x'", "b": None},
        "code": "row-refused",
        "detail": f"too long \0 {number}",
        "statement": "UPDATE …",
        "position": "0/17",
        "commit_ms": 1,
        "found_ms": number,
        "changed_ms": number,
        "lacks": ("c",) if number % 2 else (),
    }
    return RowError(**{**usual, **fields})  # type: ignore[arg-type]


def test_row_errors_are_kept_in_the_transaction(place: Place, session: TargetSession) -> None:
    store = session.row_errors
    store.keep("s", [error(1), error(2)])
    session.rollback()
    assert store.count("s", RowErrorFilter()) == 0
    kept = [error(number) for number in (1, 2, 3)]
    store.keep("s", kept)
    store.keep("other", [error(9)])
    session.commit()
    assert store.read("s", RowErrorFilter()) == [replace(e, detail=e.detail.replace("\0", "␀")) for e in kept]
    decided = replace(error(2, table="u"), status=RowErrorStatus.PROCESSING, wanted=Decision.SKIP, blocking=True)
    store.keep("s", [decided, error(3, status=RowErrorStatus.SUCCESS, note="overtaken", operation=RowOperation.LOAD)])
    assert dict(store.open_counts("s")) == {"t": 1, "u": 1}
    assert [e.id for e in store.read("s", RowErrorFilter(wanted=True, blocking=True))] == [decided.id]
    assert store.count("s", RowErrorFilter(wanted=False)) == 2
    assert store.count("s", RowErrorFilter(tables=("t", "u"), statuses=OPEN)) == 2
    assert store.count("s", RowErrorFilter(operations=(RowOperation.LOAD,), ids=(error(3).id,))) == 1
    session.rollback()


def test_row_errors_are_locked_for_a_decision(place: Place, session: TargetSession) -> None:
    open_ones = RowErrorFilter(statuses=OPEN)
    session.row_errors.keep("s", [error(1), error(2)])
    session.commit()
    assert len(session.row_errors.lock("s", open_ones)) == 2

    def decide() -> list[RowError]:
        with place.connector.target(place.options).open() as other:
            found = other.row_errors.lock("s", open_ones)
            other.rollback()
            return found

    with ThreadPoolExecutor(1) as other_thread:
        waiting = other_thread.submit(decide)
        with pytest.raises(TimeoutError):
            waiting.result(0.3)
        session.row_errors.keep("s", [error(1, status=RowErrorStatus.PROCESSED)])
        session.commit()
        assert [one.id for one in waiting.result(30)] == [error(2).id]


def test_lists_are_searched_sorted_and_paged(place: Place, session: TargetSession) -> None:
    store = session.row_errors
    store.keep("s", [error(number, code=f"code_{number % 3}") for number in range(10)])
    assert store.count("s", RowErrorFilter(search="LONG")) == 10
    assert store.count("s", RowErrorFilter(search="code_1")) == 3
    assert store.count("s", RowErrorFilter(search="code%1")) == 0
    assert store.count("s", RowErrorFilter(cause="too long ␀ 7")) == 1
    assert store.count("s", RowErrorFilter(cause="too …")) == 10
    assert store.count("s", RowErrorFilter(cause="long …")) == 0
    store.keep("s", [error(number, detail="refused") for number in (4, 5)])
    assert list(store.details("s", RowErrorFilter(), 2).items()) == [("refused", 2), ("too long ␀ 0", 1)]
    store.keep("s", [error(number, code=f"code_{number % 3}") for number in (4, 5)])
    assert store.count("s", RowErrorFilter(search="'; DROP TABLE t; --")) == 0
    page = store.read("s", RowErrorFilter(), RowErrorPart("found", True, 2, 3))
    assert [e.found_ms for e in page] == [7, 6, 5]
    by_code = store.read("s", RowErrorFilter(), RowErrorPart("code", False, 0, 4))
    assert [e.code for e in by_code] == ["code_0"] * 4
    session.commit()
    assert store.delete("s", RowErrorFilter(ids=(error(1).id,))) == 1
    session.delete_checkpoints("s")
    assert store.count("s", RowErrorFilter()) == 0


def test_a_part_that_fails_leaves_the_rest(place: Place, session: TargetSession) -> None:
    table = place.target_table(place.describe("t"))

    def batch(*rows: tuple[str, str]) -> pa.RecordBatch:
        arrays = [pa.array([row[place] for row in rows], pa.string()) for place in (0, 1)]
        return pa.RecordBatch.from_arrays(arrays, names=["a", "v"])

    session.load(table, batch(("1", "one")))

    def two_parts() -> None:
        with session.savepoint():
            session.upsert(table, batch(("2", "two")))
            with pytest.raises(RowRefused), session.savepoint():
                session.load(table, batch(("3", "much too long")))
            session.upsert(table, batch(("1", "three"), ("4", "much too long")))

    with pytest.raises(RowRefused):
        two_parts()
    with session.savepoint():
        session.upsert(table, batch(("5", "five")))
    session.write_checkpoints([Checkpoint("s", "", 1, "{}")])
    session.commit()
    assert place.read("t") == [("1", "one"), ("5", "five")]
