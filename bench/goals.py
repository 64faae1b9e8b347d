"""What each figure is to reach, so that a regression is seen in the run that measured it."""

import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from bench.report import Result

_FILE = Path(__file__).with_name("goals.toml")


@dataclass(frozen=True, slots=True)
class Goal:
    """The bound of the rows that it matches; exactly one of the last three is given."""

    suite: str
    case: str
    """Pattern of the whole text, `*` stands for anything."""
    against: str | None = None
    """Likewise; None: of rows without a peer."""
    at_least: float | None = None
    """Of the ratio."""
    at_most: float | None = None
    """Of the ratio."""
    figure_at_most: float | None = None
    """Of our figure, in its unit."""

    def matches(self, result: Result) -> bool:
        """Whether this is the goal of that row."""
        if self.suite != result.suite or (self.against is None) != (result.against is None):
            return False
        return fnmatchcase(result.case, self.case) and fnmatchcase(result.against or "", self.against or "")

    def verdict(self, result: Result) -> str:
        """`≥ 0.9 met`, `≤ 10 ms missed`."""
        if self.figure_at_most is not None:
            return _said(f"≤ {self.figure_at_most:g} {result.unit}", result.figure <= self.figure_at_most)
        if self.at_most is not None:
            return _said(f"≤ {self.at_most:g}", result.ratio is not None and result.ratio <= self.at_most)
        assert self.at_least is not None
        return _said(f"≥ {self.at_least:g}", result.ratio is not None and result.ratio >= self.at_least)


def verdict(result: Result) -> str:
    """Goal and whether the row reaches it; empty where there is none. A row beside a limit (`at most …`) is to stay
    below it."""
    if result.against and result.against.startswith("at most "):
        return Goal(result.suite, result.case, result.against, at_most=1).verdict(result)
    return next((goal.verdict(result) for goal in goals() if goal.matches(result)), "")


@cache
def goals() -> tuple[Goal, ...]:
    """All of the file, the first that matches a row counts."""
    return tuple(Goal(**entry) for entry in tomllib.loads(_FILE.read_text("utf-8"))["goal"])


def _said(bound: str, met: bool) -> str:
    return f"{bound} {'met' if met else 'missed'}"
