"""Targets that receive events: in the order of each key, with ids that stay the same, and fenced."""

import random
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest

from tests.conformance.connectors.case import Place
from tests.conformance.connectors.test_written_at_once import (
    COLUMNS,
    batch,
    keys,
    open_session,
    row,
    table_of,
    test_checkpoints_are_forgotten,
    test_row_errors_are_kept_in_the_transaction,
    test_row_errors_are_locked_for_a_decision,
)
from tests.servers.http_receiver import LIMITS
from tests.support.rest_service import Asked, Reply
from zcbus.connectors.emitting import session as session_module
from zcbus.connectors.emitting import state as state_module
from zcbus.connectors.errors import Fenced, RowRefused, TableRefused, TargetLocked, TargetUnavailable
from zcbus.connectors.roles import Checkpoint, MappedColumn, TargetSession
from zcbus.connectors.roles.alteration import AddedColumn, Alteration
from zcbus.model.schema import Column
from zcbus.model.states import CleanMode
from zcbus.model.types import DataType, Kind

__all__ = [
    "test_checkpoints_are_forgotten",
    "test_row_errors_are_kept_in_the_transaction",
    "test_row_errors_are_locked_for_a_decision",
]
Event = dict[str, Any]


@pytest.fixture
def place(emitted: Place) -> Iterator[Place]:
    """A target of every such kind."""
    yield emitted
    emitted.case.server.before = lambda _: None


@pytest.fixture
def session(place: Place) -> Iterator[TargetSession]:
    with open_session(place) as made:
        made.prepare_store()
        made.create_table(table_of(place), CleanMode.DROP)
        yield made


def events(place: Place) -> list[Event]:
    found: list[Event] = place.case.server.events[place.database]
    return found


def rows(place: Place) -> list[tuple[Any, ...]]:
    found = place.case.server.rows(place.database, "t")
    return sorted((one["a"], one["u"], one["v"]) for one in found)


def numbers(*values: int) -> pa.RecordBatch:
    texts = [str(value) for value in values]
    return batch(a=texts, b=["x"] * len(texts), u=texts, v=texts)


def test_checkpoints_follow_the_events_and_are_fenced(place: Place, session: TargetSession) -> None:
    session.load(table_of(place), row("1"))
    session.write_checkpoints([Checkpoint("s", "", 1, '{"n": "表"}')])
    assert [one["operation"] for one in events(place)] == ["load"]
    with open_session(place) as other:
        assert other.checkpoints("s") == []
        session.commit()
        assert other.checkpoints("s") == [Checkpoint("s", "", 1, '{"n": "表"}')]
        other.write_checkpoints([Checkpoint("s", "", 2, "{}")])
        session.write_checkpoints([Checkpoint("s", "", 2, "{}")])
        other.commit()
        with pytest.raises(Fenced):
            session.commit()
        with pytest.raises(Fenced):
            session.write_checkpoints([Checkpoint("s", "", 2, "{}")])


def test_who_holds_the_checkpoints_writes_them_alone(place: Place, session: TargetSession) -> None:
    impatient = place.connector.target(replace(place.options, lock_wait=0))
    with impatient.open() as other:
        session.lock_checkpoints("s")
        with pytest.raises(TargetLocked):
            other.write_checkpoints([Checkpoint("s", "", 1, "{}")])
        session.rollback()
        other.rollback()
        other.write_checkpoints([Checkpoint("s", "", 1, "{}")])
        other.commit()


def test_what_is_sent_again_has_the_ids_that_it_had(place: Place, session: TargetSession) -> None:
    table = table_of(place)
    session.add(table, numbers(1, 2))
    session.__exit__(None, None, None)  # the process is gone, and with it the transaction
    with open_session(place) as next_one:
        next_one.upsert(table, numbers(1, 2, 3))
        next_one.write_checkpoints([Checkpoint("s", "", 1, "{}")])
        next_one.commit()
        assert sorted(one["key"]["a"] for one in events(place)) == [1, 2, 3], "the receiver has dropped what it had"
        next_one.upsert(table, numbers(1))
        next_one.write_checkpoints([Checkpoint("s", "", 2, "{}")])
        next_one.commit()
    assert len(events(place)) == 4, "a later change to the same values is another event"


