"""The software bill of materials: what the wheel brings or needs, as CycloneDX 1.6 in JSON, from the lock files alone.

The same locks always give the same text.
"""

import json
import sys
import tomllib
import uuid
from pathlib import Path
from typing import Any

from locked_packages import ROOT, Package, console_packages, python_packages


def document(root: Path = ROOT) -> dict[str, Any]:
    """Python packages are needed by the wheel, those of the console are built into it."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    name, version = project["name"], project["version"]
    own = f"pkg:pypi/{name}@{version}"
    packages = [one for one in (*python_packages(root), *console_packages(root)) if one.runtime]
    content = {
        "metadata": {
            "component": {"type": "application", "bom-ref": own, "name": name, "version": version, "purl": own}
        },
        "components": [_component(one) for one in packages],
        "dependencies": [{"ref": own, "dependsOn": sorted({one.purl for one in packages})}],
    }
    number = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(content, sort_keys=True))
    head = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
    }
    return {**head, "serialNumber": f"urn:uuid:{number}", "version": 1, **content}


def text(root: Path = ROOT) -> str:
    return json.dumps(document(root), indent=1, sort_keys=True) + "\n"


def _component(one: Package) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "library", "bom-ref": one.purl, "version": one.version, "purl": one.purl}
    group, _, plain = one.name.rpartition("/")
    made |= {"name": plain, "scope": "required"} | ({"group": group} if group else {})
    return made | ({"hashes": [{"alg": "SHA-512", "content": one.sha512}]} if one.sha512 else {})


if __name__ == "__main__":
    sys.stdout.write(text())
