"""The document that the console's client is generated from."""

from functools import cache
from typing import Any

import pytest

from zcbus.control.openapi import document


@cache
def made() -> dict[str, Any]:
    """Made once: it takes seconds."""
    return document()


@pytest.mark.wide
def test_operations_have_short_unique_names_and_typed_answers() -> None:
    operations = [
        (path, method, operation) for path, methods in made()["paths"].items() for method, operation in methods.items()
    ]
    names = [operation["operationId"] for _, _, operation in operations]
    assert len(names) == len(set(names))
    assert {"session_login", "account_change_password", "common_project_version"} <= set(names)
    for path, _, operation in operations:
        content = operation["responses"]["200"]["content"]
        if set(content) == {"application/octet-stream"}:
            continue  # a file
        assert content["application/json"]["schema"].get("$ref", "").startswith("#/components/schemas/Envelope_"), path


def test_reads_by_post_are_marked() -> None:
    paths = made()["paths"]
    assert paths["/api/zcbus/account/role/menu/list"]["post"]["x-read"] is True
    assert "x-read" not in paths["/api/zcbus/sys/authentication/login"]["post"]
