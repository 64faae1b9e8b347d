"""Where a stored secret goes when the options next to it change, and how long an option may be."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
from sqlalchemy import Row

from zcbus.connectors.options import OptionsInvalid, OptionValue, parse
from zcbus.connectors.registry import KINDS
from zcbus.connectors.spec import KindSpec
from zcbus.control.features.datasource import connections
from zcbus.control.features.datasource.errors import OptionInvalidError, PasswordNeededError
from zcbus.control.features.datasource.schemas import MAX_OPTION_LENGTH, ConnectionInput
from zcbus.control.platform.secrets import SecretBox

BOX = SecretBox({"k": b"0" * 32})
DOCUMENT = "resources: [{name: t, path: /t, key: [id], columns: {id: bigint}}]"
INTERFACE = {"kind": "http", "url": "https://api.example.com", "definition": DOCUMENT, "account": "me"}
SERVER = {"kind": "postgresql", "host": "db", "port": 5432, "user": "u", "database": "d"}


def given(values: dict[str, Any], **changes: Any) -> ConnectionInput:
    return ConnectionInput.model_validate({**values, **changes})


def stored(values: dict[str, Any], **secrets: str) -> Row[Any]:
    connected = connections.wire(given(values, **secrets), "t")
    sealed = {
        name: BOX.seal(value.get_secret_value(), f"data-source:1:{name}") for name, value in connected.secrets.items()
    }
    row = SimpleNamespace(id="1", kind=values["kind"], options=connected.options, secrets=sealed)
    return cast("Row[Any]", row)


def test_a_reference_is_an_option_and_stays_where_the_server_stays() -> None:
    text = "${env:ZCBUS_SECRET_DB}"
    connected = connections.wire(given(SERVER, password=text), "t")
    assert (connected.options["password"], connected.secrets) == (text, {})
    row = stored(SERVER, password=text)
    assert connections.merge(BOX, row, given(SERVER), "source").options["password"] == text
    assert connections.record(row).model_dump()["password"] == text
    with pytest.raises(PasswordNeededError):
        connections.merge(BOX, row, given(SERVER, host="evil"), "source")
    with pytest.raises(OptionInvalidError, match="password"):
        connections.check(given(SERVER, password="${vault:secret/db}"), "source")


@pytest.mark.parametrize(
    ("values", "name", "change"),
    [
        (INTERFACE, "secret", {"url": "https://evil.example"}),
        (INTERFACE, "secret", {"definition": DOCUMENT.replace("/t", "/u")}),
        (INTERFACE, "refresh", {"account": "you"}),
        (SERVER, "password", {"host": "evil"}),
        (SERVER, "password", {"tls": "disable"}),
    ],
)
def test_a_stored_secret_goes_nowhere_else(values: dict[str, Any], name: str, change: dict[str, Any]) -> None:
    row = stored(values, **{name: "right"})
    with pytest.raises(PasswordNeededError):
        connections.merge(BOX, row, given(values, **change), "source")
    assert connections.merge(BOX, row, given(values, **change, **{name: "new"}), "source").options[name] == "new"


@pytest.mark.parametrize(
    ("values", "name", "change"),
    [(INTERFACE, "secret", {"interval": 5}), (INTERFACE, "secret", {}), (SERVER, "password", {"database": "other"})],
)
def test_at_the_same_place_a_stored_secret_stays(values: dict[str, Any], name: str, change: dict[str, Any]) -> None:
    merged = connections.merge(BOX, stored(values, **{name: "right"}), given(values, **change), "source")
    assert merged.options[name] == "right"


def test_a_connection_without_secret_changes_without_one() -> None:
    merged = connections.merge(BOX, stored(INTERFACE), given(INTERFACE, url="https://other.example"), "source")
    assert merged.options["url"] == "https://other.example"


def test_each_option_keeps_its_own_limit() -> None:
    connections.check(given(SERVER, user="u" * 128), "source")
    with pytest.raises(OptionInvalidError):
        connections.check(given(SERVER, user="u" * 129), "source")
    for kind in KINDS.values():
        for option in kind.spec.options:
            if option.type in ("text", "secret", "document"):
                assert option.maximum <= MAX_OPTION_LENGTH
                with pytest.raises(OptionsInvalid) as caught:
                    parse(kind.spec.model, {**_least(kind.spec), option.name: "x" * (option.maximum + 1)})
                assert caught.value.facts["option"] == option.name


def _least(spec: KindSpec) -> dict[str, OptionValue]:
    """What a connection cannot be without."""
    examples = {"url": "https://x", "servers": "x:1", "definition": DOCUMENT, "verification": "none"}
    needed = (option for option in spec.options if option.required)
    return {one.name: one.minimum if one.type == "integer" else examples.get(one.name, "x") for one in needed}