def test_a_change_that_was_taken_back_meanwhile_is_no_repetition(place: Place, session: TargetSession) -> None:
    """Of A and B, which were sent before a kill, the changes that are read again leave A alone: it must be sent so that
    the receiver does not drop it, though it had A."""
    table = table_of(place)
    session.upsert(table, row("1", v="A"))
    session.upsert(table, row("1", v="B"))
    session.__exit__(None, None, None)
    with open_session(place) as next_one:
        next_one.upsert(table, row("1", v="A"))
        next_one.write_checkpoints([Checkpoint("s", "", 1, "{}")])
        next_one.commit()
    assert rows(place) == [(1, None, "A")]


def test_rows_of_a_load_after_the_table_was_emptied_are_new(place: Place, session: TargetSession) -> None:
    table = table_of(place)
    session.load(table, row("1"))
    session.rollback()
    session.create_table(table, CleanMode.TRUNCATE)
    session.load(table, row("1"))
    session.write_checkpoints([Checkpoint("s", "t", 1, "{}")])
    session.commit()
    assert rows(place) == [(1, None, None)]
    assert [one["operation"] for one in events(place)] == ["load", "truncate", "load"]


def test_one_of_many_rows_is_refused_and_no_other_is_sent_twice(place: Place, session: TargetSession) -> None:
    refused = Counter[bool]()

    def before(asked: Asked) -> Reply | None:
        is_bad = asked.json["key"]["a"] == 37
        refused[is_bad] += 1
        return Reply("no such customer", status=422) if is_bad else None

    place.case.server.before = before
    table = table_of(place)
    with pytest.raises(RowRefused) as caught, session.savepoint():
        session.load(table, numbers(*range(100)))
    assert "no such customer" in str(caught.value.facts["detail"])
    for first in range(0, 100, 10):
        part = numbers(*range(first, first + 10))
        if first == 30:
            with pytest.raises(RowRefused), session.savepoint():
                session.upsert(table, part)
        else:
            session.upsert(table, part)
    assert refused == {True: 1, False: 99}
    session.commit()
    assert len(events(place)) == 99


def test_of_a_large_transaction_not_all_answers_are_kept(
    place: Place, session: TargetSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_module, "_KNOWN", 10)
    place.case.server.before = lambda asked: Reply("no", status=422) if asked.json["key"]["a"] == 37 else None
    table = table_of(place)
    with pytest.raises(RowRefused), session.savepoint():
        session.load(table, numbers(*range(100)))
    session.load(table, numbers(*range(37), *range(38, 100)))
    session.write_checkpoints([Checkpoint("s", "", 1, "{}")])
    session.commit()
    assert sorted(one["key"]["a"] for one in events(place)) == [one for one in range(100) if one != 37]


