"""Runs the test suites one after the other and ends with one line `N passed, N failed, N skipped` over all of them.

The figures come from the reports that the runners write for machines. A suite that ends badly without a failed test in
its report (it could not even start) counts as one failure.

With `--retry`, up to twelve failed tests of a suite run once more, alone; those that pass then count as passed and are
listed as unstable. `--quick` runs the fast part only, `--wide` also the tests that CI runs beside those of every change
(tests/support/parts.py; of the browser's those with the tag @wide). Arguments: names of suites; none: all.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
CONSOLE = ROOT / "console"
MAX_RETRIED = 12
"""Failed tests of a suite; more are no accident."""
REPORTS = ROOT / "build" / "test-reports"
TOOK: list[str] = []
"""What each run took, in their order."""
MEMORY = Path("/dev/shm")
SPARE_MEMORY = 14 << 30
"""Bytes: seven for the files at their peak, as many for servers and tests."""


@dataclass(frozen=True)
class Counts:
    """Numbers of tests by result."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped)

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


@dataclass(frozen=True)
class Suite:
    """One runner's tests: how to run them and how to read its report."""

    command: list[str]
    folder: Path
    report: Path
    read: Callable[[Path], Counts]
    failed: Callable[[Path], list[str]] = lambda _: []
    """What the runner takes as arguments to run the failed tests again; [] where the report names none."""
    alone: tuple[str, ...] = ()
    """The runner's command for such arguments."""


def read_pytest(report: Path) -> Counts:
    """Of a JUnit file."""
    counts = Counts()
    for suite in ElementTree.parse(report).getroot().iter("testsuite"):
        total, failed, errors, skipped = (
            int(suite.get(name, 0)) for name in ("tests", "failures", "errors", "skipped")
        )
        counts += Counts(total - failed - errors - skipped, failed + errors, skipped)
    return counts


def read_vitest(report: Path) -> Counts:
    """Of vitest's JSON; a file that could not be loaded has no tests but is a failure."""
    data = json.loads(report.read_text("utf-8"))
    unloaded = sum(1 for file in data["testResults"] if file["status"] == "failed" and not file["assertionResults"])
    skipped = data["numPendingTests"] + data["numTodoTests"]
    return Counts(data["numPassedTests"], data["numFailedTests"] + unloaded, skipped)


def read_playwright(report: Path) -> Counts:
    """Of Playwright's JSON; a test that passed only when repeated is a failure."""
    data = json.loads(report.read_text("utf-8"))
    stats = data["stats"]
    failed = stats["unexpected"] + stats["flaky"]
    return Counts(stats["expected"], failed or len(data.get("errors", [])), stats["skipped"])


def failed_in_pytest(report: Path) -> list[str]:
    """Node ids."""
    cases = ElementTree.parse(report).getroot().iter("testcase")
    failed = [case for case in cases if case.find("failure") is not None or case.find("error") is not None]
    return list(dict.fromkeys(f"{case.get('file')}::{case.get('name')}" for case in failed if case.get("file")))


def failed_in_vitest(report: Path) -> list[str]:
    """Files with failed tests, and files that could not be loaded."""
    return [file["name"] for file in json.loads(report.read_text("utf-8"))["testResults"] if file["status"] == "failed"]


def failed_in_playwright(report: Path) -> list[str]:
    """Files with failed tests: the tests of a file share a platform."""

    def fails(suite: dict[str, Any]) -> bool:
        return not all(spec["ok"] for spec in suite.get("specs", ())) or any(map(fails, suite.get("suites", ())))

    return sorted({suite["file"] for suite in json.loads(report.read_text("utf-8"))["suites"] if fails(suite)})


def pytest(name: str, *arguments: str) -> Suite:
    report = REPORTS / f"{name}.xml"
    # This form of the report names each test's file.
    alone = (sys.executable, "-m", "pytest", "-q", "-o", "junit_family=xunit1", f"--junitxml={report}")
    return Suite([*alone, *arguments], ROOT, report, read_pytest, failed_in_pytest, alone)


def suites(is_wide: bool = False) -> dict[str, Suite]:
    """All suites by name, in the order they run: each without what is left to `make soak`. `is_wide`: as in CI."""
    parts = "test,wide" if is_wide else "test"
    vitest = REPORTS / "console.json"
    vitest_command = ["npx", "--no-install", "vitest", "run", "--reporter=default", "--reporter=json"]
    vitest_command.append(f"--outputFile.json={vitest}")
    return {
        "python": python_suite("python", parts),
        "faults": pytest("faults", "--parts", parts, "-n", "3", "--dist", "worksteal", "tests/faults"),
        "console": Suite(vitest_command, CONSOLE, vitest, read_vitest, failed_in_vitest, tuple(vitest_command)),
        "browser": browser_suite("--grep-invert", "@soak" if is_wide else "@soak|@wide"),
    }


def python_suite(name: str, parts: str) -> Suite:
    """`parts`: which of the tests divided by tests/support/parts.py."""
    # A file stays on one worker: each worker starts servers of its own, and only those that its tests ask for. Files
    # that need the same slow servers stay together (tests/support/distribution.py).
    # Tests wait for servers half of their time, so four keep two cores busy.
    parallel = ["-n", "4", "--dist", "loadfile"]
    return pytest(name, "--parts", parts, *parallel, "tests/unit", "tests/conformance", "tests/integration")


