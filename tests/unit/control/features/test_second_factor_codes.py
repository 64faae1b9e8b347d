"""Codes of authenticators, against the test vectors of RFC 6238, and recovery codes."""

import base64
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from zcbus.control.features.second_factor import codes

SECRET = base64.b32encode(b"12345678901234567890").decode()


# RFC 6238, appendix B, SHA-1: the last six of the eight digits, since a code is the value modulo a power of ten.
@pytest.mark.parametrize(
    ("seconds", "code"),
    [
        (59, "287082"),
        (1111111109, "081804"),
        (1111111111, "050471"),
        (1234567890, "005924"),
        (2000000000, "279037"),
        (20000000000, "353130"),
    ],
)
def test_codes_are_those_of_the_standard(seconds: int, code: str) -> None:
    assert codes.steps_of(SECRET, code, datetime.fromtimestamp(seconds, UTC)) == [seconds // 30]


@pytest.mark.parametrize(("off", "taken"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
def test_clocks_may_differ_by_one_step(off: int, taken: bool) -> None:
    now = datetime.fromtimestamp(1111111109, UTC) + timedelta(seconds=30 * off)
    assert codes.steps_of(SECRET, "081804", now) == ([37037036] if taken else [])


@pytest.mark.parametrize("code", ["", "28708", "2870820", "94287082", "二八七零八二", "287-082"])
def test_malformed_codes_match_no_time_step(code: str) -> None:
    assert codes.steps_of(SECRET, code, datetime.fromtimestamp(59, UTC)) == []


def test_the_address_carries_all_that_an_authenticator_needs() -> None:
    secret = codes.new_secret()
    address = urlsplit(codes.address(secret, "王 wang@zcbus.example"))
    assert (address.scheme, address.netloc) == ("otpauth", "totp")
    assert address.path == "/ZCBUS:%E7%8E%8B%20wang%40zcbus.example"
    wanted = {"secret": secret, "issuer": "ZCBUS", "algorithm": "SHA1", "digits": "6", "period": "30"}
    assert {name: values[0] for name, values in parse_qs(address.query).items()} == wanted
    assert len(base64.b32decode(secret)) == 20


def test_recovery_codes_differ_and_are_read_with_or_without_separators() -> None:
    made = codes.new_recovery_codes()
    assert len(set(made)) == codes.RECOVERY_CODES
    assert all(len(codes.plain(code)) == 16 for code in made)
    assert codes.plain(made[0].upper().replace("-", " ")) == codes.plain(made[0])
