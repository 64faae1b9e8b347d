"""Finds modules that look into a position of a source's log: only its connector knows what the numbers mean.

Outside `model/` and `connectors/` nobody makes a Position by its numbers or reads them, alone or in a frame's columns.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "zcbus"

FREE = ("model/", "connectors/")
COLUMNS = {"files", "offsets"}


def main() -> None:
    found = [
        f"src/zcbus/{path}:{line}: {what}; see model/position.py"
        for file in sorted(SOURCE.rglob("*.py"))
        if not (path := file.relative_to(SOURCE).as_posix()).startswith(FREE)
        for line, what in looks_into(ast.parse(file.read_text("utf-8")))
    ]
    if found:
        print(*found, sep="\n")
        sys.exit(1)


def looks_into(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and finding."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="Position")):
                yield node.lineno, "makes a position by its numbers"
            case ast.Attribute(attr=name) if name in COLUMNS:
                yield node.lineno, f".{name} reads the numbers of positions"
            case ast.Attribute(attr="file" | "offset" as name, value=ast.Name(id=of) | ast.Attribute(attr=of)) if (
                of.endswith("position")
            ):
                yield node.lineno, f"{of}.{name} reads a number of a position"


if __name__ == "__main__":
    main()
