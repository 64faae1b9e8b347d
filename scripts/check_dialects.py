"""Finds modules that know a database by name: what differs between kinds is a method or capability of a connector.

Identifiers, imports and texts of one word count; sentences may name a product, for people. So it is in the console's
modules, whose sentences are in its locales.
"""

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "zcbus"
CONSOLE = ROOT / "console" / "src"

FREE = ("connectors/", "demo")
"""Connectors; the demo's databases."""
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
    "postgres": ("control/store/",),
    "s3": ("kit/upload_settings.py",),
    "sqlite": ("control/store/",),
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
container has for its clients; the platform's own database is one of two; uploads may lie in a bucket of S3;
notices and the audit log are sent to the last."""
CONSOLE_ALSO = {
    "http": ("features/network-route/",),
    "kafka": ("features/container/", "shared/api/secret-calls.ts"),
    "mysql": ("shared/widgets/sql-editor/",),
    "postgres": ("shared/widgets/sql-editor/", "features/stream/"),
    "webhook": ("features/notification/",),
}
"""The same of the console: an editor has grammars of SQL, of which a kind's record names one; real-time compute uses
one of them."""
PROTOCOLS = frozenset({"http"})
"""Parts of many words that are no kind: the kind is the whole word, or the folder of its connector."""
ADDRESS = re.compile(r"[a-z+]+://\S*")
"""An address of the platform's own database, as settings give it."""
_SHORT = 3
_SCRIPT_COMMENT = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.DOTALL)
_SCRIPT_WORD = re.compile(r"""['"`]([^\s'"`]+)['"`]|\w+""")
_AMBIGUOUS = re.compile("h2|delta[XY]?|http")


def main() -> None:
    found = [
        f"src/zcbus/{path}:{line}: {word} names a kind of database; ask its connector"
        for path, line, word in words()
        if names_kind(word, path, ALSO)
    ] + [
        f"console/src/{path}:{line}: {word} names a kind of database; ask the kind's record"
        for path, line, word in console_words()
        if names_kind(word, path, CONSOLE_ALSO)
    ]
    if found:
        print(*found, sep="\n")
        sys.exit(1)


def names_kind(word: str, path: str, also: Mapping[str, tuple[str, ...]]) -> bool:
    """Whether a word names a kind that the module may not know."""
    return any(not path.startswith(also.get(name, ())) for name in _kinds_in(word))


@cache
def _kinds_in(word: str) -> frozenset[str]:
    return frozenset() if ADDRESS.fullmatch(word) else frozenset(map(str.lower, _names().findall(word)))


@cache
def _names() -> re.Pattern[str]:
    return re.compile("|".join(map(_pattern, sorted(known_names()))), re.IGNORECASE)


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


def console_words() -> Iterator[tuple[str, int, str]]:
    """File, line and each word of the console's modules, without tests and generated code."""
    for path in sorted(CONSOLE.rglob("*.ts*")):
        name = path.relative_to(CONSOLE).as_posix()
        if ".test." not in name and not name.startswith("shared/api/gen/"):
            yield from ((name, line, word) for line, word in script_words(path.read_text("utf-8")))


def script_words(text: str) -> Iterator[tuple[int, str]]:
    """Line and each word of a script: identifiers, but not names that are a tag or a member of an event too; texts."""
    text = _SCRIPT_COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    for found in _SCRIPT_WORD.finditer(text):
        word = found[1] or found[0]
        if found[1] or not _AMBIGUOUS.fullmatch(word):
            yield 1 + text.count("\n", 0, found.start()), word


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
