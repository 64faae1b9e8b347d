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
    """Records from the newest on. `search` is a part of the user's name, the action, the subject or the address."""

    search: str = Field("", max_length=100)
    result: Result | None = None
    since: AwareDatetime | None = None
    until: AwareDatetime | None = None


class RecordRequest(Schema):
    """Which record."""

    id: str = Field(max_length=ID_LENGTH)


class OperationRecord(Schema):
    """One call that changed something. `action` is the call's name in the OpenAPI document."""

    id: str
    recorded_at: datetime
    user_name: str | None
    address: str | None
    action: str
    path: str
    subject: str | None
    result: Result
    error_code: str | None


class OperationDetail(OperationRecord):
    """A record with the values before and after; secrets in it are hidden."""

    request_id: str
    before: Any
    after: Any


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
