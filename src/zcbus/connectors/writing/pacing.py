"""A writer that lets few changes wait for others; see PacedWriter."""

import time

from zcbus.connectors.roles.sink import Wait
from zcbus.connectors.roles.writer import Cause, PutRows, Transaction

_LARGE = 10_000
"""Rows of a transaction that waits for no others."""


class Pacing:
    """Between two writes at least an interval passes, unless there is much to write."""

    def __init__(self, interval: float) -> None:
        """`interval`: seconds."""
        self._interval = interval
        self._pause: Wait = time.sleep
        self._written_at = 0.0
        """On the monotonic clock; 0: nothing was written."""

    def pace(self, wait: Wait) -> None:
        """See PacedWriter."""
        self._pause = wait

    def gather(self, transaction: Transaction) -> None:
        """Wait for the rest of the interval where the transaction has few rows, and any. A load does not wait: many
        small tables would take an interval each."""
        rest = self._written_at + self._interval - time.monotonic()
        if rest <= 0 or not self._written_at:
            return
        rows = 0
        for operation in transaction.operations:
            if isinstance(operation, PutRows) and operation.cause is Cause.LOAD:
                return
            rows += (operation.rows if isinstance(operation, PutRows) else operation.keys).num_rows
            if rows >= _LARGE:
                return
        if rows:
            self._pause(rest)

    def written(self) -> None:
        """The interval begins."""
        self._written_at = time.monotonic()
