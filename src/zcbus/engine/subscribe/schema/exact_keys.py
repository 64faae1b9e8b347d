"""Refusing target tables in which rows of the source would become one."""

from zcbus.connectors.roles import TargetSession, TargetTable
from zcbus.engine.reasons import TARGET_KEY_INEXACT, TableStopped


def require_exact_keys(session: TargetSession, table: TargetTable) -> None:
    """Raise TableStopped where the target compares keys less exactly than the source."""
    for found in session.inexact_keys(table):
        raise TableStopped(
            TARGET_KEY_INEXACT,
            table=table.source_schema.name,
            target=table.name,
            column=found.column,
            collation=found.collation,
            statement=found.remedy,
        )
