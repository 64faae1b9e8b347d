"""docs/faults.md names only tests that are there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
NAMED = sorted(set(re.findall(r"`([\w/]+\.py)::(\w+)`", (ROOT / "docs" / "faults.md").read_text("utf-8"))))


def test_all_twenty_mistakes_are_there() -> None:
    numbers = re.findall(r"^\| (\d+) \|", (ROOT / "docs" / "faults.md").read_text("utf-8"), re.MULTILINE)
    assert [int(number) for number in numbers] == list(range(1, 21))


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_the_named_test_is_there(file: str, name: str) -> None:
    assert f"def {name}(" in (ROOT / "tests" / file).read_text("utf-8")
