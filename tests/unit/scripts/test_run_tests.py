"""The one line at the end of `make test` counts every kind of failure."""

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.scripts import load


@pytest.fixture(scope="module")
def run_tests() -> ModuleType:
    return load("run_tests")


def _suite(module: ModuleType, folder: Path, code: int, report: str | None) -> object:
    """A suite whose runner writes this report and ends with this code."""
    path = folder / "report"
    write = f"import pathlib; pathlib.Path({str(path)!r}).write_text({report!r})" if report is not None else ""
    command = [sys.executable, "-c", f"{write}\nraise SystemExit({code})"]
    return module.Suite(command, folder, path, module.read_pytest)


def test_pytest_report(run_tests: ModuleType, tmp_path: Path) -> None:
    report = tmp_path / "r.xml"
    report.write_text('<testsuites><testsuite tests="10" failures="2" errors="1" skipped="3"/></testsuites>')
    assert run_tests.read_pytest(report) == run_tests.Counts(4, 3, 3)


def test_vitest_report_counts_files_that_could_not_be_loaded(run_tests: ModuleType, tmp_path: Path) -> None:
    report = tmp_path / "r.json"
    files = [{"status": "failed", "assertionResults": []}, {"status": "failed", "assertionResults": [{}]}]
    figures = {"numPassedTests": 5, "numFailedTests": 1, "numPendingTests": 2, "numTodoTests": 1}
    report.write_text(json.dumps({**figures, "testResults": files}))
    assert run_tests.read_vitest(report) == run_tests.Counts(5, 2, 3)


def test_playwright_report_counts_flaky_tests_and_errors(run_tests: ModuleType, tmp_path: Path) -> None:
    report = tmp_path / "r.json"
    stats = {"expected": 7, "unexpected": 1, "flaky": 1, "skipped": 2}
    report.write_text(json.dumps({"stats": stats, "errors": []}))
    assert run_tests.read_playwright(report) == run_tests.Counts(7, 2, 2)
    stats = {"expected": 0, "unexpected": 0, "flaky": 0, "skipped": 0}
    report.write_text(json.dumps({"stats": stats, "errors": [{"message": "no browser"}]}))
    assert run_tests.read_playwright(report) == run_tests.Counts(0, 1, 0)


_GOOD = '<testsuites><testsuite tests="2" failures="0" errors="0" skipped="0"/></testsuites>'


def test_a_suite_that_ends_badly_is_a_failure_in_any_case(run_tests: ModuleType, tmp_path: Path) -> None:
    counts = run_tests.Counts
    assert run_tests.run("good", _suite(run_tests, tmp_path, 0, _GOOD)) == counts(2, 0, 0)
    assert run_tests.run("crashed", _suite(run_tests, tmp_path, 3, _GOOD)) == counts(2, 1, 0)
    assert run_tests.run("silent", _suite(run_tests, tmp_path, 0, None)) == counts(0, 1, 0)
    assert run_tests.run("garbled", _suite(run_tests, tmp_path, 1, "<")) == counts(0, 1, 0)


def _flaky(module: ModuleType, folder: Path, second: str) -> object:
    """A suite with one failure, whose second run writes the report `second`."""
    path = folder / "report"
    case = '<testcase file="tests/a.py" name="test_b"><failure/></testcase>'
    first = f'<testsuites><testsuite tests="3" failures="1" errors="0" skipped="0">{case}</testsuite></testsuites>'
    write = "import pathlib, sys; pathlib.Path(sys.argv[1]).write_text(sys.argv[2])"
    command = [sys.executable, "-c", write, str(path)]
    return module.Suite(
        [*command, first], folder, path, module.read_pytest, module.failed_in_pytest, (*command, second)
    )


def test_a_failed_test_that_passes_alone_is_listed(run_tests: ModuleType, tmp_path: Path) -> None:
    unstable: list[str] = []
    passed = '<testsuites><testsuite tests="1" failures="0" errors="0" skipped="0"/></testsuites>'
    suite = _flaky(run_tests, tmp_path, passed)
    assert run_tests.run("s", suite, True, unstable) == run_tests.Counts(3, 0, 0)
    assert unstable == ["tests/a.py::test_b"]
    assert run_tests.run("s", suite) == run_tests.Counts(2, 1, 0), "nothing runs twice unless asked for"


def test_a_test_that_fails_twice_has_failed(run_tests: ModuleType, tmp_path: Path) -> None:
    unstable: list[str] = []
    case = '<testcase file="tests/a.py" name="test_b"><failure/></testcase>'
    failed = f'<testsuites><testsuite tests="1" failures="1" errors="0" skipped="0">{case}</testsuite></testsuites>'
    assert run_tests.run("s", _flaky(run_tests, tmp_path, failed), True, unstable) == run_tests.Counts(2, 1, 0)
    assert run_tests.run("s", _flaky(run_tests, tmp_path, "<"), True, unstable) == run_tests.Counts(2, 1, 0)
    assert unstable == []


def test_the_files_of_failed_browser_and_console_tests(run_tests: ModuleType, tmp_path: Path) -> None:
    report = tmp_path / "r.json"
    inner = {"specs": [{"ok": True}], "suites": [{"specs": [{"ok": False}]}]}
    report.write_text(json.dumps({"suites": [{"file": "a.spec.ts", **inner}, {"file": "b.spec.ts", "specs": []}]}))
    assert run_tests.failed_in_playwright(report) == ["a.spec.ts"]
    files = [{"name": "/x/a.test.ts", "status": "failed"}, {"name": "/x/b.test.ts", "status": "passed"}]
    report.write_text(json.dumps({"testResults": files}))
    assert run_tests.failed_in_vitest(report) == ["/x/a.test.ts"]


def test_a_suite_has_a_temporary_folder_of_its_own_that_goes_with_it(
    run_tests: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    suite = _suite(run_tests, tmp_path, 0, _GOOD)
    noted = tmp_path / "noted"
    program = suite.command[2].replace(  # type: ignore[attr-defined]
        "raise", f"import os; open({str(noted)!r}, 'w').write(os.environ['TMPDIR'])\nraise"
    )
    suite.command[2] = program  # type: ignore[attr-defined]
    assert run_tests.run("good", suite) == run_tests.Counts(2, 0, 0)
    folder = Path(noted.read_text())
    assert folder.parent == tmp_path
    assert not folder.exists()


def test_little_memory_is_no_place_for_files(run_tests: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TMPDIR", raising=False)
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr(run_tests, "SPARE_MEMORY", 1 << 60)
    with run_tests.temporary_folder() as folder:
        assert not Path(folder).is_relative_to(run_tests.MEMORY)
