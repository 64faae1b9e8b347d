"""The decoders of the databases' logs could be published alone."""

import ast
from pathlib import Path

import pytest

import zcbus

SOURCE = Path(zcbus.__file__).parent


@pytest.mark.parametrize("package", ["connectors/postgresql/pgoutput", "connectors/mysql/binlog"])
def test_a_log_decoder_imports_nothing_but_itself_and_the_model(package: str) -> None:
    own = "zcbus." + package.replace("/", ".")
    imported = {
        node.module
        for module in (SOURCE / package).glob("*.py")
        for node in ast.walk(ast.parse(module.read_text()))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("zcbus")
    }
    assert f"{own}.rows" in imported or len(imported) > 3
    assert {one for one in imported if not one.startswith((own, "zcbus.model."))} == set()
