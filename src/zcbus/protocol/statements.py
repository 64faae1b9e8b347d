"""Statements of users and their results."""

from typing import Literal

from pydantic import Field

from zcbus.model.query_text import MAX_LENGTH
from zcbus.protocol.base import Connection, Message
from zcbus.protocol.data_service import QueryColumn

StatementMode = Literal["read", "plan", "change"]
"""read: in a read-only transaction; plan: only its plan; otherwise committed."""


FILE_NAME = r"^[^./\\\x00-\x1f][^/\\\x00-\x1f]*(/[^./\\\x00-\x1f][^/\\\x00-\x1f]*)*\.(csv|jsonl)$"
"""A path within the tenant's folder for files of the host, no part of it hidden; the ending names the format."""


class RunStatement(Message):
    """Run a statement in its own session. `file`: write the rows into this file of the host instead of answering them
    (mode read). Answer: StatementOutcome."""

    type: Literal["run-statement"] = "run-statement"
    connection: Connection
    statement: str = Field(max_length=MAX_LENGTH)
    mode: StatementMode = "read"
    row_limit: int = Field(default=1000, ge=1, le=100_000)
    timeout_ms: int = Field(default=30_000, ge=100, le=600_000)
    file: str | None = Field(default=None, max_length=400, pattern=FILE_NAME)


class StatementOutcome(Message):
    """Rows in the order of `columns`; `more`: there are further rows.

    Integers that a browser cannot represent are texts. `affected`: number of changed rows; None: not run as a change.
    `written`: number of rows in the file; None: none was asked for.
    """

    columns: tuple[QueryColumn, ...] = ()
    rows: tuple[tuple[object, ...], ...] = ()
    more: bool = False
    affected: int | None = None
    written: int | None = None
    file_bytes: int = 0
    duration_ms: int = 0
