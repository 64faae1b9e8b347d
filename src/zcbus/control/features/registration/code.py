"""A registration code: the registration as JSON, and an Ed25519 signature over it, in base64 with a dot between.

The issuer of codes has the private key (`zcbus registration new-key`, `issue`); an installation has the public one
(`ZCBUS_REGISTRATION_KEY`).
"""

import base64
from datetime import datetime

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from pydantic import Field, ValidationError

from zcbus.control.platform.schema import Schema
from zcbus.kit.errors import TerminalError


class RegistrationCodeInvalidError(TerminalError):
    """The code is genuine, but what it says is no registration."""

    code = "registration-code-invalid"


class RegistrationCodeUnreadableError(RegistrationCodeInvalidError):
    """The code is no complete one."""

    code = "registration-code-unreadable"


class RegistrationCodeForeignError(RegistrationCodeInvalidError):
    """The code was not signed with the issuer's key, or the key is none."""

    code = "registration-code-foreign"


class Registration(Schema):
    """Contents of a code. `None` as a limit: unlimited."""

    holder: str = Field(min_length=1, max_length=200)
    end_time: datetime
    max_tables: int | None = Field(default=None, ge=1)
    max_controls: int | None = Field(default=None, ge=1)


def sign(registration: Registration, private_key: str) -> str:
    """The code for a registration. `private_key`: base64."""
    payload = registration.model_dump_json(by_alias=True).encode()
    key = Ed25519PrivateKey.from_private_bytes(base64.b64decode(private_key))
    return ".".join(base64.urlsafe_b64encode(part).decode() for part in (payload, key.sign(payload)))


def read(code: str, public_key: str) -> Registration:
    """Verify and decode a code. Raises RegistrationCodeInvalidError, also as one of its kinds."""
    try:
        payload, signature = (base64.urlsafe_b64decode(part) for part in code.strip().split("."))
    except ValueError:
        raise RegistrationCodeUnreadableError from None
    try:
        Ed25519PublicKey.from_public_bytes(base64.b64decode(public_key)).verify(signature, payload)
    except (ValueError, InvalidSignature):
        raise RegistrationCodeForeignError from None
    try:
        registration = Registration.model_validate_json(payload)
    except ValidationError:
        raise RegistrationCodeInvalidError from None
    if registration.end_time.tzinfo is None:
        raise RegistrationCodeInvalidError
    return registration


def new_key() -> tuple[str, str]:
    """A private key and its public one, in base64."""
    key = Ed25519PrivateKey.generate()
    private, public = key.private_bytes_raw(), key.public_key().public_bytes_raw()
    return base64.b64encode(private).decode(), base64.b64encode(public).decode()
