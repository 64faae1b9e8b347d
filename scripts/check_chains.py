"""Checks that no chain of imports in the engine is longer than seven modules.

Imports inside functions count, those for types alone do not. A module that needs what stands above it is given it:
what is composed, is composed by the services.
"""

import ast
import sys
from collections.abc import Iterator, Mapping, Set
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENGINE = ROOT / "src" / "zcbus" / "engine"
MOST = 7


def main() -> None:
    paths = {_name(path): path for path in ENGINE.rglob("*.py")}
    longest = longest_chain({name: imports_of(path.read_text(), paths.keys()) - {name} for name, path in paths.items()})
    if len(longest) > MOST:
        sys.exit("\n".join([f"{len(longest)} modules in a chain of imports:", *longest, "", __doc__ or ""]))


def imports_of(source: str, known: Set[str]) -> set[str]:
    """Modules among `known` that the source imports when it runs."""
    return {found for node in _running(ast.parse(source)) for found in _imported(node, known)}


def longest_chain(graph: Mapping[str, Set[str]]) -> list[str]:
    """The longest chain of a graph without circles, from the module that imports to the one that imports none."""
    found: dict[str, list[str]] = {}

    def chain(name: str) -> list[str]:
        if name not in found:
            found[name] = [name, *max((chain(one) for one in sorted(graph[name])), key=len, default=[])]
        return found[name]

    return max((chain(name) for name in sorted(graph)), key=len, default=[])


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT / "src").with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _running(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING"):
            yield child
            yield from _running(child)


def _imported(node: ast.AST, known: Set[str]) -> Iterator[str]:
    if isinstance(node, ast.ImportFrom) and node.module:
        for alias in node.names:
            module = f"{node.module}.{alias.name}"
            yield from (one for one in (module, node.module) if one in known and (one == module or module not in known))
    elif isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name in known)


if __name__ == "__main__":
    main()
