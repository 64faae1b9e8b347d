"""OpenID Connect: the authorisation code flow with PKCE. Discovery and keys are fetched for each sign-in, which is
rare, so that a provider's new key counts at once."""

from base64 import urlsafe_b64encode
from datetime import datetime
from hashlib import sha256
from typing import Any

import httpx
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from zcbus.control.features.external_sign_in.errors import ProviderRefusedError
from zcbus.control.features.external_sign_in.handshake import Handshake
from zcbus.control.features.external_sign_in.provider import ask, ask_for_json, unusable
from zcbus.kit.logging import get_logger
from zcbus.kit.sign_in_settings import OpenIdSettings

_log = get_logger("control.external-sign-in")

# Signed with the provider's private key; a token signed with a shared secret, or unsigned, is refused.
_ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519")
_LEEWAY_SECONDS = 60
_ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")


def authorisation_url(settings: OpenIdSettings, handshake: Handshake) -> str:
    """The address where the browser asks the provider. Raises ProviderUnreachableError."""
    challenge = urlsafe_b64encode(sha256(handshake.verifier.encode()).digest()).rstrip(b"=").decode()
    question = {
        "response_type": "code",
        "scope": "openid profile",
        "client_id": settings.client_id,
        "redirect_uri": handshake.redirect_uri,
        "state": handshake.state,
        "nonce": handshake.nonce,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
    }
    return str(httpx.URL(_discover(settings)["authorization_endpoint"]).copy_merge_params(question))


def account_name(settings: OpenIdSettings, handshake: Handshake, code: str, now: datetime) -> str:
    """The user that the provider identified. Raises ProviderUnreachableError, ProviderRefusedError."""
    provider = _discover(settings)
    id_token = _exchange(settings, provider, handshake, code)
    keys = ask_for_json("GET", provider["jwks_uri"])
    try:
        claims = jwt.decode(id_token, KeySet.import_key_set(keys), algorithms=_ALGORITHMS).claims  # type: ignore[arg-type]
        _registry(settings, handshake, now).validate(claims)
    except (JoseError, ValueError, KeyError, TypeError) as error:
        raise _refused(repr(error)) from error
    return _name(settings, claims)


def _discover(settings: OpenIdSettings) -> dict[str, Any]:
    address = settings.issuer.rstrip("/") + "/.well-known/openid-configuration"
    provider = ask_for_json("GET", address)
    # A document that speaks for another issuer would let that one sign people in here.
    if provider.get("issuer") != settings.issuer or not all(isinstance(provider.get(name), str) for name in _ENDPOINTS):
        raise unusable(address, "not the document of this issuer")
    return provider


def _exchange(settings: OpenIdSettings, provider: dict[str, Any], handshake: Handshake, code: str) -> str:
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": handshake.redirect_uri,
        "code_verifier": handshake.verifier,
        "client_id": settings.client_id,
    }
    methods = provider.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
    if settings.client_secret and "client_secret_basic" in methods:
        answer = ask("POST", provider["token_endpoint"], data=form, auth=(settings.client_id, settings.client_secret))
    else:
        secret = {"client_secret": settings.client_secret} if settings.client_secret else {}
        answer = ask("POST", provider["token_endpoint"], data={**form, **secret})
    try:
        id_token = answer.json()["id_token"] if answer.status_code == httpx.codes.OK else None
    except (ValueError, KeyError, TypeError):
        id_token = None
    if not isinstance(id_token, str):
        raise _refused(f"the code was not exchanged: status {answer.status_code}")
    return id_token


def _registry(settings: OpenIdSettings, handshake: Handshake, now: datetime) -> jwt.JWTClaimsRegistry:
    return jwt.JWTClaimsRegistry(
        now=int(now.timestamp()),
        leeway=_LEEWAY_SECONDS,
        iss={"essential": True, "value": settings.issuer},
        sub={"essential": True},
        aud={"essential": True, "value": settings.client_id},
        azp={"essential": False, "value": settings.client_id},
        exp={"essential": True},
        iat={"essential": True},
        nonce={"essential": True, "value": handshake.nonce},
    )


def _name(settings: OpenIdSettings, claims: dict[str, Any]) -> str:
    audience, name = claims["aud"], claims.get(settings.user_claim)
    if isinstance(audience, list) and len(audience) > 1 and "azp" not in claims:
        raise _refused("several audiences and no azp")
    if not isinstance(name, str) or not name:
        raise _refused(f"the token has no {settings.user_claim}")
    return name


def _refused(detail: str) -> ProviderRefusedError:
    _log.warning("identity provider did not confirm", detail=detail)
    return ProviderRefusedError()
