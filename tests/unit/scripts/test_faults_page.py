"""docs/faults.md names only tests that are there."""

import re

import pytest

from tests.support.pages import DOCS, is_there, named_tests

PAGE = (DOCS / "faults.md").read_text("utf-8")
TEST = re.compile(r"`[\w/]+\.py::test_\w+`")


def test_all_twenty_mistakes_are_there() -> None:
    numbers = re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)
    assert [int(number) for number in numbers] == list(range(1, 21))


def test_every_mistake_and_every_fault_names_a_test() -> None:
    rows = re.findall(r"^\| (?!#|fault \||---).*$", PAGE, re.MULTILINE)
    assert len(rows) > 30
    assert [row for row in rows if TEST.search(row.split("|")[-2]) is None] == []


def test_every_name_of_a_test_is_looked_for() -> None:
    assert len(TEST.findall(PAGE)) == PAGE.count("::"), "written in another way"


@pytest.mark.parametrize(("file", "name"), named_tests("faults.md"))
def test_the_named_test_is_there(file: str, name: str) -> None:
    assert is_there(file, name)
