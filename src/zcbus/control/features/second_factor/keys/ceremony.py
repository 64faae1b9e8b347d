"""The two ceremonies of WebAuthn, registering a key and using it, on the library `webauthn`. Imported only when one
takes place."""

import struct
from dataclasses import dataclass
from typing import Any

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, options_to_json_dict
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    AuthenticatorTransport,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from zcbus.control.features.second_factor.errors import KeyRefusedError
from zcbus.control.features.second_factor.keys.challenges import LIFETIME
from zcbus.control.features.second_factor.keys.party import RelyingParty
from zcbus.control.features.second_factor.schemas import KeyAnswer, NewKeyAnswer
from zcbus.kit.logging import get_logger

_log = get_logger("control.second-factor")

_PLATFORM = "ZCBUS"
_MILLISECONDS = int(LIFETIME.total_seconds() * 1000)
# Someone touches the key; its PIN is not asked for. The password is the other factor already.
_VERIFICATION = UserVerificationRequirement.DISCOURAGED
# What the library raises over malformed content.
_MALFORMED = (
    WebAuthnException,
    InvalidSignature,
    UnsupportedAlgorithm,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    struct.error,
)


@dataclass(frozen=True, slots=True)
class KnownKey:
    """A key as browsers look for it: its id in base64url, and how they reach it (`usb`, `nfc`, `internal` …)."""

    credential_id: str
    transports: list[str]


@dataclass(frozen=True, slots=True)
class MadeKey:
    """A key that was just registered. `credential_id` in base64url, `public_key` in COSE, in base64url."""

    credential_id: str
    public_key: str
    sign_count: int
    transports: list[str]


def creation_options(
    party: RelyingParty, user_id: str, user_name: str, challenge: bytes, known: list[KnownKey]
) -> dict[str, Any]:
    """What the browser needs to register a key that is none of those known, as JSON."""
    # The key keeps nothing of its own: it is asked for by its id, behind the password.
    selection = AuthenticatorSelectionCriteria(
        resident_key=ResidentKeyRequirement.DISCOURAGED, user_verification=_VERIFICATION
    )
    options = generate_registration_options(
        rp_id=party.id,
        rp_name=_PLATFORM,
        user_id=user_id.encode(),
        user_name=user_name,
        challenge=challenge,
        timeout=_MILLISECONDS,
        authenticator_selection=selection,
        exclude_credentials=_descriptors(known),
    )
    return options_to_json_dict(options)


def request_options(party: RelyingParty, challenge: bytes, known: list[KnownKey]) -> dict[str, Any]:
    """What the browser needs to have one of these keys sign, as JSON."""
    options = generate_authentication_options(
        rp_id=party.id,
        challenge=challenge,
        timeout=_MILLISECONDS,
        allow_credentials=_descriptors(known),
        user_verification=_VERIFICATION,
    )
    return options_to_json_dict(options)


def check_new(party: RelyingParty, challenge: bytes, answer: NewKeyAnswer) -> MadeKey:
    """The key that an answer registers: made now, for this platform, by someone who was there. Who made the key is not
    asked (attestation). Raises KeyRefusedError."""
    try:
        made = verify_registration_response(
            credential=answer.model_dump(by_alias=True),
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=party.origin,
        )
    except _MALFORMED as error:
        raise _refused(error) from error
    return MadeKey(
        credential_id=bytes_to_base64url(made.credential_id),
        public_key=bytes_to_base64url(made.credential_public_key),
        sign_count=made.sign_count,
        transports=[way.value for way in AuthenticatorTransport if way.value in answer.response.transports],
    )


def check_use(party: RelyingParty, challenge: bytes, public_key: str, answer: KeyAnswer) -> int:
    """The key's count of signatures, where its signature is right for this challenge and this platform, and someone was
    there. Whether the count went on is the store's to say. Raises KeyRefusedError."""
    try:
        used = verify_authentication_response(
            credential=answer.model_dump(by_alias=True),
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=party.origin,
            credential_public_key=base64url_to_bytes(public_key),
            credential_current_sign_count=0,
        )
    except _MALFORMED as error:
        raise _refused(error) from error
    return used.new_sign_count


def _descriptors(known: list[KnownKey]) -> list[PublicKeyCredentialDescriptor]:
    return [
        PublicKeyCredentialDescriptor(
            id=base64url_to_bytes(one.credential_id),
            transports=[AuthenticatorTransport(name) for name in one.transports],
        )
        for one in known
    ]


def _refused(error: Exception) -> KeyRefusedError:
    _log.warning("security key refused", detail=repr(error))
    return KeyRefusedError()
