"""The review of packages, and the bill of materials."""

import importlib
import json
import re
import sys
from datetime import date, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
TODAY = date(2026, 11, 24)


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))

    def load(name: str) -> ModuleType:
        return importlib.import_module(name)

    yield load
    for name in ("locked_packages", "check_dependencies", "sbom"):
        sys.modules.pop(name, None)


def folder(tmp_path: Path, python: str = "", console: dict[str, Any] | None = None) -> Path:
    hashed = 'wheels = [{ url = "https://x/a.whl", hash = "sha256:00" }]'
    lock = f"""
[[package]]
name = "own"
version = "1"
source = {{ editable = "." }}
dependencies = [{{ name = "a" }}]
[[package]]
name = "a"
version = "1.0"
source = {{ registry = "https://pypi.org/simple" }}
{hashed}
dependencies = [{{ name = "b" }}]
[[package]]
name = "b"
version = "2.0"
source = {{ registry = "https://pypi.org/simple" }}
{hashed}
{python}"""
    (tmp_path / "uv.lock").write_text(lock)
    (tmp_path / "console").mkdir()
    packages = {"": {}, "node_modules/@s/c": {"version": "3.0", "integrity": "sha512-AAAA"}, **(console or {})}
    (tmp_path / "console" / "package-lock.json").write_text(json.dumps({"packages": packages}))
    return tmp_path


def found(scripts: Any, root: Path, reviewed: list[str], age: int = 0) -> list[str]:
    locks, check = scripts("locked_packages"), scripts("check_dependencies")
    packages = [*locks.python_packages(root), *locks.console_packages(root)]
    review = {"date": (TODAY - timedelta(days=age)).isoformat(), "compared": "x", "packages": reviewed}
    lines: list[str] = check.problems(packages, review, TODAY)
    return lines


REVIEWED = ["pkg:npm/%40s/c@3.0", "pkg:pypi/a@1.0", "pkg:pypi/b@2.0"]


def test_reviewed_dependencies_pass(scripts: Any, tmp_path: Path) -> None:
    assert found(scripts, folder(tmp_path), REVIEWED) == []


def test_new_removed_and_old_dependencies_do_not_pass(scripts: Any, tmp_path: Path) -> None:
    root = folder(tmp_path)
    assert found(scripts, root, REVIEWED[:2]) == ["pkg:pypi/b@2.0 was not reviewed"]
    assert found(scripts, root, [*REVIEWED, "pkg:pypi/z@1"]) == ["pkg:pypi/z@1 was reviewed and is not locked any more"]
    assert found(scripts, root, REVIEWED, age=121) == ["the review is 121 days old; 120 are allowed"]


def test_packages_that_no_hash_binds(scripts: Any, tmp_path: Path) -> None:
    strange = '\n[[package]]\nname = "g"\nversion = "1"\nsource = { git = "https://x/g" }\n'
    loose = {"node_modules/l": {"version": "1"}, "node_modules/r": {"version": "1", "integrity": "sha512-AAAA"}}
    loose["node_modules/r"]["hasInstallScript"] = True  # type: ignore[assignment]
    root = folder(tmp_path, strange, loose)
    lines = found(scripts, root, [*REVIEWED, "pkg:pypi/g@1", "pkg:npm/l@1", "pkg:npm/r@1"])
    assert len(lines) == 3
    assert "comes from" in lines[0]
    assert lines[1] == "pkg:npm/l@1 has no SHA-512 in the lock"
    assert "while it is installed" in lines[2]


def test_the_bill_of_materials(scripts: Any) -> None:
    bill = scripts("sbom").document()
    assert (bill["bomFormat"], bill["specVersion"], bill["version"]) == ("CycloneDX", "1.6", 1)
    assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", bill["serialNumber"])
    purls = [one["purl"] for one in bill["components"]]
    assert len(purls) == len(set(purls))
    names = {one["name"] for one in bill["components"]}
    assert {"fastapi", "starlette", "pyarrow", "react", "antd"} <= names
    assert not {"pytest", "vite", "ruff", "vitest"} & names
    assert bill["dependencies"][0]["dependsOn"] == sorted(purls)
    assert scripts("sbom").text() == scripts("sbom").text()
