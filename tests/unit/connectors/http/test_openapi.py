"""Import of OpenAPI descriptions: which operations become tables, what is guessed, and what is refused in time."""

import json
import re
import time
from typing import Any

import pytest
import yaml

from tests.support.rest_service import Reply, RestService
from zcbus.connectors.errors import SourceUnavailable
from zcbus.connectors.http.document_text import read
from zcbus.connectors.http.openapi.importer import OpenApiImporter
from zcbus.connectors.importing import DocumentImport, ImportInvalid, ImportTooLong

DESCRIPTION = """\
openapi: 3.0.3
info: {title: Warehouse, version: "1"}
servers:
  - url: https://{region}.warehouse.example/api
    variables: {region: {default: eu}}
security: [{token: []}]
paths:
  /items:
    parameters: [{$ref: "#/components/parameters/Limit"}]
    get:
      summary: List  items
      parameters:
        - {name: page, in: query, schema: {type: integer, minimum: 1}}
        - {name: state, in: query, required: true, schema: {type: string, enum: [open, closed]}}
      responses: {"200": {$ref: "#/components/responses/Items"}}
    post: {responses: {}}
  /stores/{store-id}/orders:
    get:
      operationId: listOrders
      parameters:
        - {name: cursor, in: query, schema: {type: string}}
      responses:
        "200":
          content:
            application/json:
              schema:
                type: object
                properties:
                  orders_found: {type: array, items: {$ref: "#/components/schemas/Order"}}
                  meta: {type: object, properties: {next_cursor: {type: string}}}
  /items/{id}:
    get: {responses: {"200": {content: {application/json: {schema: {$ref: "#/components/schemas/Item"}}}}}}
components:
  parameters:
    Limit: {name: limit, in: query, schema: {type: integer, maximum: 50}}
  responses:
    Items:
      content:
        application/json:
          schema: {type: array, items: {$ref: "#/components/schemas/Item"}}
  schemas:
    Named: {type: object, properties: {name: {type: string}}}
    Item:
      allOf:
        - $ref: "#/components/schemas/Named"
        - type: object
          properties:
            id: {type: integer}
            made: {type: string, format: date-time}
            parent: {$ref: "#/components/schemas/Item"}
            weight: {type: number, nullable: true}
    Order: {type: object, required: [order_no], properties: {order_no: {type: string}, total: {type: number}}}
  securitySchemes:
    token: {type: http, scheme: bearer}
"""
ITEMS, ORDERS = "/items", "/stores/{store-id}/orders"


def imported(text: str, *selected: str, address: str = "") -> DocumentImport:
    return OpenApiImporter().read(text, address, selected)


def description(**changed: Any) -> dict[str, Any]:
    return {**yaml.safe_load(DESCRIPTION), **changed}


@pytest.mark.parametrize("text", [DESCRIPTION, json.dumps(yaml.safe_load(DESCRIPTION)), "\ufeff" + DESCRIPTION])
def test_operations_that_return_arrays_are_found_in_yaml_and_json(text: str) -> None:
    found = imported(text)
    assert found.title == "Warehouse"
    assert [(one.path, one.summary, one.columns) for one in found.operations] == [
        (ITEMS, "List items", 5),
        (ORDERS, "listOrders", 2),
    ]
    assert (found.values, found.guesses) == ({}, ())


def test_selected_operations_become_the_tables_of_a_valid_document_with_marked_guesses() -> None:
    found = imported(DESCRIPTION, ITEMS, ORDERS, "/no/such")
    assert found.values["url"] == "https://eu.warehouse.example/api"
    assert found.values["parameters"] == "store-id="
    items, orders = read(found.values["definition"]).resources
    assert {name: column.data.native for name, column in items.columns.items()} == {
        "name": "text",
        "id": "bigint",
        "made": "timestamptz",
        "parent": "json",
        "weight": "double",
    }
    assert (items.path, items.key, items.query) == ("/items", ["id"], {"state": "open"})
    assert (orders.path, orders.records, orders.key) == ("/stores/${store-id}/orders", "orders_found", ["order_no"])
    pages = [yaml.safe_load(found.values["definition"])["resources"][number]["pages"] for number in (0, 1)]
    assert pages == [
        {"type": "page", "param": "page", "first": 1, "size_param": "limit", "size": 50},
        {"type": "cursor", "param": "cursor", "path": "meta.next_cursor"},
    ]
    assert [(one.table, one.subject, one.value) for one in found.guesses] == [
        ("items", "key", "id"),
        ("items", "pages", "page"),
        ("orders", "key", "order_no"),
        ("orders", "pages", "cursor"),
    ]
    assert found.values["definition"].count("# guess") == 4


def test_a_description_of_version_3_1_has_several_types_and_path_items_behind_references() -> None:
    record = {
        "type": "object",
        "properties": {"id": {"type": ["string", "null"]}, "x": {"type": ["string", "integer"]}},
    }
    answer = {"oneOf": [{"type": "null"}, {"type": "array", "items": record}]}
    operation = {"get": {"responses": {"2XX": {"content": {"application/vnd.api+json": {"schema": answer}}}}}}
    text = json.dumps(
        {
            "openapi": "3.1.0",
            "paths": {"/a~b/c.json": {"$ref": "#/components/pathItems/c~1d"}},
            "components": {"pathItems": {"c/d": operation}},
        }
    )
    [resource] = read(imported(text, "/a~b/c.json").values["definition"]).resources
    assert resource.name == "c"
    assert {name: column.data.native for name, column in resource.columns.items()} == {"id": "text", "x": "text"}


