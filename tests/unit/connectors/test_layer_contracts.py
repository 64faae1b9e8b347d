"""The rules about imports name every kind of data source."""

import tomllib
from pathlib import Path

from zcbus.connectors.registry import KINDS

PROJECT = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text("utf-8"))
CONTRACTS = {one["id"]: one for one in PROJECT["tool"]["importlinter"]["contracts"]}


def test_the_core_imports_no_kind() -> None:
    assert {f"zcbus.connectors.{kind}" for kind in KINDS} <= set(CONTRACTS["specifications"]["forbidden_modules"])


def test_no_kind_imports_another_but_a_variant_its_body() -> None:
    variants = set(CONTRACTS["variants"]["forbidden_modules"])
    assert {f"zcbus.connectors.{kind}" for kind in KINDS} - variants <= set(CONTRACTS["connectors"]["modules"])
