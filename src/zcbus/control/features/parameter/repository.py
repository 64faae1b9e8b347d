"""Queries over the system parameters."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select, update

from zcbus.control.store.tables.parameter import parameter

# Names that begin with an underscore are internal to the platform.
_SHOWN = select(parameter).where(parameter.c.variable_name.not_like(r"\_%", escape="\\"))


def find(connection: Connection, variable_name: str) -> Row[Any] | None:
    return connection.execute(_SHOWN.where(parameter.c.variable_name == variable_name)).one_or_none()


def select_all(connection: Connection) -> Sequence[Row[Any]]:
    return connection.execute(_SHOWN.order_by(parameter.c.variable_name)).all()


def insert(connection: Connection, variable_name: str, value: object, now: datetime) -> None:
    connection.execute(parameter.insert().values(variable_name=variable_name, value=value, updated_at=now))


def change(connection: Connection, variable_name: str, value: object, now: datetime) -> None:
    connection.execute(
        update(parameter).where(parameter.c.variable_name == variable_name).values(value=value, updated_at=now)
    )
