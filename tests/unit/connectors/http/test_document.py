"""What a document may say, and where it is wrong."""

import re

import pytest

from zcbus.connectors.http import paths
from zcbus.connectors.http.document_text import read
from zcbus.connectors.http.records import schema_of
from zcbus.connectors.http.spec import HttpOptions
from zcbus.connectors.http.templates import parameters
from zcbus.connectors.options import OptionFault, OptionsInvalid, parse
from zcbus.connectors.registry import KINDS
from zcbus.connectors.shipped import ShippedDocument
from zcbus.model.types import Kind

ITEMS = """\
resources:
  - name: items
    path: /items
    key: [id]
    columns:
      id: bigint
      price: {type: "decimal(10,2)", path: data.price}
"""


def test_yaml_and_json_say_the_same() -> None:
    as_json = (
        '{"resources": [{"name": "items", "path": "/items", "key": ["id"], "columns": {"id": "bigint", '
        '"price": {"type": "decimal(10,2)", "path": "data.price"}}}]}'
    )
    assert read(ITEMS) == read(as_json)
    assert read(ITEMS).resources[0].columns["price"].data.kind is Kind.DECIMAL


@pytest.mark.parametrize(
    ("old", "new", "line", "place", "problem"),
    [
        ("path: /items", "path: 5", 3, "resources.0.path", "value"),
        ("key: [id]", "keys: [id]", 4, "resources.0.keys", "unknown"),
        ("    key: [id]\n", "", 2, "resources.0.key", "missing"),
        ("key: [id]", "key: [no]", 2, "resources.0", "value"),
        ("id: bigint", "id: integer", 6, "resources.0.columns.id", "value"),
        ("path: data.price", "path: 'data['", 7, "resources.0.columns.price.path", "value"),
        ("resources:", "auth: {type: magic}\nresources:", 1, "auth", "choice"),
        ("resources:", "pages: {type: page}\nresources:", 1, "pages.param", "missing"),
        ("key: [id]", "key: [id", 5, "", "syntax"),
        ("key: [id]", "key: [price]", 2, "resources.0", "value"),
        ("key: [id]", "key: [id]\n    parent: {resource: no, values: {a: id}}", 1, "", "value"),
        ("resources:", "a: &a [1]\nb: *a\nresources:", 2, "", "syntax"),
        ("resources:", "x: " + "[" * 2000, 1, "", "syntax"),
        ("resources:", "headers: {'Bad Name': x}\nresources:", 1, "headers.Bad Name", "value"),
        ("resources:", "headers: {Host: x}\nresources:", 1, "headers.Host", "value"),
        ("resources:", "auth: {type: key, prefix: x}\nresources:", 1, "auth", "value"),
    ],
)
def test_faults_of_a_document_are_reported_with_their_line(
    old: str, new: str, line: int, place: str, problem: str
) -> None:
    assert old in ITEMS
    with pytest.raises(OptionFault) as caught:
        read(ITEMS.replace(old, new))
    facts = caught.value.facts
    assert (facts["line"], facts["problem"]) == (line, problem)
    assert str(facts["place"]).startswith(place)


def test_the_option_shows_it_too() -> None:
    given = {"url": "https://api.example.com", "definition": ITEMS.replace("key:", "keys:")}
    with pytest.raises(OptionsInvalid) as caught:
        parse(HttpOptions, given)
    assert caught.value.facts["option"] == "definition"
    assert (caught.value.facts["line"], caught.value.facts["problem"]) == (4, "unknown")
    secret = parse(HttpOptions, {**given, "definition": ITEMS, "secret": "hidden"})
    assert "hidden" not in repr(secret)


def test_paths() -> None:
    value = {"data": {"items": [{"a b": [1, 2]}, {"a b": [3]}]}, "@x": "y"}
    assert paths.every(value, "$.data.items[*]['a b'][0]") == [1, 3]
    assert paths.every(value, "data.items[1]") == [{"a b": [3]}]
    assert paths.every(value, "$") == [value]
    assert paths.first(value, "data.nothing[3].deep") is None
    assert paths.first(value, "@x") == "y"
    for wrong in ("a..b", "a[", "a b", "a[-1]", "a[?(@.x)]"):
        with pytest.raises(paths.PathInvalid):
            paths.steps(wrong)


@pytest.mark.parametrize("document", KINDS["http"].spec.documents(), ids=lambda one: one.name)
def test_a_shipped_document_is_valid_and_has_no_secret(document: ShippedDocument) -> None:
    values = document.values
    interface = read(values["definition"])
    known = {option.name for option in KINDS["http"].spec.options if not option.shown.secret}
    assert set(values) <= known
    assert interface.auth.type != "none" or not interface.resources, "events are signed"
    given = set(parameters(values.get("parameters", "")))
    for resource in interface.resources:
        schema_of(resource, "http")
        asked = [resource.path, *resource.query.values(), *(resource.cursor.query.values() if resource.cursor else ())]
        names = {name for text in asked for name in re.findall(r"\$\{([^}]+)\}", text)} - {"cursor"}
        assert names <= given, "each parameter is shown in the form"
