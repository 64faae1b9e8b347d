"""Signing in with an identity provider opens a session only for confirmed users."""

import hmac
import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from joserfc import jwt
from joserfc.jwk import RSAKey

from tests.integration.control.platform.test_session import add_user
from tests.support.control_plane import ADMIN_PASSWORD, ControlPlane, control_plane
from tests.support.identity_provider import CLIENT_ID, CLIENT_SECRET, IdentityProvider, identity_provider
from zcbus.control.features.external_sign_in.handshake import LIFETIME
from zcbus.control.platform.attempts import PER_ADDRESS
from zcbus.control.store.tables import identity
from zcbus.control.store.tables.audit import audit_record
from zcbus.control.store.tables.parameter import parameter

BEGIN = "sys/authentication/third-party/begin"
THIRD_PARTY = "sys/authentication/login/third-party"
SERVICE_PAGE = "sys/authentication/service-ticket/page"
SERVICE_TICKET = "sys/authentication/login/service-ticket"

Answer = dict[str, Any]


@pytest.fixture
def provider() -> Iterator[IdentityProvider]:
    with identity_provider() as running:
        yield running


@pytest.fixture
def plane(provider: IdentityProvider, prepared_store: str, tmp_path: Path) -> Iterator[ControlPlane]:
    """A control plane with a provider; `olga` has an account."""
    settings = {
        "oidc_issuer": provider.address,
        "oidc_client_id": CLIENT_ID,
        "oidc_client_secret": CLIENT_SECRET,
        "oidc_name": "House ID",
        "cas_url": f"{provider.address}/cas/",
    }
    with control_plane(tmp_path, prepared_store, **settings) as running:
        provider.clock = lambda: running.clock.now().timestamp()
        add_user(running, "olga")
        yield running


def begin(plane: ControlPlane) -> Answer:
    data: Answer = plane.post(BEGIN).json()["data"]
    return data


def come_back(begun: Answer, name: str = "olga") -> dict[str, str]:
    """The browser's return from the provider, after `name` signed in there."""
    sent_back = httpx.get(begun["url"], params={**_query(begun["url"]), "name": name}).headers["Location"]
    assert urlsplit(sent_back).path == "/zcbus/thirdpart-sign-in"
    return {**_query(sent_back), "handle": begun["handle"]}


def _query(url: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}


def finish(plane: ControlPlane, body: dict[str, str]) -> Answer:
    answer: Answer = plane.post(THIRD_PARTY, body).json()
    return answer


def error_of(answer: Answer) -> tuple[int, str]:
    return answer["code"], answer["data"]["error"]


def test_the_sign_in_page_learns_what_there_is(plane: ControlPlane) -> None:
    methods = plane.get("sys/authentication/methods").json()["data"]
    ways = {
        "slide": False,
        "thirdParty": "House ID",
        "serviceTicket": True,
        "loginFree": False,
        "saml": None,
        "directory": None,
    }
    assert methods == {**ways, "longestPassword": 16}


def test_a_user_that_the_provider_confirms_is_signed_in(plane: ControlPlane) -> None:
    answer = finish(plane, come_back(begin(plane)))
    assert answer["code"] == 200, answer
    assert answer["data"]["user"]["userName"] == "olga"
    assert plane.get("auth/info", answer["data"]["token"]).json()["data"]["user"]["userName"] == "olga"
    with plane.services.database.read() as connection:
        record = connection.execute(audit_record.select().order_by(audit_record.c.id.desc())).first()
    assert record is not None
    assert (record.action, record.user_name, record.result, record.after) == (
        "external-sign-in_sign_in_third_party",
        "olga",
        "done",
        None,
    )


def test_the_question_carries_state_nonce_and_challenge(plane: ControlPlane) -> None:
    one, two = (_query(begin(plane)["url"]) for _ in range(2))
    assert (one["response_type"], one["code_challenge_method"], one["scope"]) == ("code", "S256", "openid profile")
    for name in ("state", "nonce", "code_challenge"):
        assert one[name] != two[name]


def test_a_code_is_good_once(plane: ControlPlane) -> None:
    body = come_back(begin(plane))
    assert finish(plane, body)["code"] == 200
    assert error_of(finish(plane, body)) == (300, "provider-refused")


