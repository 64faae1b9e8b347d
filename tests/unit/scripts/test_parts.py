"""Every test is in exactly one part, and every part is run."""

import ast
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.parts import MARKS, PARTS, SOAK, TEST, WIDE, divided
from tests.support.scripts import load

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
    items[0].add_marker(pytest.mark.wide)
    names = {part: [item.name for item in divided(items, [part])[0]] for part in PARTS}
    assert names == {
        TEST: ["each[postgres-mysql]", "each[mysql-postgres]"],
        WIDE: ["short"],
        SOAK: ["long", "each[mysql-mysql]"],
    }
    chosen, left = divided(items, [TEST, WIDE])
    assert ([item.name for item in left], len(chosen)) == (names[SOAK], 3)
    assert divided(items, PARTS) == (items, [])


@pytest.mark.parametrize("mark", MARKS)
def test_a_second_mark_leaves_a_case_out_though_the_first_keeps_it(items: list[pytest.Item], mark: str) -> None:
    items[2].add_marker(getattr(pytest.mark, mark))
    assert items[2] in divided(items, [mark])[0]


def test_a_mark_that_keeps_no_case_is_refused(items: list[pytest.Item]) -> None:
    items[0].add_marker(pytest.mark.wide(but=["oracle-*"]))
    with pytest.raises(pytest.UsageError, match=r"mark wide: \S+short has no case oracle-\*"):
        divided(items, [TEST])


def _paths(command: list[str]) -> set[str]:
    return {argument for argument in command if argument.startswith("tests/")}


def _parts(command: list[str]) -> set[str]:
    return set(command[command.index("--parts") + 1].split(","))


def test_each_folder_of_tests_has_its_suites(run_tests: ModuleType, run_soak: ModuleType) -> None:
    """What `make test` leaves out of a folder is run by the soak, and nothing lies where no suite looks."""
    test, wide, soak = run_tests.suites(), run_tests.suites(is_wide=True), run_soak.suites()
    folders = {"/".join(file.relative_to(ROOT).parts[:2]) for file in (ROOT / "tests").rglob("test_*.py")}
    in_test = _paths(test["python"].command) | _paths(test["faults"].command)
    for name in ("python", "faults"):
        assert _parts(test[name].command) == {TEST}
        assert _parts(wide[name].command) == {TEST, WIDE}
        assert _paths(wide[name].command) == _paths(test[name].command)
    assert _parts(soak["python"].command) == {WIDE, SOAK}
    assert _paths(soak["python"].command) == _paths(test["python"].command)
    assert _paths(run_soak.faults("round").command) == _paths(test["faults"].command)
    assert _parts(run_soak.faults("round").command) == set(PARTS)
    assert folders == in_test | {"tests/soak"}
    assert "tests/soak" in _paths(soak["long"].command)


def test_ci_runs_the_wide_part() -> None:
    assert "make --no-print-directory test RETRY=1 WIDE=1" in (ROOT / ".ci" / "run").read_text("utf-8")
    assert "$(if $(WIDE),--wide)" in (ROOT / "Makefile").read_text("utf-8")


def test_the_browser_s_tests_are_divided_by_tags(run_tests: ModuleType, run_soak: ModuleType) -> None:
    test, soak = run_tests.suites()["browser"].command, run_soak.suites()["browser"].command
    assert [*test[:-2], "--grep", test[-1]] == soak
    assert test[-2:] == ["--grep-invert", "@soak|@wide"]
    assert run_tests.suites(is_wide=True)["browser"].command[-2:] == ["--grep-invert", "@soak"]


def test_marks_are_spelt_as_the_division_reads_them() -> None:
    """A wrong keyword would keep no case: the whole test would leave `make test`."""
    for file in (ROOT / "tests").rglob("*.py"):
        text = file.read_text("utf-8")
        if not any(f".{mark}(" in text for mark in MARKS):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MARKS:
                assert [word.arg for word in node.keywords] == ["but"], file
                assert not node.args, file