@pytest.mark.parametrize(
    ("scheme", "auth", "is_guess"),
    [
        ({"type": "http", "scheme": "Basic"}, {"type": "basic"}, False),
        ({"type": "apiKey", "in": "header", "name": "X-Key"}, {"type": "key", "header": "X-Key"}, False),
        ({"type": "apiKey", "in": "cookie", "name": "c"}, {"type": "none"}, True),
        ({"type": "openIdConnect", "openIdConnectUrl": "https://x"}, {"type": "bearer"}, True),
        (
            {
                "type": "oauth2",
                "flows": {"clientCredentials": {"tokenUrl": "https://t.example/o", "scopes": {"a": ""}}},
            },
            {"type": "oauth2", "token_url": "https://t.example/o", "scope": "a"},
            False,
        ),
    ],
)
def test_security_schemes_become_the_way_to_sign_in(scheme: dict[str, Any], auth: object, is_guess: bool) -> None:
    whole = description()
    whole["components"]["securitySchemes"] = {"token": scheme}
    found = imported(json.dumps(whole), ITEMS)
    assert yaml.safe_load(found.values["definition"])["auth"] == auth
    assert any(one.subject == "auth" for one in found.guesses) == is_guess
    assert (re.search(r"^auth: .*# guess$", found.values["definition"], re.MULTILINE) is not None) == is_guess


def _bomb() -> str:
    """Compositions that multiply: 30 references at each of 40 levels."""
    schemas = {f"S{n}": {"allOf": [{"$ref": f"#/components/schemas/S{n + 1}"}] * 30} for n in range(40)}
    return json.dumps(_with_schema({"$ref": "#/components/schemas/S0"}, schemas))


def _wide() -> str:
    """A composition of many parts, each with many properties."""
    schemas = {"W": {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(5000)}}}
    return json.dumps(_with_schema({"allOf": [{"$ref": "#/components/schemas/W"}] * 20_000}, schemas))


def _with_schema(schema: object, schemas: object) -> dict[str, Any]:
    answer = {"responses": {"200": {"content": {"application/json": {"schema": schema}}}}}
    return {"openapi": "3.0.0", "paths": {"/a": {"get": answer}}, "components": {"schemas": schemas}}


@pytest.mark.wide
@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("{}", "swagger"),
        ("swagger: '2.0'", "swagger: 2.0"),
        ("openapi: 4.0.0", "openapi: 4.0.0"),
        ("openapi: [3", "YAML, line"),
        ('{"openapi": ', "JSON"),
        ('{"a":' * 100_000, "JSON"),
        ("[" * 200_000, "YAML"),
        ("a: &a [x]\nb: [*a, *a]", "line 2: alias"),
        ("a: !!python/object/apply:os.system [true]", "YAML"),
        ("- x\n" * 1_000_000, "YAML"),
        ("#" * 4_000_001, "YAML"),
        (_bomb(), "references"),
        (_wide(), "references"),
    ],
    ids=[
        "empty", "swagger", "version", "yaml", "json", "deep-json", "deep-yaml", "alias", "tag", "many", "long", "bomb",
        "wide",
    ],
)  # fmt: skip
def test_invalid_and_endless_descriptions_are_refused_in_bounded_time(text: str, detail: str) -> None:
    begun = time.process_time()
    with pytest.raises(ImportInvalid) as refused:
        imported(text)
    assert detail in str(refused.value.facts["detail"])
    assert time.process_time() - begun < 15


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/components/schemas/A"},
        {"$ref": "https://elsewhere.example/a.json"},
        {"$ref": "#/no/such"},
        {"type": "array", "items": {"type": "string"}},
        [],
    ],
)
def test_schemas_that_lead_nowhere_are_left_out(schema: object) -> None:
    circle = {"A": {"$ref": "#/components/schemas/B"}, "B": {"$ref": "#/components/schemas/A"}}
    assert imported(json.dumps(_with_schema(schema, circle))).operations == ()


def test_a_document_that_no_connection_takes_is_refused() -> None:
    record: dict[str, Any] = {
        "type": "object",
        "properties": {f"a_rather_long_name_{n}": {"type": "string"} for n in range(490)},
    }
    record["properties"]["id"] = {"type": "string"}
    whole = _with_schema({"type": "array", "items": record}, {})
    whole["paths"] = {f"/p{n}": whole["paths"]["/a"] for n in range(5)}
    with pytest.raises(ImportTooLong):
        imported(json.dumps(whole), *whole["paths"])


def test_an_address_is_read_once_without_credentials_and_redirections_are_not_followed(service: RestService) -> None:
    service.answer = lambda asked: Reply(description(servers=[{"url": "/v2"}]))
    found = imported("", ITEMS, address=f"{service.url}/docs/openapi.json?v=1")
    [asked] = service.asked
    assert (asked.target, "authorization" in asked.headers) == ("/docs/openapi.json?v=1", False)
    assert found.values["url"] == f"{service.url}/v2"
    service.answer = lambda asked: Reply(status=302, headers={"Location": "/elsewhere"})
    with pytest.raises(ImportInvalid, match="redirects"):
        imported("", address=service.url)
    assert len(service.asked) == 2
    service.answer = lambda asked: Reply(status=503)
    with pytest.raises(SourceUnavailable):
        imported("", address=service.url)


@pytest.mark.parametrize(
    "address", ["file:///etc/passwd", "ftp://x/y", "http://u:p@host/", "http://[", "no", "http://"]
)
def test_other_addresses_are_refused(address: str) -> None:
    with pytest.raises(ImportInvalid):
        imported("", address=address)
