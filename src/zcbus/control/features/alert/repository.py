"""Queries over alerts."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, Update, delete, func, or_, select, update

from zcbus.control.platform.principal import Principal
from zcbus.control.store.among import among
from zcbus.control.store.live import announce
from zcbus.control.store.tables.alert import alert
from zcbus.kit.ids import new_id

UNREAD, HISTORY = 0, 1

NOT_HANDLED: Mapping[str, None] = dict.fromkeys(
    ("acknowledged_time", "acknowledged_by", "resolved_time", "resolved_by")
)

USUAL_ORDER = (alert.c.update_time.desc(), alert.c.id.desc())


def visible(principal: Principal, customer_id: str | None, status: int | None) -> Select[Any]:
    """Alerts the caller may see, filtered by tenant or subscriber and by status."""
    statement = select(alert).where(principal.visible(alert.c.tenant_id))
    if customer_id:
        statement = statement.where(or_(alert.c.tenant_id == customer_id, alert.c.customer_id == customer_id))
    return statement if status is None else statement.where(alert.c.status == status)


def count_unread(connection: Connection, principal: Principal, customer_id: str | None) -> int:
    counted = select(func.count()).select_from(visible(principal, customer_id, UNREAD).subquery())
    return int(connection.execute(counted).scalar_one())


def find(connection: Connection, principal: Principal, alert_id: str) -> Row[Any] | None:
    return connection.execute(visible(principal, None, None).where(alert.c.id == alert_id)).first()


def exists(connection: Connection, principal: Principal, alert_id: str) -> bool:
    found = select(alert.c.id).where(principal.visible(alert.c.tenant_id), alert.c.id == alert_id)
    return connection.execute(found).first() is not None


def mark_read(connection: Connection, principal: Principal, alert_id: str | None) -> int:
    """One alert, or all the caller may see; returns how many were unread."""
    statement = update(alert).where(principal.visible(alert.c.tenant_id), alert.c.status == UNREAD)
    if alert_id is not None:
        statement = statement.where(alert.c.id == alert_id)
    return _change(connection, statement.values(status=HISTORY))


def select_open(connection: Connection) -> Sequence[Row[Any]]:
    """Everything that is not over."""
    return connection.execute(select(alert).where(alert.c.recovered_time.is_(None))).all()


def insert(connection: Connection, rows: Iterable[Mapping[str, Any]]) -> Sequence[str]:
    """Returns the new alerts' ids."""
    values = [{"id": new_id(), "status": UNREAD, **row} for row in rows]
    if values:
        connection.execute(alert.insert(), values)
        announce(connection, "alert", {row["tenant_id"] for row in values})
    return [row["id"] for row in values]


def select_alerts(connection: Connection, alert_ids: Sequence[str]) -> Sequence[Row[Any]]:
    """Alerts by id, of all owners."""
    return connection.execute(select(alert).where(among(alert.c.id, alert_ids)).order_by(alert.c.id)).all()


def change(connection: Connection, alert_id: str, **values: Any) -> None:
    _change(connection, update(alert).where(alert.c.id == alert_id).values(**values))


def repeat(connection: Connection, alert_ids: Sequence[str], now: datetime) -> None:
    """Note that receivers are notified again; the alerts are unread again."""
    if alert_ids:
        lasting = update(alert).where(alert.c.id.in_(alert_ids))
        _change(connection, lasting.values(notified_time=now, repeats=alert.c.repeats + 1, status=UNREAD))


def disprove(connection: Connection, alert_ids: Sequence[str]) -> None:
    """Take back that users said alerts were mended; such an alert is not handled then."""
    if alert_ids:
        said = alert.c.id.in_(alert_ids), alert.c.resolved_time.is_not(None)
        _change(connection, update(alert).where(*said).values(NOT_HANDLED))


def recover(connection: Connection, alert_ids: Sequence[str], now: datetime) -> None:
    """Close alerts whose condition is over."""
    if alert_ids:
        over = update(alert).where(alert.c.id.in_(alert_ids))
        _change(connection, over.values(recovered_time=now, update_time=now))


def remove_older(connection: Connection, limit: datetime) -> None:
    """Delete alerts that were closed before `limit`."""
    connection.execute(delete(alert).where(alert.c.recovered_time < limit))


def _change(connection: Connection, statement: Update) -> int:
    """Change alerts and announce it; returns how many."""
    tenants = connection.execute(statement.returning(alert.c.tenant_id)).scalars().all()
    announce(connection, "alert", set(tenants))
    return len(tenants)
