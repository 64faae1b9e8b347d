"""Answers about streaming the operation log."""

from datetime import datetime
from typing import Literal

from zcbus.control.platform.schema import Schema


class StreamRecord(Schema):
    """One receiver. `waiting`: entries that it does not have. `failure`: why the last attempt failed, `failingSince`:
    since when all fail. `lost`: entries that retention removed before they were sent."""

    way: Literal["file", "syslog", "webhook"]
    address: str
    waiting: int
    lost: int
    sent_at: datetime | None
    failing_since: datetime | None
    failure: str | None
