"""Finds modules that know a database by name: what differs between kinds is a method or capability of a connector.

Identifiers, imports and texts of one word count. Sentences may name a product, for people.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "zcbus"

FREE = ("connectors/", "demo", "control/store/")
"""Connectors; the demo's databases; the platform's own database."""
ALSO = {
    "http": (
        "cli/http.py",
        "control/features/data_service/apis.py",
        "control/features/notification/",
        "control/features/parameter/service.py",
        "control/platform/hosts.py",
        "control/platform/middleware.py",
        "control/server.py",
        "gateway/server.py",
        "kit/network/",
        "kit/setting_values.py",
        "kit/settings.py",
        "kit/sign_in_settings.py",
        "kit/telemetry_settings.py",
        "kit/vault.py",
    ),
    "duckdb": ("engine/stream/", "engine/transform/"),
    "h2": ("control/operational.py",),
    "kafka": (
        "bus/",
        "kit/kafka.py",
        "control/features/container/",
        "control/features/agent_gateway/orders.py",
        "control/features/service/actions.py",
    ),
    "s3": ("kit/upload_settings.py",),
    "webhook": (
        "control/features/audit_stream/",
        "control/features/notification/",
        "kit/audit_settings.py",
        "kit/setting_groups.py",
        "kit/settings.py",
    ),
}
"""Kinds that are something else besides, and where: addresses and requests of the platform are of the first; the engine
calculates with the second; the third is a heading of a page; the bus lies on the last, with properties that each
container has for its clients; uploads may lie in a bucket of S3; notices and the audit log are sent to the last."""
PROTOCOLS = frozenset({"http"})
"""Parts of many words that are no kind: the kind is the whole word, or the folder of its connector."""
ADDRESS = re.compile(r"[a-z+]+://\S*")
"""An address of the platform's own database, as settings give it."""
_SHORT = 3


def main() -> None:
    names = re.compile("|".join(map(_pattern, sorted(known_names()))), re.IGNORECASE)
    found = [
        f"src/zcbus/{path}:{line}: {word} names a kind of database; ask its connector"
        for path, line, word in words()
        if _named(names, path, word) and not ADDRESS.fullmatch(word)
    ]
    if found:
        print(*found, sep="\n")
        sys.exit(1)


def _named(names: re.Pattern[str], path: str, word: str) -> bool:
    """Whether a word names a kind that the module may not know."""
    found = {name.lower() for name in names.findall(word)}
    return any(not path.startswith(ALSO.get(name, ())) for name in found)


def _pattern(name: str) -> str:
    """A short name may be a part of other words (`ES384`), and `delta` of Python's `timedelta`."""
    if name == "delta":
        return "(?<!time)delta"
    if name in PROTOCOLS:
        return rf"^{name}$|(?<=connectors\.){name}(?![a-z])"
    return name if len(name) > _SHORT else rf"(?<![a-z]){name}(?![0-9])"


def known_names() -> set[str]:
    """The folders of kinds, and what people call these products besides."""
    folders = {path.parent.name for path in (SOURCE / "connectors").glob("*/spec.py")}
    return folders | {"postgres", "mariadb"}


def words() -> Iterator[tuple[str, int, str]]:
    """File, line and each word of code in it."""
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        if not name.startswith(FREE):
            tree = ast.parse(path.read_text("utf-8"))
            yield from ((name, getattr(node, "lineno", 0), word) for node in ast.walk(tree) for word in words_of(node))


def words_of(node: ast.AST) -> list[str]:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name) | ast.arg(arg=name):
            return [name]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.ImportFrom(module=str(name)) | ast.keyword(arg=str(name)):
            return [name]
        case ast.Constant(value=str(text)) if not re.search(r"\s", text):
            return [text]
    return []


if __name__ == "__main__":
    main()
