"""Statements written and run by people: what SQL management needs of a database."""

from dataclasses import dataclass
from typing import Protocol

from zcbus.connectors.queries import Found, Query

MAX_ROW_BYTES = 32 << 20
"""Bytes that are received of one row: what is larger is given up before it has come."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement. At most `rows` of its rows are returned."""

    text: str
    rows: int
    timeout_ms: int


@dataclass(frozen=True, slots=True)
class Changed:
    """The result of a committed statement."""

    affected: int
    """Rows, as the server counts them; 0 for statements that change none."""
    found: Found | None
    """Rows that it returned; None: it returns none."""


class StatementRunner(Protocol):
    """One session for one statement of a person whose rights were checked.

    Accepts accounts that QueryRunner does not, but reading statements reach nothing outside of the database. At most
    MAX_ROW_BYTES of a row is received.
    """

    def run(self, query: Query) -> Found:
        """As QueryRunner.run: in a read-only transaction that is rolled back.

        An account with rights on the server's host reads without them; raises AccountTooPowerful if that is impossible.
        """

    def explain(self, statement: Statement) -> Found:
        """The server's plan for a statement, which is not run.

        Runs in a read-only transaction that is rolled back; MySQL explains only statements that read. Raises
        QueryFailed, QueryTimedOut, AnswerTooLarge, SourceUnavailable, AccessDenied, and QueryRefused if the server
        would run parts of the statement.
        """

    def change(self, statement: Statement) -> Changed:
        """Run any single statement in a transaction of its own, and commit it.

        The server rejects several statements in one text. Raises as `explain`; then nothing is committed, unless the
        server commits such a statement by itself (MySQL does it for definitions).
        """

    def cancel(self) -> None:
        """End the running statement; thread-safe. The session is unusable afterwards. Never raises."""

    def close(self) -> None:
        """Never raises. Idempotent."""
