"""Signatures of senders, by the examples that the schemes publish where they do."""

import base64
import hashlib
import hmac

import pytest

from zcbus.connectors.options import OptionsInvalid, parse
from zcbus.connectors.webhook import schemes
from zcbus.connectors.webhook.schemes import Scheme
from zcbus.connectors.webhook.spec import WebhookOptions
from zcbus.connectors.webhook.verification import SecretUnusable, is_verified, require_usable

NOW = 1_614_265_330
STANDARD = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
STANDARD_BODY = b'{"test": 2432232314}'
STANDARD_HEADERS = {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": str(NOW),
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
}
GITHUB = "It's a Secret to Everybody"
GITHUB_HEADERS = {
    "x-hub-signature-256": "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
}
SLACK, SLACK_NOW = "8f742231b10e8888abcd99yyyzzz85a5", 1_531_420_618
SLACK_BODY = (
    b"token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar"
    b"&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com"
    b"%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121."
    b"803a0bc887a14d10d2c447fce8b6703c"
)
SLACK_HEADERS = {
    "x-slack-request-timestamp": str(SLACK_NOW),
    "x-slack-signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
}


def scheme(text: str) -> Scheme:
    ((_, found),) = schemes.parse(text)
    return found


def mac(secret: str, signed: bytes, algorithm: str = "sha256") -> bytes:
    return hmac.new(secret.encode(), signed, algorithm).digest()


def test_the_example_of_standard_webhooks() -> None:
    def check(headers: dict[str, str], body: bytes = STANDARD_BODY, now: float = NOW, *secrets: str) -> bool:
        return is_verified(Scheme("standard"), secrets or (STANDARD,), {**STANDARD_HEADERS, **headers}, body, now)

    other = "whsec_" + base64.b64encode(b"another secret of ours").decode()
    assert check({})
    assert check({}, STANDARD_BODY, NOW + 300, other, STANDARD)
    several = f"v1a,abc v1,{base64.b64encode(b'x' * 32).decode()} {STANDARD_HEADERS['webhook-signature']}"
    assert check({"webhook-signature": several})
    older = {name.replace("webhook", "svix"): value for name, value in STANDARD_HEADERS.items()}
    assert is_verified(Scheme("standard"), [STANDARD], older, STANDARD_BODY, NOW)
    assert not check({}, STANDARD_BODY, NOW, other)
    assert not check({}, STANDARD_BODY + b" ")
    assert not check({"webhook-id": "msg_other"})
    assert not check({}, now=NOW + 301)
    assert not check({}, now=NOW - 301)
    for missing in STANDARD_HEADERS:
        assert not check({missing: ""})
    for odd in ("-1", "1e9", "９", "9" * 13, "now"):
        assert not check({"webhook-timestamp": odd})


def test_a_flood_of_signatures_is_not_compared() -> None:
    flood = " ".join(["v1,AAAA"] * 16 + [STANDARD_HEADERS["webhook-signature"]])
    headers = {**STANDARD_HEADERS, "webhook-signature": flood}
    assert not is_verified(Scheme("standard"), [STANDARD], headers, STANDARD_BODY, NOW)


def test_the_example_of_github() -> None:
    assert is_verified(Scheme("github"), ["x", GITHUB], GITHUB_HEADERS, b"Hello, World!", 0)
    assert not is_verified(Scheme("github"), [GITHUB], GITHUB_HEADERS, b"Hello, World?", 0)
    assert not is_verified(Scheme("github"), ["x"], GITHUB_HEADERS, b"Hello, World!", 0)
    assert not is_verified(Scheme("github"), [GITHUB], {}, b"Hello, World!", 0)


def test_the_example_of_slack() -> None:
    assert is_verified(Scheme("slack"), [SLACK], SLACK_HEADERS, SLACK_BODY, SLACK_NOW + 10)
    assert not is_verified(Scheme("slack"), [SLACK], SLACK_HEADERS, SLACK_BODY, SLACK_NOW + 301)
    assert not is_verified(Scheme("slack"), [SLACK], SLACK_HEADERS, SLACK_BODY[:-1], SLACK_NOW)


def test_stripe_may_sign_with_several_secrets() -> None:
    body, secret = b'{"id": "evt_1"}', "whsec_test"
    right = mac(secret, b"%d.%s" % (NOW, body)).hex()
    header = {"stripe-signature": f"t={NOW},v1={'0' * 64},v1={right},v0=00"}
    assert is_verified(Scheme("stripe"), [secret], header, body, NOW)
    assert not is_verified(Scheme("stripe"), [secret], header, body, NOW + 301)
    assert not is_verified(Scheme("stripe"), [secret], {"stripe-signature": f"t={NOW},v0={right}"}, body, NOW)
    assert not is_verified(Scheme("stripe"), [secret], {"stripe-signature": f"v1={right}"}, body, NOW)


