"""Bodies encrypted as the contract says, by a client that shares no code with the server."""

import base64
import json
import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from tests.support.control_plane import ADMIN_PASSWORD, ControlPlane, control_plane
from zcbus.cli.http import Api, ApiError
from zcbus.control.platform import encrypted_body

LOGIN = "/api/zcbus/sys/authentication/login"
CREDENTIALS = {"userName": "admin", "password": ADMIN_PASSWORD}


@pytest.fixture
def plane(tmp_path: Path) -> Iterator[ControlPlane]:
    with control_plane(tmp_path, product="acme") as running:
        yield running


def key_of(plane: ControlPlane) -> dict[str, str]:
    key: dict[str, str] = plane.get("sys/authentication/key").json()["data"]
    return key


def encrypt(key: dict[str, str], body: object, method_and_path: str) -> dict[str, str]:
    own = X25519PrivateKey.generate()
    shared = own.exchange(X25519PublicKey.from_public_bytes(base64.b64decode(key["publicKey"])))
    content_key = HKDF(SHA256(), 32, salt=None, info=b"zcbus-body").derive(shared)
    iv = os.urandom(12)
    ciphertext = AESGCM(content_key).encrypt(iv, json.dumps(body).encode(), method_and_path.encode())
    parts = {"epk": own.public_key().public_bytes_raw(), "iv": iv, "ct": ciphertext}
    return {"kid": key["kid"], **{name: base64.b64encode(part).decode() for name, part in parts.items()}}


def send(plane: ControlPlane, body: Any, path: str = LOGIN) -> httpx.Response:
    return plane.client.post(path, content=json.dumps(body), headers={"Content-Type": "application/zcbus+json"})


@pytest.mark.parametrize("path", [LOGIN, LOGIN.replace("zcbus", "acme")])
def test_an_encrypted_login_opens_a_session(plane: ControlPlane, path: str) -> None:
    answer = send(plane, encrypt(key_of(plane), CREDENTIALS, f"POST|{path}"), path)
    assert answer.json()["code"] == 200


def test_decrypted_bodies_are_validated(plane: ControlPlane) -> None:
    answer = send(plane, encrypt(key_of(plane), {"userName": "admin"}, f"POST|{LOGIN}"))
    assert (answer.status_code, answer.json()["data"]["fields"][0]["field"]) == (422, "password")
    nul = send(plane, encrypt(key_of(plane), {**CREDENTIALS, "userName": "\u0000"}, f"POST|{LOGIN}"))
    assert nul.json()["data"]["error"] == "nul-character"


def test_a_body_meant_for_another_call_does_not_open(plane: ControlPlane) -> None:
    body = encrypt(key_of(plane), CREDENTIALS, "POST|/api/zcbus/sys/authentication/logout")
    answer = send(plane, body)
    assert (answer.status_code, answer.json()["data"]["error"]) == (422, "body-unreadable")


def test_a_key_is_good_for_its_hour_and_the_next(plane: ControlPlane) -> None:
    key = key_of(plane)
    plane.clock.advance(timedelta(hours=1))
    assert send(plane, encrypt(key, CREDENTIALS, f"POST|{LOGIN}")).json()["code"] == 200
    assert key_of(plane)["kid"] != key["kid"]
    plane.clock.advance(timedelta(hours=1))
    answer = send(plane, encrypt(key, CREDENTIALS, f"POST|{LOGIN}"))
    assert (answer.status_code, answer.json()["data"]["error"]) == (422, "body-key-unknown")


def test_a_replayed_body_is_refused_in_every_encoding(plane: ControlPlane) -> None:
    body = encrypt(key_of(plane), CREDENTIALS, f"POST|{LOGIN}")
    assert send(plane, body).json()["code"] == 200
    point = bytearray(base64.b64decode(body["epk"]))
    point[31] |= 0x80  # X25519 ignores this bit
    for again in (body, {**body, "epk": base64.b64encode(point).decode()}):
        answer = send(plane, again)
        assert (answer.status_code, answer.json()["data"]["error"]) == (422, "body-replayed")


