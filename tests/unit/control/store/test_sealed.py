"""Every encrypted text of the store is found by the type of its column."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Table

import zcbus.control
from zcbus.control.store import tables
from zcbus.control.store.sealed import key_column, place, replaced, sealed_columns, sealed_tables, texts

SOURCE = Path(zcbus.control.__file__).parent
NOT_IN_COLUMNS = {
    # A word that proves the key file.
    "key_check.py",
    # Texts that people keep.
    "features/encode_tool/cipher.py",
    # Handles of browsers, for minutes.
    "features/external_sign_in/handshake.py",
    "features/external_sign_in/service.py",
    # What came of a response, for two minutes.
    "features/external_sign_in/saml.py",
    "features/second_factor/set_up.py",
    # Replaces what is in the columns.
    "features/master_key/resealing.py",
}
"""Where texts are encrypted that are in no column of their own."""


def test_what_is_sealed_belongs_to_a_declared_column() -> None:
    undeclared = {name for name, call in seals() if "place(" not in call}
    assert undeclared <= NOT_IN_COLUMNS


def seals() -> Iterator[tuple[str, str]]:
    """File and source of each call that encrypts."""
    for path in SOURCE.rglob("*.py"):
        source = path.read_text("utf-8")
        for node in ast.walk(ast.parse(source)) if "seal" in source else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
                if name == "seal":
                    yield path.relative_to(SOURCE).as_posix(), ast.unparse(node)


@pytest.mark.parametrize("table", tuple(sealed_tables()), ids=lambda table: table.name)
def test_places_of_two_rows_and_columns_differ(table: Table) -> None:
    assert tables.metadata.tables[table.name] is table
    columns = sealed_columns(table)
    places = {place(column, key, "n") for column in columns for key in ("1", "2")}
    assert len(places) == 2 * len(columns)
    assert key_column(table).primary_key


def test_each_text_of_a_value_is_replaced_with_its_place() -> None:
    data_source, machine = (tables.metadata.tables[name] for name in ("data_source", "machine"))
    named, one = sealed_columns(data_source)[0], sealed_columns(machine)[0]
    value = {"password": "a", "token": "b"}
    assert list(texts(named, "7", value)) == [("a", "data-source:7:password"), ("b", "data-source:7:token")]
    assert replaced(named, "7", value, lambda text, at: f"{text}@{at}")["token"] == "b@data-source:7:token"
    assert replaced(one, "7", "x", lambda text, at: f"{text}@{at}") == "x@machine:7:password"
    assert (replaced(one, "7", None, lambda *_: "?"), list(texts(one, "7", None))) == (None, [])
