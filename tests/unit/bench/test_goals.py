"""Goals of the measurements: their file, and what is said of a row."""

import pytest
from bench.__main__ import SUITES
from bench.goals import goals, verdict
from bench.report import Result


def test_every_goal_is_of_a_suite_and_has_one_bound() -> None:
    for goal in goals():
        bounds = (goal.at_least, goal.at_most, goal.figure_at_most)
        assert goal.suite in SUITES
        assert sum(bound is not None for bound in bounds) == 1, goal


_APPLY = "MariaDB, batches of up to 50,000"


@pytest.mark.parametrize(
    ("result", "said"),
    [
        (Result("apply", _APPLY, 9, "changes/s", "LOAD DATA of new rows", 0.9), "≥ 0.9 met"),
        (Result("apply", _APPLY, 8, "changes/s", "LOAD DATA of new rows", 0.8), "≥ 0.9 missed"),
        (Result("apply", _APPLY, 8, "changes/CPU s", None, None), ""),
        (Result("full-load", "MariaDB → MariaDB, at work", 8, "rows/s", "mariadb-dump | mariadb", 0.1), ""),
        (Result("console", "home", 310, "KB", "at most 300", 1.03), "≤ 1 missed"),
        (Result("latency", "any link, 5,000 changes/s: p99", 99, "ms", None, None), "≤ 100 ms met"),
    ],
)
def test_a_row_is_held_against_its_goal(result: Result, said: str) -> None:
    assert verdict(result) == said