def test_an_answer_is_good_only_in_the_browser_that_asked(plane: ControlPlane) -> None:
    mine, anothers = begin(plane), begin(plane)
    body = come_back(anothers)
    for wrong in ({**body, "handle": mine["handle"]}, {**body, "state": "x"}, {**body, "handle": "v1:x:y"}):
        assert error_of(finish(plane, wrong)) == (300, "handshake-over")
    # Even with the state of this browser the code does not fit: it was made for another challenge.
    state = _query(mine["url"])["state"]
    assert error_of(finish(plane, {**body, "state": state, "handle": mine["handle"]})) == (300, "provider-refused")


def test_a_sign_in_may_take_ten_minutes(plane: ControlPlane) -> None:
    body = come_back(begin(plane))
    plane.clock.advance(LIFETIME)
    assert error_of(finish(plane, body)) == (300, "handshake-over")


@pytest.mark.wide
@pytest.mark.parametrize(
    "change",
    [
        {"iss": "https://other.example"},
        {"aud": "other"},
        {"aud": ["zcbus", "other"]},
        {"azp": "other"},
        {"nonce": "replayed"},
        {"nonce": None},
        {"exp": 1},
        {"exp": None},
        {"iat": None},
        {"iat": 99_999_999_999},
        {"preferred_username": None},
        {"preferred_username": ["olga"]},
    ],
    ids=str,
)
def test_a_token_with_a_wrong_claim_opens_nothing(
    plane: ControlPlane, provider: IdentityProvider, change: dict[str, Any]
) -> None:
    provider.claims = lambda claims: {n: v for n, v in {**claims, **change}.items() if v is not None}
    assert error_of(finish(plane, come_back(begin(plane)))) == (300, "provider-refused")


def test_a_token_that_the_provider_did_not_sign_opens_nothing(plane: ControlPlane, provider: IdentityProvider) -> None:
    other = RSAKey.generate_key(2048)
    forgeries = (
        lambda claims: jwt.encode({"alg": "RS256", "kid": "one"}, claims, other),
        # The public key taken for a shared secret, and no signature at all.
        lambda claims: _signed_with_secret(claims, provider.key.as_pem(private=False)),
        lambda claims: "eyJhbGciOiJub25lIn0." + provider.signed(claims).split(".")[1] + ".",
        lambda claims: "no token",
    )
    for forged in forgeries:
        provider.sign = forged
        assert error_of(finish(plane, come_back(begin(plane)))) == (300, "provider-refused")


def _signed_with_secret(claims: dict[str, Any], secret: bytes) -> str:
    """HS256 by hand: the library refuses to misuse a public key so."""
    parts = [json.dumps(part).encode() for part in ({"alg": "HS256", "kid": "one"}, claims)]
    signed = b".".join(urlsafe_b64encode(part).rstrip(b"=") for part in parts)
    mac = urlsafe_b64encode(hmac.new(secret, signed, "sha256").digest()).rstrip(b"=")
    return (signed + b"." + mac).decode()


def test_a_document_of_another_issuer_is_not_believed(plane: ControlPlane, provider: IdentityProvider) -> None:
    begun = come_back(begin(plane))
    provider.issuer = "https://other.example"
    assert plane.post(BEGIN).json()["data"]["error"] == "provider-unreachable"
    assert error_of(finish(plane, begun)) == (300, "provider-unreachable")


def test_only_ordinary_accounts_of_this_platform_are_opened(plane: ControlPlane) -> None:
    for name in ("nobody", "admin"):
        answer = finish(plane, come_back(begin(plane), name))
        assert error_of(answer) == (300, "no-account")
        assert name in answer["message"]
    with plane.services.database.write() as connection:
        connection.execute(identity.user.update().where(identity.user.c.user_name == "olga").values(status="1"))
    assert error_of(finish(plane, come_back(begin(plane)))) == (300, "account-disabled")


@pytest.mark.wide
def test_guessing_codes_is_limited_per_address(plane: ControlPlane) -> None:
    handle = begin(plane)
    body = {"code": "guess", "state": _query(handle["url"])["state"], "handle": handle["handle"]}
    statuses = [plane.post(THIRD_PARTY, body).status_code for _ in range(PER_ADDRESS.free + 1)]
    assert statuses == [200] * PER_ADDRESS.free + [429]


def test_a_service_ticket_opens_one_session(plane: ControlPlane, provider: IdentityProvider) -> None:
    service = _query(plane.post(SERVICE_PAGE).json()["data"]["url"])["service"]
    assert urlsplit(service).path == "/zcbus/servicepart-sign-in"
    ticket = {"ticket": provider.ticket_for(service, "olga")}
    answer = plane.post(SERVICE_TICKET, ticket).json()
    assert answer["data"]["user"]["userName"] == "olga"
    assert error_of(plane.post(SERVICE_TICKET, ticket).json()) == (300, "provider-refused")


