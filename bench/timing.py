"""Rounds, medians, ratios."""

import os
import statistics
import time
from collections.abc import Callable, Mapping

from bench.report import Result

ROUNDS = max(int(os.environ.get("BENCH_ROUNDS", "3")), 1)

Measure = Callable[[], float]
"""Does the work once and returns seconds."""


def seconds(work: Callable[[], object]) -> float:
    """How long the work takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def compare(
    suite: str, case: str, unit: str, amount: float, ours: Measure, peers: Mapping[str, Measure]
) -> list[Result]:
    """Measure us and the peers in turn; `amount` is what one round moves, in `unit` without the `/s`."""
    taken: dict[str, list[float]] = {name: [] for name in ("", *peers)}
    for _ in range(ROUNDS):
        taken[""].append(ours())
        for name, peer in peers.items():
            taken[name].append(peer())
    figures = {name: amount / statistics.median(times) for name, times in taken.items()}
    if not peers:
        return [Result(suite, case, figures[""], f"{unit}/s", None, None)]
    return [Result(suite, case, figures[""], f"{unit}/s", name, figures[""] / figures[name]) for name in peers]
