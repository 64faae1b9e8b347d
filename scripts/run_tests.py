"""Runs the test suites one after the other and ends with one line `N passed, N failed, N skipped` over all of them.

The figures come from the reports that the runners write for machines. A suite that ends badly without a failed test in
its report (it could not even start) counts as one failure. Arguments: names of suites; none: all.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
CONSOLE = ROOT / "console"
REPORTS = ROOT / "build" / "test-reports"


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


def pytest(name: str, *arguments: str) -> Suite:
    report = REPORTS / f"{name}.xml"
    command = [sys.executable, "-m", "pytest", "-q", f"--junitxml={report}", *arguments]
    return Suite(command, ROOT, report, read_pytest)


def suites() -> dict[str, Suite]:
    """All suites by name, in the order they run."""
    vitest = REPORTS / "console.json"
    reporters = ["--reporter=default", "--reporter=json", f"--outputFile.json={vitest}"]
    # A file stays on one worker: each worker starts servers of its own, and only those that its tests ask for.
    # Tests wait for servers half of their time, so three keep two cores busy.
    parallel = ["-n", "3", "--dist", "loadfile"]
    return {
        "python": pytest("python", *parallel, "tests/unit", "tests/conformance", "tests/integration"),
        "faults": pytest("faults", "-n", "3", "--dist", "worksteal", "tests/faults"),
        "console": Suite(["npx", "--no-install", "vitest", "run", *reporters], CONSOLE, vitest, read_vitest),
        "browser": Suite(
            ["npx", "--no-install", "playwright", "test"],
            CONSOLE,
            CONSOLE / "test-results" / "report.json",
            read_playwright,
        ),
    }


def run(name: str, suite: Suite) -> Counts:
    """Run a suite and count its tests."""
    print(f"\n=== {name}: {' '.join(suite.command)}", flush=True)
    suite.report.unlink(missing_ok=True)
    began = time.monotonic()
    environment = {**os.environ, "CI": "1"}
    code = subprocess.run(
        suite.command, cwd=suite.folder, env=environment, stdin=subprocess.DEVNULL, check=False
    ).returncode
    try:
        counts = suite.read(suite.report)
    except (OSError, ValueError, KeyError, ElementTree.ParseError) as error:
        print(f"{name}: no readable report ({error})", flush=True)
        counts = Counts(failed=1)
    if code and not counts.failed:
        print(f"{name}: ended with exit code {code}", flush=True)
        counts += Counts(failed=1)
    print(f"=== {name}: {counts} in {time.monotonic() - began:.0f} s", flush=True)
    return counts


def main() -> None:
    known = suites()
    names = sys.argv[1:] or list(known)
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit(f"no such suite: {', '.join(unknown)}; there are {', '.join(known)}")
    REPORTS.mkdir(parents=True, exist_ok=True)
    total = sum((run(name, known[name]) for name in names), Counts())
    print(f"\n{total}", flush=True)
    sys.exit(1 if total.failed or not total.passed else 0)


if __name__ == "__main__":
    main()
