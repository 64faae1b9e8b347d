"""Runs the suites and writes bench/results/latest.json."""

import sys
import time
from collections.abc import Callable, Iterator

from bench import (
    apply,
    backlog,
    bus,
    capture,
    comparison,
    console,
    control,
    full_load,
    kinds,
    lanes,
    latency,
    many_tables,
    memory,
    metrics,
    recovery,
)
from bench.goals import verdict
from bench.report import LATEST, Result, show, write

SUITES: dict[str, Callable[[], Iterator[Result]]] = {
    "bus": bus.run,
    "control": control.run,
    "console": console.run,
    "comparison": comparison.run,
    "full-load": full_load.run,
    "loaders": full_load.run_beside_loaders,
    "kinds": kinds.run,
    "capture": capture.run,
    "apply": apply.run,
    "lanes": lanes.run,
    "backlog": backlog.run,
    "latency": latency.run,
    "recovery": recovery.run,
    "many-tables": many_tables.run,
    "memory": memory.run,
    "metrics": metrics.run,
}


def main() -> None:
    names = sys.argv[1:] or list(SUITES)
    unknown = [name for name in names if name not in SUITES]
    if unknown:
        sys.exit(f"no such suite: {', '.join(unknown)}; there are {', '.join(SUITES)}")
    results: list[Result] = []
    for name in names:
        began = time.monotonic()
        for result in SUITES[name]():
            results.append(result)
            print(f"{result.suite}: {result.case}: {result.figure:,.0f} {result.unit}", file=sys.stderr)
        print(f"{name}: {time.monotonic() - began:.0f} s", file=sys.stderr)
    write(results)
    show(results, verdict)
    print(f"\nwritten to {LATEST}")


if __name__ == "__main__":
    main()
