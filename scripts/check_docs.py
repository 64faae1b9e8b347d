"""Checks the documentation: generated pages are up to date, the site builds without a broken link and needs no network,
links of the pages at the root lead somewhere, the changelog's lines are short."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from build_docs import ROOT, build

ROOT_PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)[^)]*\)")
# What a browser would fetch by itself; links that people follow are no harm.
FETCHED = re.compile(
    r"<(?:script|img|iframe)[^>]*\ssrc=\"(?:https?:)?//|<link[^>]*\shref=\"(?:https?:)?//[^>]*stylesheet"
)
CHANGELOG_WIDTH = 120


def main() -> None:
    found = [*broken_links(), *long_changes()]
    made = subprocess.run(
        [sys.executable, "scripts/make_reference.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if made.returncode:
        found.append(made.stderr.strip())
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder))
        found += fetched_from_outside(Path(folder))
    if found:
        sys.exit("\n".join(found))


def broken_links() -> list[str]:
    """Links of the pages at the root whose file is not there."""
    return [
        f"{page}: {target} is not there"
        for page in ROOT_PAGES
        for target in LINK.findall((ROOT / page).read_text("utf-8"))
        if not (ROOT / target).exists()
    ]


def long_changes() -> list[str]:
    """Entries of the changelog that are not one short line."""
    lines = (ROOT / "CHANGELOG.md").read_text("utf-8").splitlines()
    return [
        f"CHANGELOG.md:{number}: longer than {CHANGELOG_WIDTH} characters, or continued"
        for number, line in enumerate(lines, 1)
        if len(line) > CHANGELOG_WIDTH or line.startswith("  ")
    ]


def fetched_from_outside(site: Path) -> list[str]:
    """Pages of the built site that fetch something from elsewhere."""
    pages = sorted(site.rglob("*.html"))
    return [
        f"{page.relative_to(site)} fetches from outside" for page in pages if FETCHED.search(page.read_text("utf-8"))
    ]


if __name__ == "__main__":
    main()
