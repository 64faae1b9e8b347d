"""Who calls: what is taken as proof, and what is not."""

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from zcbus.gateway.calls import Call
from zcbus.gateway.errors import AddressRefused, AppExpired, NotProven, QuotaSpent
from zcbus.gateway.proof import WINDOW_SECONDS, Proofs, signature
from zcbus.gateway.quota import Quotas
from zcbus.protocol.data_service import ApiApp

SECRET = "a-long-secret"
HASH = hashlib.sha256(SECRET.encode()).hexdigest()
HERE = "127.0.0.1"
NOW = datetime(2026, 1, 1, tzinfo=UTC)


class FixedClock:
    def now(self) -> datetime:
        return NOW

    def monotonic(self) -> float:
        return 0.0


def app(**more: Any) -> ApiApp:
    return ApiApp.model_validate({"id": "a", "key": "k", "secret_hash": HASH, **more})


def call(authorization: str = "", address: str = "192.0.2.7", **more: Any) -> Call:
    headers = {"authorization": authorization}
    given = {"method": "GET", "path": "/g/a", "query": "x=1", "pairs": [("x", "1")], "body": b"", **more}
    return Call(headers=headers, address=address, is_private=address == HERE, **given)


def signed(nonce: str = "nonce-0001", at: datetime = NOW, secret_hash: str = HASH, **more: Any) -> Call:
    time = str(int(at.timestamp()))
    proof = signature(secret_hash, call(**more), time, nonce)
    return call(f'ZCBUS key="k", time={time}, nonce={nonce}, signature={proof}', **more)


def proven(given: Call, known: ApiApp | None = None, proofs: Proofs | None = None) -> ApiApp:
    return (proofs or Proofs(FixedClock())).app_of(given, {"k": known or app()})


def test_a_signature_is_good_once() -> None:
    proofs = Proofs(FixedClock())
    assert proven(signed(), proofs=proofs).id == "a"
    assert proven(signed("nonce-0002"), proofs=proofs).id == "a"
    with pytest.raises(NotProven) as refused:
        proven(signed(), proofs=proofs)
    assert refused.value.facts == {"why": "nonce"}


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: call(), "no-header"),
        (lambda: call("Basic abc"), "no-header"),
        (lambda: call("ZCBUS key=k"), "header"),
        (lambda: signed(at=NOW - timedelta(seconds=WINDOW_SECONDS + 1)), "time"),
        (lambda: signed(at=NOW + timedelta(seconds=WINDOW_SECONDS + 1)), "time"),
        (lambda: signed(secret_hash="0" * 64), "signature"),
        (lambda: call(f"Bearer k:{SECRET}"), "bearer"),
        (lambda: call("Bearer k:wrong", address="127.0.0.1"), "signature"),
        (lambda: call(f"Bearer other:{SECRET}", address="127.0.0.1"), "signature"),
    ],
    ids=["none", "basic", "parts", "old", "early", "secret", "bearer-afar", "bearer-wrong", "bearer-unknown"],
)
def test_invalid_proofs_are_refused_with_the_reason(make: Callable[[], Call], why: str) -> None:
    with pytest.raises(NotProven) as refused:
        proven(make())
    assert refused.value.facts == {"why": why}


@pytest.mark.parametrize("changed", [{"method": "POST"}, {"path": "/g/b"}, {"query": "x=2"}, {"body": b"{}"}])
def test_a_signature_holds_for_what_was_signed(changed: dict[str, Any]) -> None:
    with pytest.raises(NotProven):
        proven(call(signed().header("authorization"), **changed))


def test_the_secret_itself_is_accepted_only_where_no_one_can_listen() -> None:
    assert proven(call(f"Bearer k:{SECRET}", address=HERE)).id == "a"


def test_one_app_cannot_use_up_what_is_remembered_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zcbus.gateway.proof.MAX_REMEMBERED", 2)
    proofs, known = Proofs(FixedClock()), {"k": app(), "l": app(id="b", key="l")}
    for nonce in ("nonce-0001", "nonce-0002"):
        proofs.app_of(signed(nonce), known)
    with pytest.raises(NotProven):
        proofs.app_of(signed("nonce-0003"), known)
    other = call(signed("nonce-0003").header("authorization").replace('"k"', '"l"'))
    assert proofs.app_of(other, known).id == "b"


def test_where_and_until_when_an_app_may_call() -> None:
    known = app(addresses=["192.0.2.0/24", "2001:db8::1"])
    assert proven(signed(), known).id == "a"
    with pytest.raises(AddressRefused):
        proven(signed(address="198.51.100.1"), known)
    with pytest.raises(AppExpired):
        proven(signed(), app(expires_at=NOW))


def test_quota() -> None:
    moment = [0.0]
    quotas = Quotas(lambda: moment[0])
    limited = app(per_minute=2)
    quotas.spend(limited)
    quotas.spend(limited)
    with pytest.raises(QuotaSpent) as refused:
        quotas.spend(limited)
    assert refused.value.facts == {"limit": 2, "seconds": 60}
    moment[0] = 60.0
    quotas.spend(limited)
