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


def found(quarantined: QuarantinedRows, key: str) -> str:
    error = quarantined.find((key,))
    return "" if error is None else error.id


def test_of_those_that_concern_a_key_the_last_one_is_found_and_then_the_one_before() -> None:
    quarantined = QuarantinedRows(("k",))
    quarantined.put(refused(1, before="a"))
    quarantined.put(refused(2, before="b", after="a"))
    assert (found(quarantined, "a"), found(quarantined, "b"), set(quarantined.keys())) == ("e2", "e2", {("a",), ("b",)})
    quarantined.drop(refused(2))
    assert (found(quarantined, "a"), found(quarantined, "b"), set(quarantined.keys())) == ("e1", "", {("a",)})
    quarantined.drop(refused(2))
    assert len(quarantined) == 1


def test_a_row_in_another_state_is_found_by_its_new_keys_only() -> None:
    quarantined = QuarantinedRows(("k",))
    quarantined.put(refused(1, before="a", after="a"))
    quarantined.commit()
    quarantined.put(refused(1, before="a", after="c"))
    assert (found(quarantined, "a"), found(quarantined, "c")) == ("e1", "e1")
    quarantined.put(refused(1, after="c"))
    assert set(quarantined.keys()) == {("c",)}
    quarantined.rollback()
    assert (found(quarantined, "a"), set(quarantined.keys())) == ("e1", {("a",)})


def test_many_rows_are_quarantined_and_released_one_by_one() -> None:
    quarantined, began = QuarantinedRows(("k",)), time.process_time()
    errors = [refused(number, after=f"k{number}") for number in range(20_000)]
    for error in errors:
        quarantined.put(error)
    assert len(quarantined.keys()) == len(errors)
    for error in errors:
        quarantined.drop(error)
    assert (len(quarantined), len(quarantined.keys())) == (0, 0)
    assert time.process_time() - began < 5, "one row cost what all of them cost"