def test_a_ticket_for_another_service_or_name_opens_nothing(plane: ControlPlane, provider: IdentityProvider) -> None:
    foreign = provider.ticket_for("https://other.example/", "olga")
    assert error_of(plane.post(SERVICE_TICKET, {"ticket": foreign}).json()) == (300, "provider-refused")
    service = _query(plane.post(SERVICE_PAGE).json()["data"]["url"])["service"]
    admin = provider.ticket_for(service, "admin")
    assert error_of(plane.post(SERVICE_TICKET, {"ticket": admin}).json()) == (300, "no-account")
    injected = provider.ticket_for(service, "</cas:user><cas:user>olga")
    assert error_of(plane.post(SERVICE_TICKET, {"ticket": injected}).json()) == (300, "no-account")


def test_a_ticket_for_another_site_does_not_count_because_its_request_names_that_site(
    plane: ControlPlane, provider: IdentityProvider
) -> None:
    foreign = {"ticket": provider.ticket_for("http://other.example/zcbus/servicepart-sign-in", "olga")}
    for path, body in ((SERVICE_TICKET, foreign), (SERVICE_PAGE, {}), (BEGIN, {})):
        answer = plane.client.post(f"/api/zcbus/{path}", json=body, headers={"Host": "other.example"}).json()
        assert error_of(answer) == (300, "public-address-needed")


def test_providers_and_requests_know_the_configured_address_only(provider: IdentityProvider, tmp_path: Path) -> None:
    settings = {"public_address": "https://bus.example/", "other_hosts": "bus.internal"}
    with control_plane(tmp_path, cas_url=f"{provider.address}/cas", **settings) as plane:
        add_user(plane, "olga")
        service = _query(plane.post(SERVICE_PAGE).json()["data"]["url"])["service"]
        assert service == "https://bus.example/zcbus/servicepart-sign-in"
        ticket = {"ticket": provider.ticket_for(service, "olga")}
        assert plane.post(SERVICE_TICKET, ticket).json()["data"]["user"]["userName"] == "olga"

        def status(host: str) -> int:
            return plane.client.get("/healthz", headers={"Host": host}).status_code

        for known in ("bus.example", "BUS.example:8443", "bus.internal", "localhost:1", "10.0.0.5", "[::1]:8080"):
            assert status(known) == 200, known
        for unknown in ("other.example", "bus.example.other.example", "bus.example@other.example", "", "[::1"):
            assert status(unknown) == 421, unknown
        refused = plane.client.get("/healthz", headers={"Host": "other.example"})
        assert error_of(refused.json()) == (421, "host-unknown")


def test_without_a_provider_these_ways_are_closed(tmp_path: Path) -> None:
    with control_plane(tmp_path) as plane:
        methods = plane.get("sys/authentication/methods").json()["data"]
        ways = {
            "slide": False,
            "thirdParty": None,
            "serviceTicket": False,
            "loginFree": False,
            "saml": None,
            "directory": None,
        }
        assert methods == {**ways, "longestPassword": 16}
        for path, body in (
            (BEGIN, {}),
            (THIRD_PARTY, {"code": "x", "state": "x", "handle": "x"}),
            (SERVICE_PAGE, {}),
            (SERVICE_TICKET, {"ticket": "x"}),
        ):
            assert error_of(plane.post(path, body).json()) == (300, "external-sign-in-absent")


def test_people_whose_console_is_elsewhere_are_sent_there_without_a_session(plane: ControlPlane) -> None:
    elsewhere = "https://north.example/zcbus/"
    with plane.services.database.write() as connection:
        row = parameter.c.variable_name == "front_addresses"
        connection.execute(parameter.update().where(row).values(value={"default": elsewhere}))
    answer = plane.post("sys/authentication/login", {"userName": "admin", "password": "wrong"}).json()
    assert answer["code"] == 40106
    for answer in (finish(plane, come_back(begin(plane))), _password_login(plane)):
        assert (answer["data"]["token"], answer["data"]["user"], answer["data"]["frontAddress"]) == (
            "",
            None,
            elsewhere,
        )
    with plane.services.database.read() as connection:
        assert "session" not in {row.kind for row in connection.execute(identity.session.select())}


def _password_login(plane: ControlPlane) -> Answer:
    body = {"userName": "admin", "password": ADMIN_PASSWORD}
    answer: Answer = plane.post("sys/authentication/login", body).json()
    return answer
