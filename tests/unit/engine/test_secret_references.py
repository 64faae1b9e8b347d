"""Connections whose password is kept elsewhere."""

import pytest
from pydantic import SecretStr

from zcbus.connectors.errors import RouteMissing
from zcbus.connectors.options import OptionsInvalid, parse, public_document, references_in
from zcbus.connectors.registry import spec_of
from zcbus.engine.connections import options_of
from zcbus.kit.secret_references import ReferenceMissing
from zcbus.protocol.base import Connection, NetworkRoute

SERVER: dict[str, str | int] = {"host": "db", "port": 5432, "user": "u", "database": "d"}
TEXT = "${env:ZCBUS_SECRET_DB}"
MODEL = spec_of("postgresql").model


@pytest.fixture(autouse=True)
def allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZCBUS_REFERENCE_ENV", "ZCBUS_SECRET_")


def connection(**options: str) -> Connection:
    return Connection(kind="postgresql", options={**SERVER, **options}, tenant="t")


def test_each_connection_takes_the_secret_as_it_is_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZCBUS_SECRET_DB", "first")
    options = options_of(connection(password=TEXT))
    assert (options.password, options.secrets()["password"]) == ("first", "first")
    monkeypatch.setenv("ZCBUS_SECRET_DB", "second")
    assert options.password == "second"
    assert "second" not in f"{options!r} {options.document()}"


def test_a_reference_that_leads_nowhere_is_reported_before_a_connection() -> None:
    with pytest.raises(ReferenceMissing) as raised:
        options_of(connection(password=TEXT))
    assert raised.value.facts == {"reference": TEXT, "detail": "not set"}


def test_a_secret_in_the_form_of_a_reference_is_a_secret_to_agents(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZCBUS_SECRET_DB", "other")
    sealed = connection().model_copy(update={"secrets": {"password": SecretStr(TEXT)}})
    assert options_of(sealed).password == TEXT


def routed(**references: str) -> Connection:
    route = NetworkRoute(name="site-a", kind="ssh", host="bastion", port=22, user="ops", references=references)
    return connection(route="site-a", password="p").model_copy(update={"referring_route": route})


def test_a_route_takes_its_secrets_as_they_are_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZCBUS_SECRET_DB", "first")
    way = options_of(routed(password=TEXT)).way
    assert way.secrets() == ("first", "")
    monkeypatch.setenv("ZCBUS_SECRET_DB", "second")
    assert way.secrets() == ("second", "")
    assert "second" not in repr(way)


def test_a_reference_of_a_route_that_leads_nowhere_is_reported_before_a_connection() -> None:
    with pytest.raises(ReferenceMissing):
        options_of(routed(key=TEXT))


def test_an_older_agent_finds_no_route_rather_than_one_without_its_secret() -> None:
    # It ignores the field that it does not know.
    sent = routed(password=TEXT).model_dump(mode="json", exclude={"referring_route"})
    assert TEXT not in str(sent)
    with pytest.raises(RouteMissing):
        options_of(Connection.model_validate(sent))


def test_an_older_agent_refuses_options_rather_than_send_a_reference_as_a_password(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ZCBUS_SECRET_DB", "first")
    sent = connection(password=TEXT).model_dump(mode="json")
    with pytest.raises(OptionsInvalid, match="password_reference"):
        parse(MODEL, sent["options"])
    assert options_of(Connection.model_validate(sent)).password == "first"
    # What an agent kept before the names were marked.
    sent["options"]["password"] = sent["options"].pop("password_reference")
    assert options_of(Connection.model_validate(sent)).password == "first"


def test_references_are_shown_and_secrets_are_not() -> None:
    assert public_document(MODEL, {**SERVER, "password": TEXT})["password"] == TEXT
    assert "password" not in public_document(MODEL, {**SERVER, "password": "secret"})
    assert references_in(MODEL, {**SERVER, "password": TEXT, "user": TEXT}) == {"password": TEXT}
    assert "password" not in public_document(MODEL, {**SERVER, "password": "${env:A-B}"})
    with pytest.raises(OptionsInvalid, match="password"):
        references_in(MODEL, {**SERVER, "password": "${env:A-B}"})
    assert parse(MODEL, {**SERVER, "password": TEXT}).password == TEXT
