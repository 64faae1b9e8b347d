"""Results: as JSON for machines, as a table for people."""

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

_HEAD = ("suite", "case", "ours", "peer", "unit", "against", "ratio", "goal")
LATEST = Path(__file__).parent / "results" / "latest.json"


@dataclass(frozen=True, slots=True)
class Result:
    """Our figure beside one peer or limit."""

    suite: str
    case: str
    figure: float
    """Ours; more is better, except beside a limit (`at most …`)."""
    unit: str
    against: str | None
    ratio: float | None
    """Our figure divided by the peer's; None where there is no peer."""


def write(results: Sequence[Result], path: Path = LATEST) -> None:
    """Write the file that the contract names."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [{**asdict(row), "figure": _round(row.figure), "ratio": _round(row.ratio)} for row in results]
    path.write_text(json.dumps(rows, indent=2) + "\n", "utf-8")


def show(results: Sequence[Result], verdict: Callable[[Result], str]) -> None:
    """Print the table; `verdict` tells the last column."""
    rows = [_HEAD, *((*_cells(result), verdict(result)) for result in results)]
    widths = [max(len(row[place]) for row in rows) for place in range(len(_HEAD))]
    for row in rows:
        right = (2, 3, 6)
        cells = (
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        sys.stdout.write("  ".join(cells).rstrip() + "\n")


def _cells(result: Result) -> tuple[str, str, str, str, str, str, str]:
    peer = f"{result.figure / result.ratio:,.0f}" if result.ratio else ""
    ratio = f"{result.ratio:.2f}" if result.ratio is not None else ""
    return result.suite, result.case, f"{result.figure:,.0f}", peer, result.unit, result.against or "", ratio


def _round(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.4g}")
