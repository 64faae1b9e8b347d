"""Statements of users and their results."""

from typing import Literal

from pydantic import Field

from zcbus.model.query_text import MAX_LENGTH
from zcbus.protocol.base import Connection, Message
from zcbus.protocol.data_service import QueryColumn

StatementMode = Literal["read", "plan", "change"]
"""read: in a read-only transaction; plan: only its plan; otherwise committed."""


class RunStatement(Message):
    """Run a statement in its own session. Answer: StatementOutcome."""

    type: Literal["run-statement"] = "run-statement"
    connection: Connection
    statement: str = Field(max_length=MAX_LENGTH)
    mode: StatementMode = "read"
    row_limit: int = Field(default=1000, ge=1, le=10_000)
    timeout_ms: int = Field(default=30_000, ge=100, le=600_000)


class StatementOutcome(Message):
    """Rows in the order of `columns`; `more`: there are further rows.

    Integers that a browser cannot represent are texts. `affected`: number of changed rows; None: not run as a change.
    """

    columns: tuple[QueryColumn, ...] = ()
    rows: tuple[tuple[object, ...], ...] = ()
    more: bool = False
    affected: int | None = None
    duration_ms: int = 0
