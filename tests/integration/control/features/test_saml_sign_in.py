"""Signing in with SAML: a real identity provider (pysaml2) proves users, each response counts once, in one browser."""

import base64
import os
import shutil
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from lxml import etree

from tests.integration.control.platform.test_session import add_user
from tests.servers.saml_idp import SamlProviderServer
from tests.support.control_plane import ControlPlane, control_plane
from tests.support.saml_responses import metadata, signing
from zcbus.control.features.external_sign_in import saml, saml_store
from zcbus.control.platform.attempts import PER_ADDRESS
from zcbus.control.platform.middleware import MAX_ANONYMOUS_BYTES
from zcbus.control.store.tables import identity
from zcbus.control.store.tables.audit import audit_record
from zcbus.control.store.tables.saml import saml_key, used_assertion
from zcbus.kit.confined import Confined, Overrun

BEGIN = "sys/authentication/saml/begin"
RESPONSE = "sys/authentication/saml/response"
SIGN_IN = "sys/authentication/login/saml"
ASSERTION = "urn:oasis:names:tc:SAML:2.0:assertion"
METADATA = "sys/authentication/saml/metadata"

Answer = dict[str, Any]


@pytest.fixture(scope="module")
def idp() -> Iterator[SamlProviderServer]:
    running = SamlProviderServer()
    try:
        yield running
    finally:
        running.remove()


@pytest.fixture(scope="module")
def reader() -> Iterator[Confined]:
    """One child reads all responses here: its start takes a third of a second of the processor."""
    with closing(Confined(saml._MEMORY, saml._SECONDS)) as child:
        # The child ends with the thread that started it.
        child.call(len, "")
        yield child


class _KeptReader:
    def __init__(self, child: Confined) -> None:
        self.call = child.call

    def close(self) -> None:
        """It is used again."""


@pytest.fixture(autouse=True)
def _one_reader(reader: Confined, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saml, "Confined", lambda *_: _KeptReader(reader))


@pytest.fixture(scope="module")
def plane(
    idp: SamlProviderServer, prepared_sqlite: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ControlPlane]:
    """A control plane that the provider knows by its metadata; `olga` has an account."""
    settings = {"saml_metadata": idp.metadata, "saml_name": "House SAML"}
    folder = tmp_path_factory.mktemp("saml")
    shutil.copytree(prepared_sqlite, folder, dirs_exist_ok=True)
    with control_plane(folder, f"sqlite:///{folder}/store.db", **settings) as running:
        _set_clock(running)
        idp.trust(running.get(METADATA).text)
        add_user(running, "olga")
        yield running


@pytest.fixture(autouse=True)
def _now(plane: ControlPlane) -> None:
    """The provider's clock is the real one."""
    _set_clock(plane)


def _set_clock(plane: ControlPlane) -> None:
    plane.clock.advance(datetime.now(UTC) - plane.clock.now())


def begin(plane: ControlPlane) -> Answer:
    data: Answer = plane.post(BEGIN).json()["data"]
    return data


def deliver(plane: ControlPlane, answered: dict[str, str]) -> str:
    """Post the provider's answer as its page does, from another site; the ticket that the browser is led away with."""
    path = urlsplit(answered["action"]).path
    body = {"SAMLResponse": answered["SAMLResponse"]}
    answer = plane.client.post(path, data=body, headers={"Origin": "http://idp.example"})
    assert answer.status_code == 303, answer.text
    sent_to = urlsplit(answer.headers["Location"])
    assert sent_to.path == "/zcbus/saml-sign-in"
    [ticket] = parse_qs(sent_to.query)["ticket"]
    return ticket


def finish(plane: ControlPlane, ticket: str, begun: Answer, language: str = "en") -> Answer:
    body = {"ticket": ticket, "handle": begun["handle"]}
    answer: Answer = plane.post(SIGN_IN, body, language=language).json()
    return answer


def error_of(answer: Answer) -> tuple[int, str]:
    return answer["code"], answer["data"]["error"]


@pytest.mark.parametrize("sign", ["assertion", "response", "both"])
def test_a_user_that_the_provider_proves_is_signed_in(plane: ControlPlane, idp: SamlProviderServer, sign: str) -> None:
    begun = begin(plane)
    answer = finish(plane, deliver(plane, idp.answer(begun["url"], "olga", sign)), begun)
    assert answer["code"] == 200, answer
    assert plane.get("auth/info", answer["data"]["token"]).json()["data"]["user"]["userName"] == "olga"
    with plane.services.database.read() as connection:
        record = connection.execute(audit_record.select().order_by(audit_record.c.id.desc())).first()
    assert record is not None
    found = (record.action, record.user_name, record.result, record.after)
    assert found == ("external-sign-in_sign_in_saml", "olga", "done", None)


