"""Requests and answers of signing in."""

from datetime import datetime

from pydantic import Field

from zcbus.control.features.account.schemas import TenantRecord, UserRecord
from zcbus.control.features.second_factor.schemas import KeyAnswer, NewKey, Step
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.schema import ConfidentialSchema, Schema
from zcbus.control.store.columns import ID_LENGTH


class PublicKey(Schema):
    """An X25519 key in base64, and the name under which encrypted bodies refer to it."""

    kid: str
    public_key: str


class SignInMethods(Schema):
    """Whether the login needs the ticket of a slide puzzle; the length of a new password; the names of the OpenID
    Connect and the SAML provider, if there is one; whether service tickets are accepted; whether the console opens
    without signing in; the name of the directory whose passwords the login takes as well, if there is one."""

    slide: bool
    longest_password: int
    third_party: str | None
    saml: str | None
    service_ticket: bool
    login_free: bool
    directory: str | None


class CameFrom(Schema):
    """A part of every request that signs in: where the browser came from, to go back there when it signs out."""

    source_url: str = Field(default="", max_length=500)


class LoginRequest(CameFrom, ConfidentialSchema):
    """`code` and `uuid` are the captcha's answer, `ticket` is the slide puzzle's. `device` is the value from the
    browser's last sign-in. `serviceId` is accepted for older clients."""

    user_name: str = Field(min_length=1, max_length=200)
    password: str = Field(min_length=1, max_length=200)
    code: str = Field(default="", max_length=20)
    uuid: str = Field(default="", max_length=64)
    ticket: str = Field(default="", max_length=100)
    device: str = Field(default="", max_length=100)
    service_id: str | None = Field(default=None, max_length=64)


class LoginAnswer(Schema):
    """A session. With code 40200 the token is good for one change of password only, with code 40201 for
    `login/second-factor` and its keys only, with code 40202 for the set-up of a second factor only; the other fields
    but `secondSteps`, what the user can do that with, are empty then. `frontAddress`: the tenant's console is there,
    and no session was opened here. `sourceUrl`: where to go after signing out, if the platform knows the address that
    the request named. `loginFree`: opened without signing in, so there is no signing out. `device`: for the browser to
    keep and to send with later sign-ins; others' failures then do not delay them."""

    token: str = ""
    customer_list: list[TenantRecord] = Field(default_factory=list)
    user: UserRecord | None = None
    front_address: str | None = None
    source_url: str | None = None
    login_free: bool = False
    device: str | None = None
    second_steps: list[Step] = Field(default_factory=list)


class SecondFactorRequest(CameFrom, ConfidentialSchema):
    """`token` came with code 40201; `code` is one of the authenticator, or a recovery code; `device` as for the
    login."""

    token: str = Field(min_length=1, max_length=100)
    code: str = Field(min_length=1, max_length=50)
    device: str = Field(default="", max_length=100)


class SetUpRequest(ConfidentialSchema):
    """`token` came with code 40202."""

    token: str = Field(min_length=1, max_length=100)


class KeyRequest(ConfidentialSchema):
    """`token` came with code 40201."""

    token: str = Field(min_length=1, max_length=100)


class KeyLogin(CameFrom, ConfidentialSchema):
    """`token` came with code 40201; `key` is the answer to `login/second-factor/key/begin`; `device` as for the
    login."""

    token: str = Field(min_length=1, max_length=100)
    key: KeyAnswer
    device: str = Field(default="", max_length=100)


class SetUpKey(CameFrom, ConfidentialSchema):
    """`token` came with code 40202; `key` is the answer to `login/second-factor/key/set-up/begin`; `device` as for the
    login."""

    token: str = Field(min_length=1, max_length=100)
    key: NewKey
    device: str = Field(default="", max_length=100)


class SetUpCode(SecondFactorRequest):
    """The first code of the secret that `handle` belongs to; `token` came with code 40202."""

    handle: str = Field(min_length=1, max_length=1000)


class SetUpAnswer(LoginAnswer):
    """A session, and the recovery codes, shown this time only."""

    recovery_codes: list[str]


class LogoutRequest(Schema):
    """The token to end; left out, the one of the header."""

    token: str = Field(default="", max_length=200)


class SessionInformation(Schema):
    """The signed-in user."""

    user: UserRecord
    customer_list: list[TenantRecord]
    deployment: int


class SessionPageRequest(PageRequest):
    """`search` is a part of the address or of the browser's name."""

    search: str = Field("", max_length=100)


class SessionChoice(Schema):
    """Which session."""

    id: str = Field(max_length=ID_LENGTH)


class AllSessions(Schema):
    """All sessions of the caller; with `keepThis` short of the one of this call."""

    keep_this: bool


class SessionRecord(Schema):
    """A session of the user. `agent`: the browser's name; `usedAt`: to the minute, without polling by pages;
    `isCurrent`: the session of this call."""

    id: str
    address: str | None
    agent: str | None
    created_at: datetime
    used_at: datetime
    expires_at: datetime
    is_current: bool


SESSIONS = ListDefinition[SessionRecord](
    SessionRecord,
    {
        "address": "address",
        "agent": "agent",
        "createdAt": "created_at",
        "usedAt": "used_at",
        "expiresAt": "expires_at",
    },
)
