"""What the pages in docs/ say of tests."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


def named_tests(page: str) -> list[tuple[str, str]]:
    """File below tests/ and name of each test that a page names, in order and once."""
    return sorted(set(re.findall(r"`([\w/]+\.py)::(\w+)`", (DOCS / page).read_text("utf-8"))))


def is_there(file: str, name: str) -> bool:
    """Whether there is such a test."""
    return f"def {name}(" in (ROOT / "tests" / file).read_text("utf-8")
