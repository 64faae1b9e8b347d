"""Runs what takes long or much once (tests/soak), then the fault tests again and again for SOAK_MINUTES (default 60),
or until one fails.

Of the former, test_killed_for_long.py kills workers of each pair of databases at a mean of one a second for
SOAK_KILL_SECONDS (default 600), test_everything_killed.py whatever a link needs, and in test_outages.py source or
target are away SOAK_OUTAGES times (default 100) for 1 to 60 s; pytest's `-k postgres-mariadb` chooses a pair.

test_schema_changes.py takes each pair through generated schema changes for SOAK_SCHEMA_SECONDS (default 600).
test_verification.py plants differences that continuous verification finds, and prints what that costs.

Where the faults strike depends on timing, so every round is another one. A silent network stays so for
SOAK_SILENCE_SECONDS (default 180), the control plane is away for SOAK_AWAY_SECONDS (default 300),
the Kafka broker for SOAK_BROKER_AWAY_SECONDS (default 30), it is not heard for SOAK_BROKER_SILENT_SECONDS, and
SOAK_NETWORK_ROUNDS times (default 60) connections are cut under one worker. Structure changes on MySQL too. Each route
of the API gets ZCBUS_GENERATED_CALLS (default 200) generated calls. Each feature of the control plane runs on both
kinds of metadata store.
"""

import os
import sys
import time

from run_tests import REPORTS, pytest, run

GENERATED_CALLS = "tests/integration/control/platform/test_generated_calls.py"
FEATURES = "tests/integration/control/features"


def main() -> None:
    REPORTS.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("SOAK_SILENCE_SECONDS", "180")
    os.environ.setdefault("SOAK_NETWORK_ROUNDS", "60")
    os.environ.setdefault("SOAK_EVERY_PAIR", "1")
    os.environ.setdefault("SOAK_EVERY_STORE", "1")
    os.environ.setdefault("SOAK_BROKER_AWAY_SECONDS", "30")
    os.environ.setdefault("SOAK_BROKER_SILENT_SECONDS", "1,5,30")
    os.environ.setdefault("ZCBUS_GENERATED_CALLS", "200")
    deadline = time.monotonic() + 60 * float(os.environ.get("SOAK_MINUTES", "60"))
    total, rounds = run("soak", pytest("soak", "-s", "tests/soak", GENERATED_CALLS, FEATURES)), 0
    while time.monotonic() < deadline and not total.failed:
        rounds += 1
        total += run(f"soak-{rounds}", pytest(f"soak-{rounds}", "--exitfirst", "-rP", "tests/faults"))
    print(f"\n{rounds} rounds: {total}", flush=True)
    sys.exit(1 if total.failed or not total.passed else 0)


if __name__ == "__main__":
    main()
