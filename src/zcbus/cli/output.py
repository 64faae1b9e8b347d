"""Output: plain tables for a terminal, JSON for programs."""

import json
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any


def print_table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print left-aligned columns; a Chinese character is two cells wide."""
    texts = [[("" if value is None else str(value)) for value in row] for row in [header, *rows]]
    widths = [max(_width(row[column]) for row in texts) for column in range(len(header))]
    for row in texts:
        line = "  ".join(text + " " * (width - _width(text)) for text, width in zip(row, widths, strict=True))
        print(line.rstrip())


def print_refused(results: Sequence[Mapping[str, Any]]) -> int:
    """Print the tables that were skipped and why, on standard error; returns the exit code."""
    refused = [one for one in results if not one["done"]]
    for one in refused:
        print(f"zcbus: {one['table']}: {one['reason']}", file=sys.stderr)
    return 1 if refused else 0


def print_results(results: Sequence[Mapping[str, Any]], verb: str, as_json: bool) -> int:
    """Print the result of each table; returns the exit code."""
    done = sum(one["done"] for one in results)
    if as_json:
        print_json({"tables": done, "results": results})
    else:
        print(f"{verb}: {done} table(s)")
    return print_refused(results)


def print_findings(findings: Sequence[Mapping[str, Any]]) -> None:
    """Print a pre-check's errors and warnings with their remedies, on standard error."""
    for one in findings:
        if one["level"] in ("error", "warning"):
            subject = ".".join(part for part in (one["table"], one["column"]) if part)
            about = f" {subject}:" if subject else ""
            remedy = f" ({one['remedy']})" if one["remedy"] else ""
            print(f"{one['level']}:{about} {one['text']}{remedy}", file=sys.stderr)


class ProgressLine:
    """A progress line on a terminal, replaced by each `show` and removed at the end.

    Nothing is written if standard error is no terminal.
    """

    def __init__(self) -> None:
        self._is_shown = sys.stderr.isatty()

    def __enter__(self) -> "ProgressLine":
        return self

    def __exit__(self, *details: object) -> None:
        self.show("")

    def show(self, text: str) -> None:
        """Replace the line."""
        if self._is_shown:
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def print_json(data: Any) -> int:
    """Print JSON with times in ISO 8601. Returns exit code 0."""
    print(json.dumps(data, ensure_ascii=False, indent=2, default=str))
    return 0
