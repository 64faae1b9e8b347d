"""Writes of reduced columns, and the rows that wait for one."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, Table, bindparam, select, update

from zcbus.control.store.among import among

_ALIKE = 20
"""This many rows with the same values are written by one statement."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Facts besides rows that determine states. `expired`: the installation's registration is over."""

    now: datetime
    expired: bool

    def since(self, known: datetime, reported_since: datetime | None) -> datetime:
        """Start time of a state that replaces the one `known` since. `reported_since` is used unless it is older than
        `known` (the state holds again) or in the future (a clock that is ahead)."""
        return reported_since if reported_since is not None and known < reported_since <= self.now else self.now


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
        alike: dict[tuple[Any, ...], list[str]] = defaultdict(list)
        for row in changed:
            alike[tuple(row[name] for name in names)].append(row["row_id"])
        _save_alike(connection, table, names, {values: rows for values, rows in alike.items() if len(rows) >= _ALIKE})
        _save_each(connection, table, names, {values: rows for values, rows in alike.items() if len(rows) < _ALIKE})
    connection.execute(update(table).where(table.c.unreduced).values(unreduced=False))


_Alike = Mapping[tuple[Any, ...], Sequence[str]]
"""Ids of rows by the values that they get."""


def _save_alike(connection: Connection, table: Table, names: Sequence[str], alike: _Alike) -> None:
    """A statement for each set of values: an order to thousands of tables changes all of them in the same way."""
    for values, rows in alike.items():
        statement = update(table).where(among(table.c.id, rows))
        connection.execute(statement.values(unreduced=False, **dict(zip(names, values, strict=True))))


def _save_each(connection: Connection, table: Table, names: Sequence[str], alike: _Alike) -> None:
    rows = [
        {"row_id": row, **{f"new_{name}": value for name, value in zip(names, values, strict=True)}}
        for values, ids_ in alike.items()
        for row in ids_
    ]
    if rows:
        new = {name: bindparam(f"new_{name}", type_=table.c[name].type) for name in names}
        connection.execute(update(table).where(table.c.id == bindparam("row_id")).values(unreduced=False, **new), rows)
