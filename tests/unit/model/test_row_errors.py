"""What the words of targets about several rows have in common."""

import pytest

from zcbus.model.row_errors import cause_of


@pytest.mark.parametrize(
    ("detail", "cause"),
    [
        ("1062: Duplicate entry 'it''s 7' for key 'orders.once'", "1062: Duplicate entry … for key 'orders.once'"),
        ("1406: Data too long for column 'name' at row 3", "1406: Data too long for column 'name' at row …"),
        (
            "1366: Incorrect integer value: 'a' for column 'n' at row 1",
            "1366: Incorrect integer value: … for column 'n' at row …",
        ),
        ('invalid input syntax for type integer: "abc"', "invalid input syntax for type integer: …"),
        (
            'duplicate key value violates unique constraint "once"; Key (name)=(x; y) already exists.',
            'duplicate key value violates unique constraint "once"…',
        ),
        (
            'null value in column "amount" violates not-null constraint',
            'null value in column "amount" violates not-null constraint',
        ),
        (
            "number: Conversion Error: Could not convert string 'seven' to INT32",
            "number: Conversion Error: Could not convert string … to INT32",
        ),
        (
            "Conversion Error: Could not cast value 37037.010000 to DECIMAL(4,2)",
            "Conversion Error: Could not cast value … to DECIMAL(4,2)",
        ),
        (
            "Out of Range Error: Overflow in multiplication of INT32 (100000 * 100000)!",
            "Out of Range Error: Overflow in multiplication of INT32 (…)!",
        ),
        ("Invalid Input Error: decimal 0.1 has too many digits", "Invalid Input Error: decimal … has too many digits"),
    ],
    ids=range(10),
)
def test_values_give_way(detail: str, cause: str) -> None:
    assert cause_of(detail) == cause
