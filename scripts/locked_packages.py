"""What the two lock files bind: the packages of the program and of the console, as their registries know them."""

import base64
import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

ROOT = Path(__file__).resolve().parent.parent
PYTHON_REGISTRY = "https://pypi.org/simple"


@dataclass(frozen=True, order=True)
class Package:
    """`purl`: its address as package URLs have it. `runtime`: it is part of what is delivered."""

    name: str
    version: str
    purl: str
    runtime: bool
    sha512: str = ""
    """Hexadecimal; empty: there are several files of it, each with a hash of its own in the lock."""
    problem: str = ""
    """Why the lock does not bind it to a known content."""
    runs_on_install: bool = False


def python_packages(root: Path = ROOT) -> list[Package]:
    """Of uv.lock, by name."""
    locked = tomllib.loads((root / "uv.lock").read_text("utf-8"))["package"]
    versions: dict[str, list[dict[str, Any]]] = {}
    for one in locked:
        versions.setdefault(one["name"], []).append(one)
    own = next(one for one in locked if one["source"].get("editable") == ".")
    delivered: set[str] = set()
    waiting = [one["name"] for one in own.get("dependencies", ())]
    while waiting:
        name = waiting.pop()
        if name not in delivered:
            delivered.add(name)
            waiting.extend(inner["name"] for one in versions[name] for inner in _needed(one))
    return sorted(_python(one, one["name"] in delivered) for one in locked if one is not own)


def console_packages(root: Path = ROOT) -> list[Package]:
    """Of console/package-lock.json, by name; each version once."""
    locked = json.loads((root / "console" / "package-lock.json").read_text("utf-8"))["packages"]
    found: dict[str, Package] = {}
    for path, one in locked.items():
        if path and not one.get("link"):
            package = _console(path.rpartition("node_modules/")[2], one)
            known = found.get(package.purl)
            if known is None or package.runtime > known.runtime:
                found[package.purl] = package
    return sorted(found.values())


def _needed(one: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from one.get("dependencies", ())
    for extra in one.get("optional-dependencies", {}).values():
        yield from extra


def _python(one: dict[str, Any], runtime: bool) -> Package:
    files = [*one.get("wheels", ()), *([one["sdist"]] if "sdist" in one else [])]
    problem = ""
    if one["source"].get("registry") != PYTHON_REGISTRY:
        problem = f"comes from {one['source']}"
    elif not files or any("hash" not in file for file in files):
        problem = "has a file without a hash"
    version = one["version"]
    return Package(one["name"], version, f"pkg:pypi/{one['name']}@{quote(version)}", runtime, problem=problem)


def _is_of_other_platforms(one: dict[str, Any]) -> bool:
    """npm locks optional builds for other platforms by their version only, and adds the hash where it installs them."""
    return bool(one.get("optional")) and ("os" in one or "cpu" in one)


def _console(name: str, one: dict[str, Any]) -> Package:
    algorithm, _, digest = one.get("integrity", "").partition("-")
    strong = algorithm == "sha512"
    scope, _, plain = name.rpartition("/")
    spelled = f"{quote(scope, safe='')}/{plain}" if scope else plain
    return Package(
        name,
        one["version"],
        f"pkg:npm/{spelled}@{quote(one['version'])}",
        not one.get("dev", False),
        base64.b64decode(digest).hex() if strong else "",
        "" if strong or one.get("inBundle") or _is_of_other_platforms(one) else "has no SHA-512 in the lock",
        bool(one.get("hasInstallScript")),
    )
