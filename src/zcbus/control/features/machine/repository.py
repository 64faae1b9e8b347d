"""Queries over machines."""

from typing import Any

from sqlalchemy import Connection, Row, select, update

from zcbus.control.store.tables.machine import machine


def find(connection: Connection, device_id: str) -> Row[Any] | None:
    return connection.execute(select(machine).where(machine.c.device_id == device_id)).one_or_none()


def save(connection: Connection, device_id: str, **values: Any) -> None:
    """Insert or replace."""
    done = connection.execute(update(machine).where(machine.c.device_id == device_id).values(**values))
    if done.rowcount == 0:
        connection.execute(machine.insert().values(device_id=device_id, **values))