def test_a_service_that_is_down_or_hangs_is_tried_again(
    place: Place, session: TargetSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter([Reply(status=503), Reply(status=429, headers={"Retry-After": "3600"})])
    place.case.server.before = lambda _: next(answers, None)
    for _ in range(2):
        with pytest.raises(TargetUnavailable):
            session.upsert(table_of(place), row("1"))
        session.rollback()
    waits = threading.Event()
    place.case.server.before = lambda _: Reply(status=500) if waits.wait(5) else None
    monkeypatch.setattr(
        place.case.server, "definition", place.case.server.definition.replace("attempts", "seconds: 1, attempts")
    )
    with open_session(place) as other, pytest.raises(TargetUnavailable):
        other.upsert(table_of(place), row("1"))
    waits.set()
    place.case.server.before = lambda _: None
    session.upsert(table_of(place), row("1"))
    assert len({one["id"] for one in events(place)}) == 1


@pytest.mark.parametrize("seed", [1, 2])
def test_events_of_a_key_stay_in_their_order(place: Place, session: TargetSession, seed: int) -> None:
    """Several are under way at once, and take any time."""
    dice, under_way = random.Random(seed), Counter[str]()
    most = 0

    def before(asked: Asked) -> Reply | None:
        nonlocal most
        key = str(asked.json["key"])
        under_way[key] += 1
        most = max(most, under_way.total())
        time.sleep(dice.random() / 50)
        under_way[key] -= 1
        return Reply(status=500) if under_way[key] else None

    place.case.server.before = before
    table, wanted = table_of(place), defaultdict[int, list[str]](list)
    for number in range(12):
        chosen = dice.sample(range(20), 10)
        for one in chosen:
            wanted[one].append(str(number))
        texts = [str(one) for one in chosen]
        session.upsert(table, batch(a=texts, b=["x"] * 10, u=texts, v=[str(number)] * 10))
    session.commit()
    found = defaultdict[int, list[str]](list)
    for event in events(place):
        found[event["key"]["a"]].append(event["row"]["v"])
    assert found == wanted
    assert most > 1


def test_parts_of_rows_and_of_tables(place: Place, session: TargetSession) -> None:
    table = table_of(place)
    session.load(table, numbers(1, 2))
    session.update(table, keys("1"), batch(v=["only v"]))
    session.update(table, keys("2"), batch(a=["5"], b=["x"], u=[None]))
    session.delete(table, keys("7"))
    assert rows(place) == [(1, 1, "only v"), (5, None, "2")]
    partial = events(place)[2]
    assert (partial["operation"], partial["row"], partial["unchanged"]) == ("update", {"v": "only v"}, ["a", "b", "u"])
    session.truncate(table)
    assert rows(place) == []
    session.commit()
    text = DataType(Kind.TEXT, "text")
    added = table_of(place, (*COLUMNS, Column("n", text)))
    session.alter_table(added, Alteration(add=(AddedColumn(MappedColumn("n", "n", text), "new"),)))
    assert [one["name"] for one in events(place)[-1]["columns"]] == ["a", "b", "u", "v", "n"]
    assert "n" in session.describe([table.name])[table.name].names
    with pytest.raises(TableRefused):
        session.create_shadow_table(table, place.name("shadow"))
    with pytest.raises(TableRefused):
        session.create_table(table_of(place, key=()), CleanMode.NONE)


def test_events_in_batches(place: Place, session: TargetSession, monkeypatch: pytest.MonkeyPatch) -> None:
    definition = LIMITS + "targets:\n  - {name: '*', type: webhook, path: /events, batch: 10, in_flight: 1}\n"
    monkeypatch.setattr(place.case.server, "definition", definition)
    before = len(place.case.server.service.asked)
    place.case.server.before = lambda asked: (
        Reply(status=400) if any(one["key"]["a"] == 7 for one in asked.json) else None
    )
    with open_session(place) as batched, pytest.raises(RowRefused):
        batched.load(table_of(place), numbers(*range(40)))
    assert sorted(one["key"]["a"] for one in events(place)) == [one for one in range(40) if one != 7]
    assert len(place.case.server.service.asked) - before < 20


def test_the_state_is_written_whole_from_time_to_time(
    place: Place, session: TargetSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state_module, "_SMALLEST_BYTES", 500)
    for version in range(1, 40):
        session.upsert(table_of(place), row(str(version)))
        session.write_checkpoints([Checkpoint("s", "", version, "{}")])
        session.commit()
    session.upsert(table_of(place), row("99"))
    with open_session(place) as other:
        assert other.checkpoints("s") == [Checkpoint("s", "", 39, "{}")]
        other.upsert(table_of(place), row("99"))
    assert len(events(place)) == 40