def test_a_response_counts_once_and_in_the_browser_that_asked(plane: ControlPlane, idp: SamlProviderServer) -> None:
    mine, anothers = begin(plane), begin(plane)
    answered = idp.answer(mine["url"], "olga")
    ticket = deliver(plane, answered)
    assert error_of(finish(plane, ticket, anothers)) == (300, "handshake-over")
    assert finish(plane, ticket, mine)["code"] == 200
    assert error_of(finish(plane, ticket, mine)) == (300, "provider-refused")
    assert error_of(finish(plane, deliver(plane, answered), mine)) == (300, "provider-refused")
    # What was used is remembered for as long as it could be used: this provider's responses are good for an hour.
    plane.clock.advance(timedelta(hours=2))
    now = plane.clock.now()
    assert saml_store.use_once(plane.services, "new", now + timedelta(minutes=1))
    with plane.services.database.read() as connection:
        [row] = connection.execute(used_assertion.select()).all()
    assert row.expires_at > now


def test_a_ticket_has_two_minutes_and_a_request_ten(plane: ControlPlane, idp: SamlProviderServer) -> None:
    begun = begin(plane)
    ticket = deliver(plane, idp.answer(begun["url"], "olga"))
    plane.clock.advance(saml.TICKET_LIFETIME)
    assert error_of(finish(plane, ticket, begun)) == (300, "handshake-over")
    for forged in ("v1:x:y", "-", begun["handle"]):
        assert error_of(finish(plane, forged, begun)) == (300, "handshake-over")


def test_the_provider_answers_signed_requests_only(plane: ControlPlane, idp: SamlProviderServer) -> None:
    """That pysaml2 accepts a request proves its signature; that it refuses a changed one, that it looked."""
    url = begin(plane)["url"]
    other = parse_qs(urlsplit(begin(plane)["url"]).query)["SAMLRequest"][0]
    own = parse_qs(urlsplit(url).query)["SAMLRequest"][0]
    changed = url.replace(urlencode({"x": own})[2:], urlencode({"x": other})[2:])
    assert changed != url
    assert idp.answer(url, "olga")["action"].endswith(RESPONSE)
    with pytest.raises(httpx.HTTPStatusError):
        idp.answer(changed, "olga")


def test_what_proves_no_one_opens_nothing_and_says_so_in_both_languages(
    plane: ControlPlane, idp: SamlProviderServer
) -> None:
    begun = begin(plane)
    answered = idp.answer(begun["url"], "olga")
    text = base64.b64decode(answered["SAMLResponse"]).decode()
    changed = base64.b64encode(text.replace(">olga<", ">admin<").encode()).decode()
    for response in (changed, "", "%%%", base64.b64encode(b"<!DOCTYPE x>").decode()):
        ticket = deliver(plane, {**answered, "SAMLResponse": response})
        answer = finish(plane, ticket, begun)
        assert error_of(answer) == (300, "provider-refused")
        assert answer["message"].startswith("The identity provider did not confirm this sign-in")
        assert finish(plane, ticket, begun, "zh")["message"] == "身份认证未通过，请重新登录"
    # The refused ones used nothing up.
    assert finish(plane, deliver(plane, answered), begun)["code"] == 200


def test_an_encrypted_assertion_is_refused_in_words_that_help(plane: ControlPlane, idp: SamlProviderServer) -> None:
    begun = begin(plane)
    answered = idp.answer(begun["url"], "olga")
    response = etree.fromstring(base64.b64decode(answered["SAMLResponse"]))
    assertion = response.find(f"{{{ASSERTION}}}Assertion")
    response.replace(assertion, _encrypted(etree.tostring(assertion)))
    hidden = base64.b64encode(etree.tostring(response)).decode()
    ticket = deliver(plane, {**answered, "SAMLResponse": hidden})
    answer = finish(plane, ticket, begun)
    assert error_of(answer) == (300, "saml-assertion-encrypted")
    assert "encrypts its assertions, which is not supported" in answer["message"]
    assert "平台不支持" in finish(plane, ticket, begun, "zh")["message"]
    assert finish(plane, deliver(plane, answered), begun)["code"] == 200


def _encrypted(assertion: bytes) -> Any:
    """As a provider would encrypt it for a key that the platform does not have."""
    nonce, key = os.urandom(12), AESGCM.generate_key(128)
    text = base64.b64encode(nonce + AESGCM(key).encrypt(nonce, assertion, None)).decode()
    return etree.fromstring(
        f'<e:EncryptedAssertion xmlns:e="{ASSERTION}" xmlns:x="http://www.w3.org/2001/04/xmlenc#">'
        '<x:EncryptedData Type="http://www.w3.org/2001/04/xmlenc#Element">'
        '<x:EncryptionMethod Algorithm="http://www.w3.org/2009/xmlenc11#aes128-gcm"/>'
        f"<x:CipherData><x:CipherValue>{text}</x:CipherValue></x:CipherData></x:EncryptedData></e:EncryptedAssertion>"
    )


