"""Answers about registration."""

from datetime import datetime
from enum import IntEnum

from zcbus.control.platform.schema import Schema


class RegistrationStatus(IntEnum):
    """As the specification numbers them; 1 is ours: registered, with more than thirty days left."""

    REGISTERED = 1
    UNREGISTERED = 2
    EXPIRED = 3
    ABOUT_TO_EXPIRE = 6


class RegistrationRecord(Schema):
    """`endTime` and `holder` are null where nothing is registered."""

    status: RegistrationStatus
    end_time: datetime | None
    holder: str | None


class UsageRecord(Schema):
    """How many are used; `maxLimit` null: as many as one likes."""

    used_count: int
    max_limit: int | None
