"""Rows that a target lacks, by the keys they concern."""

import time

from zcbus.engine.subscribe.row_errors.images import QuarantinedRows
from zcbus.model.row_errors import RowError, RowErrorStatus, RowOperation


def refused(number: int, before: str = "", after: str = "") -> RowError:
    """A change of a row's key `k`; empty: the row comes, or goes."""
    return RowError(
        id=f"e{number}",
        table="t",
        target="public.t",
        operation=RowOperation.UPDATE,
        status=RowErrorStatus.NOT_PROCESSED,
        key={},
        before={"k": before} if before else {},
        after={"k": after} if after else {},
        code="row-refused",
        detail="",
        statement="",
        position="",
        commit_ms=None,
        found_ms=number,
        changed_ms=number,
    )


def found(held: QuarantinedRows, key: str) -> str:
    error = held.find((key,))
    return "" if error is None else error.id


def test_of_those_that_concern_a_key_the_last_one_is_found_and_then_the_one_before() -> None:
    held = QuarantinedRows(("k",))
    held.put(refused(1, before="a"))
    held.put(refused(2, before="b", after="a"))
    assert (found(held, "a"), found(held, "b"), set(held.keys())) == ("e2", "e2", {("a",), ("b",)})
    held.drop(refused(2))
    assert (found(held, "a"), found(held, "b"), set(held.keys())) == ("e1", "", {("a",)})
    held.drop(refused(2))
    assert len(held) == 1


def test_a_row_in_another_state_is_found_by_its_new_keys_only() -> None:
    held = QuarantinedRows(("k",))
    held.put(refused(1, before="a", after="a"))
    held.commit()
    held.put(refused(1, before="a", after="c"))
    assert (found(held, "a"), found(held, "c")) == ("e1", "e1")
    held.put(refused(1, after="c"))
    assert set(held.keys()) == {("c",)}
    held.rollback()
    assert (found(held, "a"), set(held.keys())) == ("e1", {("a",)})


def test_many_rows_are_held_and_let_go_one_by_one() -> None:
    held, began = QuarantinedRows(("k",)), time.process_time()
    errors = [refused(number, after=f"k{number}") for number in range(20_000)]
    for error in errors:
        held.put(error)
    assert len(held.keys()) == len(errors)
    for error in errors:
        held.drop(error)
    assert (len(held), len(held.keys())) == (0, 0)
    assert time.process_time() - began < 5, "one row cost what all of them cost"
