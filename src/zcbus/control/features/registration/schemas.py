"""Requests and answers about registration."""

from datetime import datetime
from enum import IntEnum, StrEnum

from pydantic import Field

from zcbus.control.platform.schema import Schema

_MAX_CODE_LENGTH = 4000


class RegistrationStatus(IntEnum):
    """As the specification numbers them; 1 is ours: valid, with more than thirty days left or without an end."""

    REGISTERED = 1
    UNREGISTERED = 2
    EXPIRED = 3
    ABOUT_TO_EXPIRE = 6


class Edition(StrEnum):
    """Kinds of registration."""

    COMMUNITY = "community"
    """The community's: without a code, an end and limits."""
    LICENSED = "licensed"
    """By a code."""


class RegistrationRecord(Schema):
    """`edition` is null where nothing valid is registered; `endTime` and `holder` are null without a valid code."""

    status: RegistrationStatus
    edition: Edition | None
    end_time: datetime | None
    holder: str | None


class UsageRecord(Schema):
    """How many are used; `maxLimit` null: as many as one likes."""

    used_count: int
    max_limit: int | None


class RegistrationDetailRecord(RegistrationRecord):
    """With the use of its limits, and the text to request another code with."""

    tables: UsageRecord
    controls: UsageRecord
    checks_codes: bool
    """Whether the installation knows the key by which codes are checked."""
    request_text: str


class RegisterRequest(Schema):
    """A code, as it was issued."""

    code: str = Field(min_length=1, max_length=_MAX_CODE_LENGTH)