def browser_suite(choice: str, tags: str) -> Suite:
    """`choice`: `--grep`, the browser tests with one of the tags (a pattern), or `--grep-invert`, the others."""
    command = ["npx", "--no-install", "playwright", "test", choice, tags]
    report = CONSOLE / "test-results" / "report.json"
    return Suite(command, CONSOLE, report, read_playwright, failed_in_playwright, (*command, "--workers=1"))


def quick_suites() -> dict[str, Suite]:
    """What a change is checked with while it is made: tests that start no server and no browser."""
    console = suites()["console"]
    return {"python": pytest("python", "-n", "2", "--dist", "loadfile", "tests/unit"), "console": console}


def run(name: str, suite: Suite, retry: bool = False, unstable: list[str] | None = None) -> Counts:
    """Run a suite and count its tests. `retry`: failed tests once more; those that pass then go to `unstable`."""
    counts = _run(name, suite, suite.command)
    failed = _failed(suite) if retry and counts.failed else []
    if not failed or not suite.alone or counts.failed > MAX_RETRIED:
        return counts
    first = suite.report.with_stem(f"{suite.report.stem}-first")
    shutil.copy(suite.report, first)  # the times of all tests, which the next report has not
    again = _run(f"{name}, again", suite, [*suite.alone, *failed])
    still = set(_failed(suite)) if again.failed else set()
    if again.failed and not still:
        return counts
    if unstable is not None:
        unstable += [test for test in failed if test not in still]
    recovered = max(0, counts.failed - again.failed)
    return Counts(counts.passed + recovered, counts.failed - recovered, counts.skipped)


def _failed(suite: Suite) -> list[str]:
    try:
        return suite.failed(suite.report)
    except (OSError, ValueError, KeyError, ElementTree.ParseError):
        return []


def _run(name: str, suite: Suite, command: list[str]) -> Counts:
    print(f"\n=== {name}: {' '.join(command)}", flush=True)
    suite.report.unlink(missing_ok=True)
    began, used = time.monotonic(), processor_seconds()
    with temporary_folder() as folder:
        environment = {**os.environ, "CI": "1", "TMPDIR": folder}
        code = subprocess.run(
            command, cwd=suite.folder, env=environment, stdin=subprocess.DEVNULL, check=False
        ).returncode
    try:
        counts = suite.read(suite.report)
    except (OSError, ValueError, KeyError, ElementTree.ParseError) as error:
        print(f"{name}: no readable report ({error})", flush=True)
        counts = Counts(failed=1)
    if code and not counts.failed:
        print(f"{name}: ended with exit code {code}", flush=True)
        counts += Counts(failed=1)
    took = f"{time.monotonic() - began:.0f} s, {processor_seconds() - used:.0f} s of processors"
    print(f"=== {name}: {counts} in {took}", flush=True)
    TOOK.append(f"{name} {took}")
    return counts


def processor_seconds() -> float:
    """Of all processes that this one waited for, and those that they waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@contextmanager
def temporary_folder() -> Iterator[str]:
    """A folder for a suite's temporary files; gone with all that is in it afterwards.

    In memory where enough of it is free: the databases of the tests' servers make, sync and delete ten thousands of
    files, and nothing of it must last. A folder that TMPDIR names is respected.
    """
    parent = None if os.environ.get("TMPDIR") or not has_spare_memory() else str(MEMORY)
    with tempfile.TemporaryDirectory(prefix="zcbus-tests-", dir=parent, ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o711)  # servers that refuse to run as root look into folders below
        yield folder


def has_spare_memory() -> bool:
    """Whether the file system in memory, and the memory itself, have room for the suites' files."""
    try:
        free = shutil.disk_usage(MEMORY).free
        available = next(
            int(line.split()[1]) * 1024
            for line in Path("/proc/meminfo").read_text("ascii").splitlines()
            if line.startswith("MemAvailable:")
        )
    except (OSError, StopIteration):
        return False
    return min(free, available) >= SPARE_MEMORY and os.access(MEMORY, os.W_OK)


def main() -> None:
    parser = argparse.ArgumentParser(description="Runs the test suites.")
    parser.add_argument("--retry", action="store_true", help="run failed tests once more, alone")
    parser.add_argument("--quick", action="store_true", help="only tests without servers and browsers")
    parser.add_argument("--wide", action="store_true", help="also the tests that CI runs beside those of every change")
    parser.add_argument("suites", nargs="*")
    wanted = parser.parse_args()
    known = quick_suites() if wanted.quick else suites(wanted.wide)
    names = wanted.suites or list(known)
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit(f"no such suite: {', '.join(unknown)}; there are {', '.join(known)}")
    REPORTS.mkdir(parents=True, exist_ok=True)
    unstable: list[str] = []
    total = sum((run(name, known[name], wanted.retry, unstable) for name in names), Counts())
    if unstable:
        print("\nUnstable: failed at first, passed alone:", *unstable, sep="\n  ", flush=True)
    print("\nTook:", *TOOK, sep="\n  ", flush=True)
    print(f"\n{total}", flush=True)
    sys.exit(1 if total.failed or not total.passed else 0)


if __name__ == "__main__":
    main()
