"""Which control planes run, and which keys each of them holds and seals with."""

import socket
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, delete, select

from zcbus.control.platform.services import Services
from zcbus.control.store.tables.master_key import key_holder

_REPEATED = timedelta(seconds=20)
LIVE = timedelta(seconds=90)
"""How long a control plane counts as running since it last reported."""
_FORGOTTEN = timedelta(days=1)


def report(services: Services) -> None:
    """Look which keys there are and which one seals, and store that this process knows."""
    services.secrets.refresh()
    now = services.clock.now()
    known = {"key_ids": list(services.secrets.ring.keys), "sealing": services.secrets.sealing_key_id}
    with services.database.read() as connection:
        found = _find(connection, services.process_id)
    same = found is not None and (found.key_ids, found.sealing) == tuple(known.values())
    if found is not None and same and now - found.reported_at < _REPEATED:
        return
    with services.database.write() as connection:
        connection.execute(delete(key_holder).where(key_holder.c.reported_at < now - _FORGOTTEN))
        connection.execute(delete(key_holder).where(key_holder.c.process_id == services.process_id))
        values = {"process_id": services.process_id, "host": socket.gethostname()[:255], "reported_at": now, **known}
        connection.execute(key_holder.insert().values(**values))


def live(connection: Connection, now: datetime) -> Sequence[Row[Any]]:
    """Control planes that run, by host."""
    recent = key_holder.c.reported_at > now - LIVE
    return connection.execute(select(key_holder).where(recent).order_by(key_holder.c.host)).all()


def lacking(connection: Connection, now: datetime, key_id: str) -> list[str]:
    """Hosts of running control planes that do not hold a key."""
    return [row.host for row in live(connection, now) if key_id not in row.key_ids]


def not_sealing(connection: Connection, now: datetime, key_id: str) -> list[str]:
    """Hosts of running control planes that seal with another key."""
    return [row.host for row in live(connection, now) if row.sealing != key_id]


def _find(connection: Connection, process_id: str) -> Row[Any] | None:
    return connection.execute(select(key_holder).where(key_holder.c.process_id == process_id)).one_or_none()
