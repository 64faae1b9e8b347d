"""Requests and answers about the operation log."""

from datetime import datetime
from typing import Any, Literal

from pydantic import AwareDatetime, Field

from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.schema import Schema
from zcbus.control.store.columns import ID_LENGTH

Result = Literal["done", "failed", "begun"]
"""`begun`: it runs, or the platform ended while it did."""


class RecordPageRequest(PageRequest):
    """Records from the newest on. `search` is a part of the user's name, the action, its title in either language, the
    subject or the address. `kind`, `action`: of `monitor/operation-log/actions`; `user`: a user's whole name."""

    search: str = Field("", max_length=100)
    result: Result | None = None
    kind: str | None = Field(None, max_length=50)
    action: str | None = Field(None, max_length=100)
    user: str | None = Field(None, max_length=50)
    since: AwareDatetime | None = None
    until: AwareDatetime | None = None


class RecordRequest(Schema):
    """Which record."""

    id: str = Field(max_length=ID_LENGTH)


class OperationRecord(Schema):
    """One call that changed something. `action` is the call's name in the OpenAPI document, `title` says it in the
    caller's language."""

    id: str
    recorded_at: datetime
    user_name: str | None
    address: str | None
    action: str
    title: str
    path: str
    subject: str | None
    result: Result
    error_code: str | None


class OperationDetail(OperationRecord):
    """A record with the values before and after; secrets in it are hidden. `reason`: why it failed."""

    request_id: str
    before: Any
    after: Any
    reason: str | None


class ActionChoice(Schema):
    """An action that records can be narrowed to."""

    action: str
    title: str


class ActionKindChoice(Schema):
    """A kind of object with the actions on it."""

    kind: str
    title: str
    actions: list[ActionChoice]


class BreakRecord(Schema):
    """One place where the log is not as it was written. `text` says how; `sequence` counts the chain's links."""

    text: str
    sequence: int | None
    record_id: str | None
    at: datetime | None


ProofState = Literal["intact", "broken", "unverified"]
"""`unverified`: there is no result, or none of the last two days."""


class ProofRecord(Schema):
    """What the last verification of the chain proved. `host`: the control plane that found it; the first one that found
    a break, else the latest. `wholeAt`: the last verification of the whole chain. `breaks`: the first ones, for users
    who see every tenant. `earlierRecords`: proved unchanged since `beganAt` only. `keptSequence`: nothing was cut off
    up to this link. `mayVerify`: the caller may have it verified now."""

    state: ProofState
    host: str | None = None
    checked_at: datetime | None = None
    whole_at: datetime | None = None
    records: int | None = None
    since: datetime | None = None
    until: datetime | None = None
    began_at: datetime | None = None
    earlier_records: int | None = None
    kept_sequence: int | None = None
    break_count: int = 0
    breaks: list[BreakRecord] = Field(default_factory=list)
    may_verify: bool


class SignInPageRequest(PageRequest):
    """Records of the login log from the newest on. `search` is a part of the user's name or the address."""

    search: str = Field("", max_length=100)
    result: Result | None = None
    since: AwareDatetime | None = None
    until: AwareDatetime | None = None


class SignInRecord(Schema):
    """A sign-in, an attempt at one, or the end of a session. `title` says how; `reason`: why it failed."""

    id: str
    recorded_at: datetime
    user_name: str | None
    address: str | None
    action: str
    title: str
    result: Result
    reason: str | None


SIGN_INS = ListDefinition[SignInRecord](
    SignInRecord,
    {
        "recordedAt": "recorded_at",
        "userName": "user_name",
        "address": "address",
        "action": "action",
        "result": "result",
    },
)


OPERATIONS = ListDefinition[OperationRecord](
    OperationRecord,
    {
        "recordedAt": "recorded_at",
        "userName": "user_name",
        "address": "address",
        "action": "action",
        "subject": "subject",
        "result": "result",
    },
)
