"""Requests and answers of two-step verification."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from zcbus.control.platform.schema import ConfidentialSchema, Schema
from zcbus.control.store.columns import ID_LENGTH

Step = Literal["authenticator", "security-key"]
# At most 1023 bytes in base64url.
CredentialId = Annotated[str, StringConstraints(min_length=1, max_length=1400)]
KeyName = Annotated[str, StringConstraints(min_length=1, max_length=50, pattern=r"\S")]
Encoded = Annotated[str, StringConstraints(max_length=10_000)]


class SecurityKeyRecord(Schema):
    """A security key. `isUsable`: it was registered under the platform's present address, and works there alone."""

    id: str
    name: str
    created_at: datetime
    used_at: datetime | None
    is_usable: bool


class SecondFactorState(Schema):
    """Whether the caller has a second factor, since when, which ones, and how many recovery codes are left.
    `isRequired`: the tenant demands one. `keyAddress`: the address of the console where security keys work; null: they
    cannot work here."""

    is_on: bool
    turned_on_at: datetime | None
    has_authenticator: bool
    keys: list[SecurityKeyRecord]
    recovery_codes_left: int
    is_required: bool
    key_address: str | None


class KeyCeremony(Schema):
    """What the browser gives to the security key (`publicKey` of `navigator.credentials`, as JSON); good once, for five
    minutes."""

    options: dict[str, Any]


class UseOfKey(Schema):
    """What a key signed, in base64url."""

    client_data_json: Encoded = Field(alias="clientDataJSON")
    authenticator_data: Encoded
    signature: Encoded
    user_handle: Encoded | None = None


class KeyAnswer(Schema):
    """The security key's answer to `options` as the browser gives it (PublicKeyCredential, as JSON)."""

    id: CredentialId
    raw_id: CredentialId
    type: Literal["public-key"]
    response: UseOfKey


class Registration(Schema):
    """What a key made and how it is reached, in base64url."""

    client_data_json: Encoded = Field(alias="clientDataJSON")
    attestation_object: Encoded
    transports: list[Annotated[str, StringConstraints(max_length=20)]] = Field(default_factory=list, max_length=10)


class NewKeyAnswer(Schema):
    """As KeyAnswer, where a key was registered."""

    id: CredentialId
    raw_id: CredentialId
    type: Literal["public-key"]
    response: Registration


class NewKey(Schema):
    """A name for the key, and its answer."""

    name: KeyName
    credential: NewKeyAnswer


class KeyRename(Schema):
    """Another name for a key."""

    id: str = Field(max_length=ID_LENGTH)
    name: KeyName


class SetUp(Schema):
    """Data for an authenticator: the secret in base32, and as an `otpauth:` address for a QR code. `handle` belongs to
    the secret and is returned with the first code, within 15 minutes."""

    secret: str
    address: str
    handle: str


class TurnOn(ConfidentialSchema):
    """The first code of the secret that `handle` belongs to; `key`: where two-step verification is on with security
    keys alone, a use of one of them."""

    handle: str = Field(min_length=1, max_length=1000)
    current_password: str = Field(max_length=200)
    code: str = Field(max_length=50)
    key: KeyAnswer | None = None


class Proof(ConfidentialSchema):
    """The own password, and a code of the authenticator, a recovery code, or a use of a security key."""

    current_password: str = Field(max_length=200)
    code: str = Field(default="", max_length=50)
    key: KeyAnswer | None = None


class KeyRemoval(Proof):
    """Which key, and the proof."""

    id: str = Field(max_length=ID_LENGTH)


class RecoveryCodes(Schema):
    """Recovery codes, each good once. They cannot be shown again. None where those made before stay."""

    codes: list[str]