@pytest.mark.parametrize("algorithm", ["sha1", "sha256", "sha512"])
def test_a_plain_mac_of_the_body(algorithm: str) -> None:
    digest = mac("s", b"body", algorithm)
    for text, value in (
        (f"hmac X-Signature {algorithm}", digest.hex()),
        (f"hmac X-Signature {algorithm} base64", base64.b64encode(digest).decode()),
        (f"hmac X-Signature {algorithm} hex sha=", f"sha={digest.hex()}"),
    ):
        assert is_verified(scheme(text), ["old", "s"], {"x-signature": value}, b"body", 0)
        assert not is_verified(scheme(text), ["old"], {"x-signature": value}, b"body", 0)
        assert not is_verified(scheme(text), ["s"], {"x-signature": value}, b"other", 0)
    assert len(digest) == hashlib.new(algorithm).digest_size


def test_tokens_and_passwords() -> None:
    assert is_verified(scheme("token X-Token"), ["a", "b"], {"x-token": "b"}, b"", 0)
    assert not is_verified(scheme("token X-Token"), ["a"], {"x-token": "A"}, b"", 0)
    assert is_verified(scheme("token Authorization Bearer"), ["a"], {"authorization": "Bearer a"}, b"", 0)
    assert not is_verified(scheme("token Authorization Bearer"), ["a"], {"authorization": "a"}, b"", 0)
    given = {"authorization": "Basic " + base64.b64encode(b"u:p").decode()}
    assert is_verified(Scheme("basic"), ["u:p"], given, b"", 0)
    assert not is_verified(Scheme("basic"), ["u:q"], given, b"", 0)
    assert not is_verified(Scheme("basic"), ["u:p"], {}, b"", 0)


def test_nothing_is_verified_without_a_secret_but_where_none_is_wanted() -> None:
    for name in ("standard", "github", "stripe", "slack", "basic"):
        with pytest.raises(SecretUnusable):
            require_usable(scheme(name), [])
        assert not is_verified(scheme(name), [], {"authorization": "Basic "}, b"", 0)
    assert is_verified(Scheme("none"), [], {}, b"", 0)
    for one, secret in (("standard", "whsec_no base64!"), ("basic", "no-colon")):
        with pytest.raises(SecretUnusable) as unusable:
            require_usable(scheme(one), [secret])
        assert secret not in str(unusable.value)


@pytest.mark.parametrize(
    "text", ["", "md5", "hmac", "hmac X_Y", "token", "github extra", "hmac X sha256 hex a b", "a: github; b:"]
)
def test_verification_is_checked_when_it_is_entered(text: str) -> None:
    with pytest.raises(OptionsInvalid) as invalid:
        parse(WebhookOptions, {"topics": "a", "verification": text})
    assert invalid.value.facts["option"] == "verification"


def test_each_path_has_its_scheme_secrets_and_ids() -> None:
    options = WebhookOptions(
        topics="/github/push, stripe, orders, orders",
        verification="github/*: github; stripe: stripe; *: hmac X-Signature",
        secret="common1 common2 github/*=ab= stripe=cd",
        identifiers="orders: .data.id; other: X-Id",
    )
    assert options.paths() == ["github/push", "stripe", "orders"]
    assert [str(options.scheme(path)) for path in options.paths()] == ["github", "stripe", "hmac x-signature"]
    assert [options.secrets_of(path) for path in options.paths()] == [["ab="], ["cd"], ["common1", "common2"]]
    assert [options.identifier(path) for path in options.paths()] == ["X-GitHub-Delivery", ".id", ".data.id"]
    assert WebhookOptions(topics="a", verification="b: github").scheme("a") is None


@pytest.mark.parametrize("topics", ["", "a b", "a,,b", "-/healthz", "a//b", "a?b", "a:b", "../a b", "a;b"])
def test_paths_are_checked(topics: str) -> None:
    with pytest.raises(OptionsInvalid):
        parse(WebhookOptions, {"topics": topics, "verification": "none"})


@pytest.mark.parametrize(
    ("option", "value"),
    [("networks", "10.0.0.0/99"), ("proxies", "host"), ("port", 80), ("url", "ftp://x"), ("certificate", "x")],
)
def test_other_options_are_checked(option: str, value: str | int) -> None:
    with pytest.raises(OptionsInvalid) as invalid:
        parse(WebhookOptions, {"topics": "a", "verification": "none", option: value})
    assert invalid.value.facts["option"] == option
