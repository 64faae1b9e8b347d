"""Requests and answers about calls that take long."""

from pydantic import Field

from zcbus.control.platform.progress import KEY_PATTERN
from zcbus.control.platform.schema import Schema


class ProgressChoice(Schema):
    """`key`: the caller's own name for the call, as he gave it in the header."""

    key: str = Field(pattern=KEY_PATTERN)


class ProgressRecord(Schema):
    """The present step of a call. `total` 0: not counted. `timeLeftMs`: of this step, at its rate so far; null: not
    known."""

    text: str
    done: int
    total: int
    time_left_ms: int | None
    cancellable: bool
