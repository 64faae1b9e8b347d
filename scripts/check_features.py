"""Checks that a feature of the control plane uses another's services and views, never its queries.

Modules `queries`, `repository` and `…_repository` belong to their feature: what their rows mean, and what must be told
once they change, is known there only.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FEATURES = ROOT / "src" / "zcbus" / "control" / "features"
_PACKAGE = "zcbus.control.features."


def main() -> None:
    found = [problem for path in sorted(FEATURES.rglob("*.py")) for problem in problems(path)]
    if found:
        sys.exit("\n".join([*found, "", __doc__ or ""]))


def problems(path: Path) -> Iterator[str]:
    """What a module takes of another feature's queries."""
    own = path.relative_to(FEATURES).parts[0]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith(_PACKAGE):
            continue
        feature, *inner = (node.module or "").removeprefix(_PACKAGE).split(".")
        taken = [*inner, *(name.name for name in node.names)]
        if feature != own and any(name.endswith(("repository", "queries")) for name in taken):
            yield f"{path.relative_to(ROOT)}:{node.lineno}: queries of {feature}; ask its service"


if __name__ == "__main__":
    main()
