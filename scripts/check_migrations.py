"""Checks that the migrations are one chain: of two that were written beside each other, neither store would start."""

import re
import sys
from pathlib import Path

VERSIONS = Path(__file__).resolve().parent.parent / "src" / "zcbus" / "control" / "store" / "migrations" / "versions"
REMEDY = "The one that landed later takes the next number and names the one before it as its down_revision."

Link = tuple[str | None, str | None]
"""A migration's revision and its down_revision."""


def main() -> None:
    wrong = breaks({path.name: link(path.read_text("utf-8")) for path in VERSIONS.glob("[0-9]*.py")})
    if wrong:
        sys.exit("\n".join([*wrong, REMEDY]))


def link(source: str) -> Link:
    """What a migration says of its place; None for what it does not say."""
    values = dict(re.findall(r'^(revision|down_revision)\b.* = "(\w+)"', source, re.MULTILINE))
    return values.get("revision"), values.get("down_revision")


def breaks(links: dict[str, Link]) -> list[str]:
    """A line for each file that is not the next of the chain by its name, its number and what it stands behind."""
    wrong = []
    for index, (file, found) in enumerate(sorted(links.items())):
        expected = (f"{index + 1:04}", f"{index:04}" if index else None)
        if found != expected or not file.startswith(f"{expected[0]}_"):
            wrong.append(f"{file} is {found[0]} behind {found[1]}, expected {expected[0]} behind {expected[1]}")
    return wrong


if __name__ == "__main__":
    main()
