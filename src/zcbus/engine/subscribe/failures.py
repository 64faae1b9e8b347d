"""Failures of tables of a channel, and which errors are about one table."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from zcbus.connectors.errors import RowRefused, TableMissing, TableRefused, TargetLocked
from zcbus.engine.reasons import ROW_ERRORS_OVER_LIMIT, TableStopped
from zcbus.kit.errors import ZcbusError
from zcbus.model.row_errors import RowError

if TYPE_CHECKING:
    from zcbus.engine.subscribe.table import SyncRun

TABLE_ERRORS = (TableStopped, RowRefused, TableMissing, TableRefused)
SINGLE_TABLE_ERRORS = (*TABLE_ERRORS, TargetLocked)
"""Errors about the one table that was being written."""


class TableFailed(Exception):
    """Tables whose changes failed; the whole turn was rolled back.

    Several: one of them failed, unknown which. An internal signal of the engine.
    """

    def __init__(self, runs: Sequence["SyncRun"], error: ZcbusError) -> None:
        super().__init__(str(error))
        self.runs, self.error = tuple(runs), error


class RowBlocks(TableStopped):
    """A rejected change, `row_error`, stops the table because no more may be skipped."""

    def __init__(self, row_error: RowError, limit: int) -> None:
        super().__init__(
            ROW_ERRORS_OVER_LIMIT,
            table=row_error.target,
            limit=limit,
            key=", ".join(f"{name}={value}" for name, value in row_error.key.items()),
            detail=row_error.detail,
        )
        self.row_error = row_error


class Expired(TableStopped):
    """The bus no longer has what a table needs; only a new load helps."""
