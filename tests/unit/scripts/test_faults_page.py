"""docs/faults.md names only tests that are there."""

import re

import pytest

from tests.support.pages import DOCS, is_there, named_tests


def test_all_twenty_mistakes_are_there() -> None:
    numbers = re.findall(r"^\| (\d+) \|", (DOCS / "faults.md").read_text("utf-8"), re.MULTILINE)
    assert [int(number) for number in numbers] == list(range(1, 21))


@pytest.mark.parametrize(("file", "name"), named_tests("faults.md"))
def test_the_named_test_is_there(file: str, name: str) -> None:
    assert is_there(file, name)
