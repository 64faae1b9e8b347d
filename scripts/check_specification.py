"""Checks the pages of the specification's sentences in docs/specification/, and makes the figures of
docs/specification.md from them (`--write`).

A row is `| chapter.section.number | requirement | fulfilled by | tests | state |`. Fulfilled by: paths from the root of
the repository. Tests: `tests/….py::name` or `console/….ts › title`. State: held, or partly or absent with the reason.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUMMARY = ROOT / "docs" / "specification.md"
CHAPTERS = tuple(sorted((ROOT / "docs" / "specification").glob("*.md")))
REMEDY = "    .venv/bin/python scripts/check_specification.py --write"

_ROW = re.compile(r"^\| (\d+(?:\.\d+)*) \|(.*)\|$", re.MULTILINE)
_NUMBER = re.compile(r"\d+\.\d+\.\d+")
_CODE = re.compile(r"`([^`]+)`")
_STATE = re.compile(r"(held)|(partly|absent): \S.+")
_BLOCK = re.compile(r"(<!-- made from the chapters: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


@dataclass(frozen=True)
class Row:
    """A sentence of the specification. `paths`, `tests`: as the row names them; `state`: with its reason."""

    number: str
    requirement: str
    paths: tuple[str, ...]
    tests: tuple[str, ...]
    state: str

    @property
    def kind(self) -> str:
        """held, partly or absent."""
        return self.state.partition(":")[0]


def main() -> None:
    pages = {path: path.read_text("utf-8") for path in CHAPTERS}
    rows = [row for text in pages.values() for row in rows_of(text)]
    if found := list(faults(rows)):
        sys.exit("\n".join(found))
    made, text = regenerated(SUMMARY.read_text("utf-8"), pages), SUMMARY.read_text("utf-8")
    if sys.argv[1:] == ["--write"]:
        SUMMARY.write_text(made, "utf-8")
    elif made != text:
        sys.exit(f"the figures of docs/specification.md are not those of its chapters. Make them again:\n{REMEDY}")


def rows_of(text: str) -> list[Row]:
    """The rows of a page. Raises ValueError for a row that does not have five cells."""
    return [_row(number, rest) for number, rest in _ROW.findall(text)]


def _row(number: str, rest: str) -> Row:
    cells = [cell.strip() for cell in rest.split(" | ")]
    if len(cells) != 4:
        raise ValueError(f"{number}: has {len(cells) + 1} cells")
    requirement, paths, tests, state = cells
    return Row(number, requirement, tuple(_CODE.findall(paths)), tuple(_CODE.findall(tests)), state)


def faults(rows: Sequence[Row]) -> Iterator[str]:
    """What is wrong with the rows, each as a line that begins with the row's number."""
    seen: set[str] = set()
    for row in rows:
        if row.number in seen:
            yield f"{row.number}: the number repeats"
        seen.add(row.number)
        yield from (f"{row.number}: {fault}" for fault in _row_faults(row))


def _row_faults(row: Row) -> Iterator[str]:
    if not _NUMBER.fullmatch(row.number):
        yield "the number is not chapter.section.number"
    if not _STATE.fullmatch(row.state):
        yield f"the state {row.state!r} is neither held, nor partly or absent with a reason"
    if row.kind != "absent" and not row.paths:
        yield "nothing is named that fulfils it"
    if row.kind == "held" and not row.tests:
        yield "is held without a test"
    yield from (f"{path} does not exist" for path in row.paths if not (ROOT / path).exists())
    yield from (f"{test} does not exist" for test in row.tests if not is_test(test))


def is_test(name: str) -> bool:
    """Whether there is such a test: a function of pytest, or a test of the console by its title."""
    if name.startswith("tests/"):
        path, separator, function = name.partition("::")
        return bool(separator) and re.search(rf"^(?:async )?def {re.escape(function)}\(", _text(path), re.M) is not None
    path, separator, title = name.partition(" › ")
    quoted = rf"\(\s*(['\"`]){re.escape(title)}\1"
    return bool(separator) and re.search(quoted, _text(path)) is not None


@cache
def _text(path: str) -> str:
    file = ROOT / path
    return file.read_text("utf-8") if file.is_file() else ""


def regenerated(text: str, pages: dict[Path, str]) -> str:
    """The page of figures as the chapters say them. Raises KeyError for a block that is not made here."""
    made = {"counts": _counts, "open": _open}
    return _BLOCK.sub(lambda block: f"{block[1]}{made[block[2]](pages)}{block[3]}", text)


def _counts(pages: dict[Path, str]) -> str:
    lines = [(f"[{_title(text)}](specification/{path.name})", *_figures(rows_of(text))) for path, text in pages.items()]
    every = [row for text in pages.values() for row in rows_of(text)]
    return _table(("chapter", "rows", "held", "partly", "absent"), [*lines, ("all", *_figures(every))])


def _figures(rows: Sequence[Row]) -> tuple[str, ...]:
    kinds = [row.kind for row in rows]
    return (str(len(kinds)), *(str(kinds.count(kind)) for kind in ("held", "partly", "absent")))


def _open(pages: dict[Path, str]) -> str:
    rows = [row for text in pages.values() for row in rows_of(text) if row.kind != "held"]
    return _table(("no.", "requirement", "state"), [(row.number, row.requirement, row.state) for row in rows])


def _title(text: str) -> str:
    return text.partition("\n")[0].removeprefix("# ")


def _table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    rows = ["|" + "|".join(f" {cell} " for cell in line) + "|\n" for line in (head, *lines)]
    return "".join([rows[0], "|" + "---|" * len(head) + "\n", *rows[1:]])


if __name__ == "__main__":
    main()
