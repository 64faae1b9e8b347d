"""Every test runs in exactly one of `make test` and `make soak`."""

import ast
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.scripts import load
from tests.support.soak import ALL, MARK, ONLY, WITHOUT, divided

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def run_tests() -> ModuleType:
    return load("run_tests")


@pytest.fixture(scope="module")
def run_soak(run_tests: ModuleType) -> ModuleType:
    return load("run_soak")


@pytest.fixture
def items(request: pytest.FixtureRequest) -> list[pytest.Item]:
    """A test without the mark, one with it, and one of whose three cases two stay."""

    def made(name: str, *marks: pytest.MarkDecorator, case: str | None = None) -> pytest.Item:
        name = name if case is None else f"{name}[{case}]"
        item = pytest.Function.from_parent(request.node.parent, name=name, callobj=lambda: None)
        if case is not None:
            item.callspec = type("CallSpec", (), {"id": case})()  # type: ignore[assignment]
        for mark in marks:
            item.add_marker(mark)
        return item

    some = pytest.mark.soak(but=["postgres-*", "mysql-postgres"])
    cases = ("postgres-mysql", "mysql-mysql", "mysql-postgres")
    return [made("short"), made("long", pytest.mark.soak), *(made("each", some, case=case) for case in cases)]


def test_a_test_is_in_exactly_one_part(items: list[pytest.Item]) -> None:
    test, left = divided(items, WITHOUT)
    soak, rest = divided(items, ONLY)
    assert [item.name for item in test] == ["short", "each[postgres-mysql]", "each[mysql-postgres]"]
    assert [item.name for item in soak] == ["long", "each[mysql-mysql]"]
    assert (left, rest) == (soak, test)
    assert divided(items, ALL) == (items, [])


def test_a_second_mark_leaves_a_case_to_the_soak_though_the_first_keeps_it(items: list[pytest.Item]) -> None:
    items[2].add_marker(pytest.mark.soak)
    assert items[2] not in divided(items, WITHOUT)[0]
    assert items[2] in divided(items, ONLY)[0]


def test_a_mark_that_keeps_no_case_is_refused(items: list[pytest.Item]) -> None:
    items[0].add_marker(pytest.mark.soak(but=["oracle-*"]))
    with pytest.raises(pytest.UsageError, match=r"short has no case oracle-\*"):
        divided(items, WITHOUT)


def _paths(command: list[str]) -> set[str]:
    return {argument for argument in command if argument.startswith("tests/")}


def _part(command: list[str]) -> str:
    return command[command.index("--soak") + 1] if "--soak" in command else WITHOUT


def test_each_folder_of_tests_has_its_suites(run_tests: ModuleType, run_soak: ModuleType) -> None:
    """What `make test` leaves out of a folder is run by the soak, and nothing lies where no suite looks."""
    test, soak = run_tests.suites(), run_soak.suites()
    folders = {"/".join(file.relative_to(ROOT).parts[:2]) for file in (ROOT / "tests").rglob("test_*.py")}
    in_test = _paths(test["python"].command) | _paths(test["faults"].command)
    assert {_part(test[name].command) for name in ("python", "faults")} == {WITHOUT}
    assert _part(soak["python"].command) == ONLY
    assert _paths(soak["python"].command) == _paths(test["python"].command)
    assert _paths(run_soak.faults("round").command) == _paths(test["faults"].command)
    assert _part(run_soak.faults("round").command) == ALL
    assert folders == in_test | {"tests/soak"}
    assert "tests/soak" in _paths(soak["long"].command)


def test_the_browser_s_tests_are_divided_by_one_word(run_tests: ModuleType, run_soak: ModuleType) -> None:
    test, soak = run_tests.suites()["browser"].command, run_soak.suites()["browser"].command
    assert [*test[:-2], "--grep", test[-1]] == soak
    assert test[-2:] == ["--grep-invert", "@soak"]


def test_the_mark_is_spelt_as_the_division_reads_it() -> None:
    """A wrong keyword would keep no case: the whole test would leave `make test`."""
    for file in (ROOT / "tests").rglob("*.py"):
        if f".{MARK}(" not in (text := file.read_text("utf-8")):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == MARK:
                assert [word.arg for word in node.keywords] == ["but"], file
                assert not node.args, file
