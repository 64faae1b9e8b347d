"""Queries over mutes of alerts. Those of people carry the condition that hides other tenants' rows."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, func, select

from zcbus.control.platform.principal import Principal
from zcbus.control.store.tables.alert import alert_mute
from zcbus.kit.ids import new_id


def in_force(connection: Connection, now: datetime) -> Sequence[Row[Any]]:
    """Of all tenants."""
    return connection.execute(select(alert_mute).where(alert_mute.c.until > now)).all()


def visible(principal: Principal, now: datetime) -> Select[Any]:
    """Mutes in force of the tenants that the caller may see."""
    return select(alert_mute).where(principal.visible(alert_mute.c.tenant_id), alert_mute.c.until > now)


def find(connection: Connection, principal: Principal, mute_id: str) -> Row[Any] | None:
    seen = principal.visible(alert_mute.c.tenant_id)
    return connection.execute(select(alert_mute).where(seen, alert_mute.c.id == mute_id)).first()


def count(connection: Connection, tenant_id: str, now: datetime) -> int:
    """Those in force of one tenant."""
    counted = select(func.count()).where(alert_mute.c.tenant_id == tenant_id, alert_mute.c.until > now)
    return int(connection.execute(counted).scalar_one())


def insert(connection: Connection, **values: Any) -> str:
    mute_id = new_id()
    connection.execute(alert_mute.insert().values(id=mute_id, **values))
    return mute_id


def replace(connection: Connection, tenant_id: str, kind: str | None, object_id: str | None) -> None:
    """Remove the mute of the same, which another one takes the place of."""
    same = (alert_mute.c.tenant_id == tenant_id, alert_mute.c.kind == kind, alert_mute.c.object_id == object_id)
    connection.execute(delete(alert_mute).where(*same))


def remove(connection: Connection, mute_id: str) -> None:
    connection.execute(delete(alert_mute).where(alert_mute.c.id == mute_id))


def remove_ended(connection: Connection, now: datetime) -> None:
    connection.execute(delete(alert_mute).where(alert_mute.c.until <= now))
