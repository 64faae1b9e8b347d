"""Checks that every locked package was reviewed, not too long ago, and is bound to a known content.

`dependencies.json` is the review: its date, what it was compared with, and every package with its version. After a
change of a lock: look at what is new (who makes it, why we need it, its advisories: `npm audit`, `pip-audit` where
their data can be had), then `.venv/bin/python scripts/check_dependencies.py --record "COMPARED WITH WHAT"`.
"""

import argparse
import json
import sys
from collections.abc import Iterable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from locked_packages import ROOT, Package, console_packages, python_packages

REVIEW = "dependencies.json"
MAX_DAYS = 120
# Packages of the console that may run something while they are installed, each looked at.
RUNS_ON_INSTALL: frozenset[str] = frozenset()
_SHOWN = 20


def problems(packages: Iterable[Package], review: dict[str, Any], today: date) -> list[str]:
    """What is wrong, in a line each."""
    known = set(review["packages"])
    locked = {one.purl for one in packages}
    found = [f"{one.purl} {one.problem}" for one in packages if one.problem]
    found += [
        f"{one.purl} runs something while it is installed"
        for one in packages
        if one.runs_on_install and one.name not in RUNS_ON_INSTALL
    ]
    found += [f"{purl} was not reviewed" for purl in sorted(locked - known)]
    found += [f"{purl} was reviewed and is not locked any more" for purl in sorted(known - locked)]
    age = (today - date.fromisoformat(review["date"])).days
    if age > MAX_DAYS:
        found.append(f"the review is {age} days old; {MAX_DAYS} are allowed")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", metavar="COMPARED", help="write the review of what is locked now")
    options = parser.parse_args()
    packages, today = [*python_packages(), *console_packages()], datetime.now(UTC).date()
    path = ROOT / REVIEW
    if options.record:
        write(path, packages, today, options.record)
    review = json.loads(path.read_text("utf-8"))
    found = problems(packages, review, today)
    if found:
        more = [f"… and {len(found) - _SHOWN} more"] if len(found) > _SHOWN else []
        sys.exit("\n".join([*found[:_SHOWN], *more, "", __doc__ or ""]))
    print(f"{len(review['packages'])} packages, reviewed on {review['date']}, compared with: {review['compared']}")


def write(path: Path, packages: Iterable[Package], today: date, compared: str) -> None:
    """Write a review of these packages."""
    review = {"date": today.isoformat(), "compared": compared, "packages": sorted({one.purl for one in packages})}
    path.write_text(json.dumps(review, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
