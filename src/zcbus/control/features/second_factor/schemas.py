"""Requests and answers of two-step verification."""

from datetime import datetime

from pydantic import Field

from zcbus.control.platform.schema import ConfidentialSchema, Schema


class SecondFactorState(Schema):
    """Whether the caller has a second factor, since when, and how many recovery codes are left."""

    is_on: bool
    turned_on_at: datetime | None
    recovery_codes_left: int


class SetUp(Schema):
    """Data for an authenticator: the secret in base32, and as an `otpauth:` address for a QR code. `handle` belongs to
    the secret and is returned with the first code, within 15 minutes."""

    secret: str
    address: str
    handle: str


class TurnOn(ConfidentialSchema):
    """The first code of the secret that `handle` belongs to."""

    handle: str = Field(min_length=1, max_length=1000)
    current_password: str = Field(max_length=200)
    code: str = Field(max_length=50)


class Proof(ConfidentialSchema):
    """The own password, and a code of the authenticator or a recovery code."""

    current_password: str = Field(max_length=200)
    code: str = Field(max_length=50)


class RecoveryCodes(Schema):
    """Recovery codes, each good once. They cannot be shown again."""

    codes: list[str]
