"""What messages of the library that evaluates expressions have in common."""

import re

import pytest

from zcbus.model.row_errors import cause_of


@pytest.mark.parametrize(
    ("detail", "cause"),
    [
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
    ids=range(4),
)
def test_values_give_way(detail: str, cause: str) -> None:
    assert cause_of(detail) == cause


def test_what_a_target_declares_gives_way() -> None:
    assert cause_of("refused: 'seven' in a", (re.compile("('[^']*')"),)) == "refused: … in a"
    assert cause_of("refused: 'seven' in a") == "refused: 'seven' in a"