def test_each_response_is_read_in_a_limited_process_of_its_own(
    plane: ControlPlane, idp: SamlProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saml, "Confined", Confined)
    begun = begin(plane)
    answered = idp.answer(begun["url"], "olga")
    assert finish(plane, deliver(plane, answered), begun)["code"] == 200
    # What needs more than it may have is ended; that it is, `test_confined` proves.
    monkeypatch.setattr(saml, "Confined", _Overrunning)
    assert error_of(finish(plane, deliver(plane, answered), begun)) == (300, "provider-refused")


class _Overrunning:
    def __init__(self, *_: object) -> None:
        """As its model."""

    def call(self, *_: object) -> None:
        raise Overrun

    def close(self) -> None:
        """As its model."""


def test_only_ordinary_accounts_of_this_platform_are_opened(plane: ControlPlane, idp: SamlProviderServer) -> None:
    for name in ("nobody", "admin"):
        begun = begin(plane)
        answer = finish(plane, deliver(plane, idp.answer(begun["url"], name)), begun)
        assert error_of(answer) == (300, "no-account")
        assert name in answer["message"]
    user = identity.user
    with plane.services.database.write() as connection:
        connection.execute(user.update().where(user.c.user_name == "olga").values(status="1"))
    begun = begin(plane)
    answer = finish(plane, deliver(plane, idp.answer(begun["url"], "olga")), begun)
    with plane.services.database.write() as connection:
        connection.execute(user.update().where(user.c.user_name == "olga").values(status="0"))
    assert error_of(answer) == (300, "account-disabled")


def test_large_forms_and_many_are_refused(plane: ControlPlane, monkeypatch: pytest.MonkeyPatch) -> None:
    large = {"SAMLResponse": "A" * MAX_ANONYMOUS_BYTES}
    assert plane.client.post(f"/api/zcbus/{RESPONSE}", data=large).status_code == 413
    begun = begin(plane)
    form = {"action": f"/api/zcbus/{RESPONSE}", "SAMLResponse": "AAAA"}
    monkeypatch.setattr(saml, "read_form", _refuse)
    tickets = [deliver(plane, form) for _ in range(PER_ADDRESS.free + 1)]
    answer = plane.post(SIGN_IN, {"ticket": tickets[-1], "handle": begun["handle"]})
    assert answer.status_code == 429
    with plane.services.database.write() as connection:
        connection.execute(identity.login_failure.delete())


def _refuse(*_: object) -> None:
    raise saml.ProviderRefusedError


def test_all_control_planes_over_a_store_sign_with_one_key(plane: ControlPlane) -> None:
    first = saml_store.own_key(plane.services)
    assert saml_store.own_key(plane.services) == first
    with plane.services.database.read() as connection:
        [row] = connection.execute(saml_key.select()).all()
    assert "PRIVATE KEY" in first.key.decode()
    assert row.sealed_key.startswith("v1:")


def test_only_the_configured_address_is_named_to_the_provider(prepared_store: str, tmp_path: Path) -> None:
    file = tmp_path / "idp.xml"
    file.write_text(metadata(signing()))
    settings = {"saml_metadata": str(file), "saml_user_attribute": "uid", "saml_entity_id": "urn:bus"}
    with control_plane(tmp_path, prepared_store, **settings) as plane:
        elsewhere = {"Host": "other.example"}
        for path in (BEGIN, RESPONSE):
            refused = plane.client.post(f"/api/zcbus/{path}", content=b"SAMLResponse=AAAA", headers=elsewhere)
            assert error_of(refused.json()) == (300, "public-address-needed")
    with control_plane(tmp_path, prepared_store, public_address="https://bus.example", **settings) as plane:
        assert plane.get("sys/authentication/methods").json()["data"]["saml"] == "SAML"
        url = plane.post(BEGIN).json()["data"]["url"]
        assert url.startswith("https://idp.example/sso?SAMLRequest=")
        text = plane.get(METADATA)
        assert text.headers["Content-Type"].startswith("application/samlmetadata+xml")
        assert 'entityID="urn:bus"' in text.text
        assert f'Location="https://bus.example/api/zcbus/{RESPONSE}"' in text.text


def test_without_a_provider_this_way_is_closed(prepared_store: str, tmp_path: Path) -> None:
    with control_plane(tmp_path, prepared_store) as plane:
        assert plane.get("sys/authentication/methods").json()["data"]["saml"] is None
        calls = [plane.post(BEGIN), plane.get(METADATA), plane.post(SIGN_IN, {"ticket": "x", "handle": "x"})]
        calls.append(plane.client.post(f"/api/zcbus/{RESPONSE}", data={"SAMLResponse": "AAAA"}))
        assert {error_of(answer.json()) for answer in calls} == {(300, "external-sign-in-absent")}