def test_as_many_bodies_as_can_be_remembered_are_taken(plane: ControlPlane, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encrypted_body, "MAX_REMEMBERED", 1)
    assert send(plane, encrypt(key_of(plane), CREDENTIALS, f"POST|{LOGIN}")).json()["code"] == 200
    assert send(plane, encrypt(key_of(plane), CREDENTIALS, f"POST|{LOGIN}")).status_code == 429
    plane.clock.advance(timedelta(hours=4))
    assert send(plane, encrypt(key_of(plane), CREDENTIALS, f"POST|{LOGIN}")).json()["code"] == 200


@pytest.mark.parametrize(
    "change",
    [{"ct": ""}, {"ct": "AAAA"}, {"iv": "AA=="}, {"epk": "AA=="}, {"epk": "é"}, {"epk": 7}, {"epk": "A" * 43 + "="}],
)
def test_broken_bodies_are_refused(plane: ControlPlane, change: dict[str, object]) -> None:
    body: dict[str, object] = {**encrypt(key_of(plane), CREDENTIALS, f"POST|{LOGIN}"), **change}
    answer = send(plane, body)
    assert (answer.status_code, answer.json()["data"]["error"]) == (422, "body-unreadable")


@pytest.mark.parametrize("body", [None, [], "text", {}, {"kid": "x"}])
def test_bodies_of_another_shape_are_refused(plane: ControlPlane, body: object) -> None:
    assert send(plane, body).status_code == 422


def test_a_password_in_the_clear_is_taken_from_this_host_and_over_tls_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "127.0.0.1")
    far_away = {"X-Forwarded-For": "10.0.0.7"}
    with control_plane(tmp_path) as plane:
        assert plane.client.post(LOGIN, json=CREDENTIALS).json()["code"] == 200
        clear = plane.client.post(LOGIN, json=CREDENTIALS, headers=far_away)
        assert (clear.status_code, clear.json()["data"]["error"]) == (422, "encryption-required")
        over_tls = plane.client.post(LOGIN, json=CREDENTIALS, headers={**far_away, "X-Forwarded-Proto": "https"})
        assert over_tls.json()["code"] == 200
        body = encrypt(key_of(plane), CREDENTIALS, f"POST|{LOGIN}")
        headers = {**far_away, "Content-Type": "application/zcbus+json"}
        assert plane.client.post(LOGIN, content=json.dumps(body), headers=headers).json()["code"] == 200
        change = plane.client.post("/api/zcbus/account/user/change/password", json={}, headers=far_away)
        assert change.json()["data"]["error"] == "encryption-required"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("sync/link/apply", {"links": [{"source": {"kind": "postgresql", "password": "s3cret"}}]}),
        ("dynamic/datasource/test-db-parameter", {"busClientDbParameterList": [{"kind": "mysql", "password": "x"}]}),
        ("subscribe/database/add", {"connection": {"kind": "mysql", "password": "s3cret"}}),
    ],
)
def test_a_database_s_password_in_the_clear_is_refused_from_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, body: object
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "127.0.0.1")
    with control_plane(tmp_path) as plane:
        far_away = {"X-Forwarded-For": "10.0.0.7", "ZCBUS-TOKEN": plane.local_token()}
        clear = plane.client.post(f"/api/zcbus/{path}", json=body, headers=far_away)
        assert (clear.status_code, clear.json()["data"]["error"]) == (422, "encryption-required")


def test_the_command_line_encrypts_what_it_sends_to_another_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "127.0.0.1")
    with control_plane(tmp_path) as plane:
        api = Api("http://bus.example:8080", plane.local_token())
        plane.client.headers.update({**api._http.headers, "X-Forwarded-For": "10.0.0.7"})
        monkeypatch.setattr(api, "_http", plane.client)
        with pytest.raises(ApiError) as refused:
            api.call("dynamic/datasource/test-db-parameter", {"busClientDbParameterList": []})
        assert (refused.value.code, "busClientDbParameterList" in str(refused.value)) == (422, True)


@pytest.mark.parametrize(
    ("url", "seals"),
    [
        ("http://127.0.0.1:8080", False),
        ("http://[::1]:8080", False),
        ("http://localhost:8080", False),
        ("https://bus.example", False),
        ("HTTP://bus.example", True),
        ("http://192.0.2.7", True),
    ],
)
def test_the_command_line_knows_what_others_could_read(url: str, seals: bool) -> None:
    assert Api(url, "token")._seals is seals
