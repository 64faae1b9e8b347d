"""What of a condition a source can check, written as the SQL that it gets."""

import pytest
from tests.unit.engine.transform.support import schema

from zcbus.connectors.conditions import written
from zcbus.engine.transform.evaluator import Columns
from zcbus.engine.transform.necessary import necessary
from zcbus.engine.transform.plan import types_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("id > 5", "id > [5]"),
        ("-5.50 >= ID", "id <= [-5.50]"),
        ("amount BETWEEN 1 AND 2", "(amount >= [1] AND amount <= [2])"),
        ("amount NOT BETWEEN 1 AND 2", "(amount < [1] OR amount > [2])"),
        ("id IN (1, 2)", "(id = [1] OR id = [2])"),
        ("id NOT IN (1, 2)", "(id <> [1] AND id <> [2])"),
        ("NOT (id = 1 OR amount IS NULL)", "(id <> [1] AND amount IS NOT NULL)"),
        ("name IN ('a', '李')", "(name = [a] OR name = [李])"),
        ("born >= DATE '2020-02-29'", "born >= [2020-02-29]"),
        ("made < '2020-01-01 10:00:00.5'", "made < [2020-01-01 10:00:00.5+00]"),
        # Parts that only the library knows are left out, where that lets further rows through.
        ("id > 5 AND upper(name) = 'A'", "id > [5]"),
        ("id > 5 AND (id < 9 OR length(name) = 1)", "id > [5]"),
        ("NOT (id > 5 OR upper(name) = 'A')", "id <= [5]"),
    ],
)
def test_conditions_that_a_source_can_check(text: str, expected: str) -> None:
    condition = necessary(text, Columns(types_of(schema())))
    assert condition is not None
    assert written(condition, str, lambda _, value: f"[{value}]") == expected


@pytest.mark.parametrize(
    "text",
    [
        "id > 5 OR upper(name) = 'A'",
        "NOT (id > 5 AND upper(name) = 'A')",
        "name <> 'a'",
        "name > 'a'",
        "NOT name = 'a'",
        "name NOT IN ('a')",
        "id + 1 = 2",
        "id = amount",
        "id = '5'",
        "id > 1e3",
        "score > 5",
        "name = 5",
        "paid",
        "born IS NULL",
        "born = '2020-02-30'",
        "born > '2020-01-01 10:00:00'",
        "made > '2020-01-01 10:00:00+08'",
        "made > 'now'",
        "id IN (1, amount)",
        "CASE WHEN id = 1 THEN true END",
    ],
)
def test_conditions_that_a_source_cannot_check(text: str) -> None:
    assert necessary(text, Columns(types_of(schema()))) is None
