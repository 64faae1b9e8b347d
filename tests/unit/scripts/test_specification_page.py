"""docs/specification.md and its chapters name only files and tests that exist, and hold nothing without a test."""

from pathlib import Path

import pytest

from tests.support.scripts import load

check_specification = load("check_specification")

HERE = "tests/unit/scripts/test_specification_page.py"
OWN_TEST = f"{HERE}::test_the_figures_are_those_of_the_chapters"
CONSOLE_TEST = "console/src/app/guard.test.ts › signing in leads on"


def row(number: str = "1.0.1", paths: str = f"`{HERE}`", tests: str = f"`{OWN_TEST}`", state: str = "held") -> str:
    return f"| {number} | something | {paths} | {tests} | {state} |\n"


def faults(text: str) -> list[str]:
    return list(check_specification.faults(check_specification.rows_of(text)))


@pytest.mark.parametrize("page", check_specification.CHAPTERS, ids=lambda page: page.stem)
def test_every_row_is_right(page: Path) -> None:
    text = page.read_text("utf-8")
    rows = check_specification.rows_of(text)
    assert list(check_specification.faults(rows)) == []
    assert [one.number.split(".")[0] for one in rows] == [str(int(page.stem[:2]))] * len(rows)
    lines = [line for line in text.splitlines() if line.startswith("| ") and not line.startswith("| no. |")]
    assert len(rows) == len(lines) > 0, "a row is written in another way"


def test_no_number_stands_in_two_chapters() -> None:
    numbers = [one.number for page in check_specification.CHAPTERS for one in _rows(page)]
    assert len(numbers) == len(set(numbers))


def test_the_figures_are_those_of_the_chapters() -> None:
    pages = {page: page.read_text("utf-8") for page in check_specification.CHAPTERS}
    text = check_specification.SUMMARY.read_text("utf-8")
    assert check_specification.regenerated(text, pages) == text


def test_a_right_row_has_no_fault() -> None:
    assert faults(row() + row("1.0.2", tests=f"`{OWN_TEST}`, `{CONSOLE_TEST}`")) == []
    assert faults(row("1.0.3", tests="", state="partly: no colour") + row("1.0.4", "", "", "absent: not built")) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (row() + row(), "1.0.1: the number repeats"),
        (row("1.1"), "1.1: the number is not chapter.section.number"),
        (row(tests=""), "1.0.1: is held without a test"),
        (row(paths=""), "1.0.1: nothing is named that fulfils it"),
        (row(paths="`src/nothing.py`"), "1.0.1: src/nothing.py does not exist"),
        (row(tests=f"`{HERE}::test_nothing`"), f"1.0.1: {HERE}::test_nothing does not exist"),
        (row(tests=f"`{HERE}`"), f"1.0.1: {HERE} does not exist"),
        (row(tests="`console/src/app/guard.test.ts › none`"), "1.0.1: console/src/app/guard.test.ts › none does not"),
        (row(tests="`console/src/none.test.ts › none`"), "1.0.1: console/src/none.test.ts › none does not exist"),
        (row(state="partly"), "1.0.1: the state 'partly' is neither"),
        (row(state="done"), "1.0.1: the state 'done' is neither"),
    ],
)
def test_a_wrong_row_is_named(text: str, fault: str) -> None:
    (found,) = faults(text)
    assert found.startswith(fault)


def test_a_row_with_a_cell_too_few_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"1\.0\.1"):
        check_specification.rows_of("| 1.0.1 | something | held |\n")


def test_figures_count_each_state() -> None:
    text = "# 1. Something\n" + row() + row("1.0.2", "", "", "absent: not built")
    made = check_specification.regenerated(
        "<!-- made from the chapters: counts -->\nold\n<!-- end -->\n"
        "<!-- made from the chapters: open -->\n<!-- end -->",
        {Path("01-something.md"): text},
    )
    assert "| [1. Something](specification/01-something.md) | 2 | 1 | 0 | 1 |" in made
    assert "| all | 2 | 1 | 0 | 1 |" in made
    assert "| 1.0.2 | something | absent: not built |" in made
    assert "old" not in made


def _rows(page: Path) -> list[object]:
    rows: list[object] = check_specification.rows_of(page.read_text("utf-8"))
    return rows
