"""Runs what `make test` leaves out, once, then the fault tests again and again for SOAK_MINUTES (default 60), or
until one fails. Arguments: names of suites; none: all, in this order.

python: the tests, or the cases of tests, that are marked `wide` or `soak` (tests/support/parts.py). browser: those of
the console, whose tag is @wide or @soak. long: tests/soak, and generated calls. faults: the rounds.

Of the long ones, test_killed_for_long.py kills workers of each pair of databases at a mean of one a second for
SOAK_KILL_SECONDS (default 600), test_everything_killed.py whatever a link needs, and in test_outages.py source or
target are away SOAK_OUTAGES times (default 100) for 1 to 60 s; pytest's `-k postgres-mariadb` chooses a pair.

test_schema_changes.py takes each pair through generated schema changes for SOAK_SCHEMA_SECONDS (default 600).
test_verification.py plants differences that continuous verification finds, and prints what that costs.

Where the faults strike depends on timing, so every round is another one. A silent network stays so for
SOAK_SILENCE_SECONDS (default 180), the control plane is away for SOAK_AWAY_SECONDS (default 300),
the Kafka broker for SOAK_BROKER_AWAY_SECONDS (default 30), it is not heard for SOAK_BROKER_SILENT_SECONDS, and
SOAK_NETWORK_ROUNDS times (default 60) connections are cut under one worker. Structure changes on MySQL too. Each route
of the API gets ZCBUS_GENERATED_CALLS (default 200) generated calls.
"""

import os
import sys
import time

from run_tests import REPORTS, Counts, Suite, browser_suite, pytest, python_suite, run

GENERATED_CALLS = "tests/integration/control/platform/test_generated_calls.py"
ROUNDS = "faults"
ALL = "test,wide,soak"
SETTINGS = {
    "SOAK_SILENCE_SECONDS": "180",
    "SOAK_NETWORK_ROUNDS": "60",
    "SOAK_BROKER_AWAY_SECONDS": "30",
    "SOAK_BROKER_SILENT_SECONDS": "1,5,30",
    "ZCBUS_GENERATED_CALLS": "200",
}


def suites() -> dict[str, Suite]:
    """What runs once, by name."""
    return {
        "python": python_suite("soak-python", "wide,soak"),
        "browser": browser_suite("--grep", "@soak|@wide"),
        "long": pytest("soak-long", "-s", "--parts", ALL, "tests/soak", GENERATED_CALLS),
    }


def faults(name: str) -> Suite:
    """All fault tests, those that `make test` runs too: each time they strike at another moment."""
    return pytest(name, "--parts", ALL, "--exitfirst", "-rP", "tests/faults")


def run_rounds(minutes: float) -> Counts:
    """Rounds of the fault tests until the time is over, or one fails."""
    deadline = time.monotonic() + 60 * minutes
    total, rounds = Counts(), 0
    while time.monotonic() < deadline and not total.failed:
        rounds += 1
        total += run(f"soak-{rounds}", faults(f"soak-{rounds}"))
    print(f"{rounds} rounds: {total}", flush=True)
    return total


def main() -> None:
    once = suites()
    wanted = sys.argv[1:] or [*once, ROUNDS]
    if unknown := [name for name in wanted if name not in {*once, ROUNDS}]:
        sys.exit(f"no such suite: {', '.join(unknown)}; there are {', '.join([*once, ROUNDS])}")
    REPORTS.mkdir(parents=True, exist_ok=True)
    for name, value in SETTINGS.items():
        os.environ.setdefault(name, value)
    total = sum((run(name, once[name]) for name in once if name in wanted), Counts())
    if ROUNDS in wanted and not total.failed:
        total += run_rounds(float(os.environ.get("SOAK_MINUTES", "60")))
    print(f"\n{total}", flush=True)
    sys.exit(1 if total.failed or not total.passed else 0)


if __name__ == "__main__":
    main()
