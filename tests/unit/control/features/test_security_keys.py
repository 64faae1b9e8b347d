"""Ceremonies of security keys: right answers, and each way in which one can be wrong."""

import base64
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support.security_key import SoftKey

from zcbus.control.features.second_factor.errors import KeyRefusedError
from zcbus.control.features.second_factor.keys import ceremony
from zcbus.control.features.second_factor.keys.party import RelyingParty, relying_party
from zcbus.control.features.second_factor.schemas import KeyAnswer, NewKeyAnswer
from zcbus.kit.settings import load_settings

PARTY = RelyingParty("bus.example", "https://bus.example")
CHALLENGE, OTHER_CHALLENGE = b"c" * 32, b"d" * 32


def creation() -> dict[str, Any]:
    return ceremony.creation_options(PARTY, "0" * 32, "olga", CHALLENGE, [])


def request() -> dict[str, Any]:
    return ceremony.request_options(PARTY, CHALLENGE, [])


def registered(key: SoftKey) -> ceremony.MadeKey:
    return ceremony.check_new(PARTY, CHALLENGE, NewKeyAnswer.model_validate(key.register(creation())))


def used(key: SoftKey, public_key: str, challenge: bytes = CHALLENGE) -> int:
    return ceremony.check_use(PARTY, challenge, public_key, KeyAnswer.model_validate(key.sign(request())))


def test_a_key_registers_and_signs() -> None:
    key = SoftKey(PARTY.origin)
    made = registered(key)
    assert made.transports == ["usb"]
    assert [used(key, made.public_key), used(key, made.public_key)] == [1, 2]


def test_the_options_ask_for_presence_alone_and_leave_out_known_keys() -> None:
    known = [ceremony.KnownKey("AAECAw", ["usb", "nfc"])]
    options = ceremony.creation_options(PARTY, "0" * 32, "olga", CHALLENGE, known)
    assert (options["rp"]["id"], options["attestation"]) == ("bus.example", "none")
    selection = options["authenticatorSelection"]
    assert (selection["userVerification"], selection["residentKey"]) == ("discouraged", "discouraged")
    assert [(one["id"], one["transports"]) for one in options["excludeCredentials"]] == [("AAECAw", ["usb", "nfc"])]
    asked = ceremony.request_options(PARTY, CHALLENGE, known)
    assert (asked["rpId"], asked["allowCredentials"][0]["id"]) == ("bus.example", "AAECAw")


WRONG: dict[str, Callable[[SoftKey], None]] = {
    "another origin": lambda key: setattr(key, "origin", "https://bus.example.evil.example"),
    "a part of the host": lambda key: setattr(key, "origin", "https://login.bus.example"),
    "another port": lambda key: setattr(key, "origin", "https://bus.example:8443"),
    "without TLS": lambda key: setattr(key, "origin", "http://bus.example"),
    "another platform": lambda key: setattr(key, "rp_id", "example"),
    "no touch": lambda key: setattr(key, "flags", 0),
    "another ceremony": lambda key: setattr(key, "kind", "payment.get"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_answer_is_refused(what: str) -> None:
    key = SoftKey(PARTY.origin)
    public_key = registered(key).public_key
    WRONG[what](key)
    with pytest.raises(KeyRefusedError):
        used(key, public_key)
    with pytest.raises(KeyRefusedError):
        registered(key)


def test_an_answer_counts_for_its_challenge_and_key_alone() -> None:
    key, other = SoftKey(PARTY.origin), SoftKey(PARTY.origin)
    public_key = registered(key).public_key
    with pytest.raises(KeyRefusedError):
        used(key, public_key, OTHER_CHALLENGE)
    with pytest.raises(KeyRefusedError):
        used(other, public_key)
    with pytest.raises(KeyRefusedError):
        ceremony.check_new(PARTY, OTHER_CHALLENGE, NewKeyAnswer.model_validate(key.register(creation())))
    # The answer of one ceremony is none of the other: a signature with the type of a registration.
    key.kind = "webauthn.create"
    with pytest.raises(KeyRefusedError):
        used(key, public_key)


def test_damaged_answers_are_refused_and_never_break_the_call() -> None:
    key = SoftKey(PARTY.origin)
    public_key, random_source = registered(key).public_key, random.Random(7)
    for _ in range(300):
        answer = key.register(creation())
        answer["response"]["attestationObject"] = damaged(answer["response"]["attestationObject"], random_source)
        try:
            ceremony.check_new(PARTY, CHALLENGE, NewKeyAnswer.model_validate(answer))
        except KeyRefusedError:
            continue
    for part in ("clientDataJSON", "authenticatorData", "signature"):
        for _ in range(100):
            answer = key.sign(request())
            answer["response"][part] = damaged(answer["response"][part], random_source)
            with pytest.raises(KeyRefusedError):
                ceremony.check_use(PARTY, CHALLENGE, public_key, KeyAnswer.model_validate(answer))


def damaged(text: str, random_source: random.Random) -> str:
    content = bytearray(base64.urlsafe_b64decode(text + "=="))
    if random_source.random() < 0.3:
        return base64.urlsafe_b64encode(content[: random_source.randrange(len(content))]).rstrip(b"=").decode()
    for _ in range(random_source.randrange(1, 4)):
        content[random_source.randrange(len(content))] ^= random_source.randrange(1, 256)
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


@pytest.mark.parametrize(
    ("address", "party"),
    [
        ("", None),
        ("https://bus.example", ("bus.example", "https://bus.example")),
        ("https://Bus.Example:443/", ("bus.example", "https://bus.example")),
        ("https://bus.example:8443", ("bus.example", "https://bus.example:8443")),
        ("https://münze.example", ("xn--mnze-0ra.example", "https://xn--mnze-0ra.example")),
        ("http://localhost:8080", ("localhost", "http://localhost:8080")),
        ("http://bus.example", None),
        ("https://10.0.0.1", None),
        ("https://[::1]:8443", None),
    ],
)
def test_the_platform_is_known_under_its_public_address_alone(
    address: str, party: tuple[str, str] | None, tmp_path: Path
) -> None:
    settings = load_settings({"ZCBUS_DATA_DIR": str(tmp_path), "ZCBUS_PUBLIC_ADDRESS": address})
    found = relying_party(settings)
    assert (found and (found.id, found.origin)) == party
