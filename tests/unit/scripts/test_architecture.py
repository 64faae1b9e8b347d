"""The drawing of the layers is the one that the imports are held to, and its folders are those that there are."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
SOURCE = ROOT / "src" / "zcbus"


def _drawn() -> list[set[str]]:
    """Layers from top to bottom."""
    [line] = re.findall(r"^cli, demo .*►.*$", PAGE, re.MULTILINE)
    return [set(re.split(r"\s*[|,]\s*", layer.strip())) for layer in line.split("►")]


def test_the_drawn_layers_are_those_that_imports_are_held_to() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    [held] = [contract["layers"] for contract in contracts if contract["id"] == "layers"]
    kept = [{name.strip().removeprefix("zcbus.") for name in layer.split("|")} for layer in held]
    # The drawing has the two layers of programs in one place.
    assert _drawn() == [kept[0] | kept[1], *kept[2:]]


def test_every_folder_has_its_layer_and_its_job() -> None:
    folders = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    [table] = re.findall(r"\| folder \| job \|\n(.*?)\n\n", PAGE, re.DOTALL)
    documented = {name for row in table.splitlines() for name in re.findall(r"`(\w+)/`", row.split("|")[1])}
    assert set().union(*_drawn()) == folders
    assert documented == folders
