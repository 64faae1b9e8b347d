"""Writes of reduced columns, and the rows that wait for one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, Table, bindparam, select, update


@dataclass(frozen=True, slots=True)
class Moment:
    """What states depend on besides rows. `expired`: the installation's registration is over."""

    now: datetime
    expired: bool

    def since(self, known: datetime, told: datetime | None) -> datetime:
        """Since when a state holds that was `known` to be another one: since what it follows from was `told`, unless
        that is older, as where it only holds again, or of a clock that is ahead."""
        return told if told is not None and known < told <= self.now else self.now


def ids(connection: Connection, statement: Select[Any]) -> set[str]:
    """The first column of what a statement finds."""
    return set(connection.execute(statement).scalars())


def marked(table: Table) -> Select[Any]:
    """Ids of the rows that wait to be reduced."""
    return select(table.c.id).where(table.c.unreduced)


def save(connection: Connection, table: Table, changed: Sequence[Mapping[str, Any]]) -> None:
    """Store reduced columns of rows (`row_id`, and columns by names, the same for all) and take all marks away."""
    if changed:
        names = [name for name in changed[0] if name != "row_id"]
        values = {name: bindparam(f"new_{name}", type_=table.c[name].type) for name in names}
        rows = [{"row_id": row["row_id"], **{f"new_{name}": row[name] for name in names}} for row in changed]
        statement = update(table).where(table.c.id == bindparam("row_id"))
        connection.execute(statement.values(unreduced=False, **values), rows)
    connection.execute(update(table).where(table.c.unreduced).values(unreduced=False))
