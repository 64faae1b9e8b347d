"""Queries over the alerts that a notice covers."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, and_, exists, func, select, update

from zcbus.control.features.notification.states import DeliveryState
from zcbus.control.store.among import among
from zcbus.control.store.tables.alert import alert
from zcbus.control.store.tables.notification import notice_alert, notice_delivery

_end = notice_delivery.alias("end_of_it")
_recovery_queued = exists().where(
    _end.c.receiver_id == notice_delivery.c.receiver_id,
    _end.c.alert_id == notice_delivery.c.alert_id,
    _end.c.occasion == "recovered",
)


def newest(connection: Connection, receiver_id: str, group: str) -> Row[Any] | None:
    """The newest notice to a receiver that alerts of a group were raised."""
    wanted = (
        select(notice_delivery)
        .where(
            notice_delivery.c.receiver_id == receiver_id,
            notice_delivery.c.group_key == group,
            notice_delivery.c.occasion == "raised",
        )
        .order_by(notice_delivery.c.created_at.desc(), notice_delivery.c.id.desc())
        .limit(1)
    )
    return connection.execute(wanted).first()


def summaries(connection: Connection, delivery_id: str, most: int) -> Sequence[str]:
    """Texts of the first alerts of a notice."""
    wanted = (
        select(notice_alert.c.what)
        .where(notice_alert.c.delivery_id == delivery_id)
        .order_by(notice_alert.c.alert_id)
        .limit(most)
    )
    return connection.execute(wanted).scalars().all()


def cover(connection: Connection, delivery_id: str, receiver_id: str, covered: Mapping[str, str]) -> None:
    """Record the alerts that a notice to a receiver covers (id → the event)."""
    rows = [
        {"receiver_id": receiver_id, "alert_id": alert_id, "delivery_id": delivery_id, "what": what}
        for alert_id, what in covered.items()
    ]
    connection.execute(notice_alert.insert(), rows)


def add_to(connection: Connection, delivery_id: str, now: datetime, **values: Any) -> bool:
    """Change a notice that is held back still; False: it may be on its way, or its alerts were over."""
    held = and_(
        notice_delivery.c.id == delivery_id,
        notice_delivery.c.state == DeliveryState.WAITING,
        notice_delivery.c.attempts == 0,
        notice_delivery.c.held_until > now,
        ~_recovery_queued,
    )
    return connection.execute(update(notice_delivery).where(held).values(**values)).rowcount > 0


def ended(connection: Connection, receiver_id: str, alert_ids: Iterable[str]) -> Sequence[Row[Any]]:
    """Notices to a receiver about some of these alerts and about no open one. With `last_alert_id`, one of these
    alerts."""
    others = notice_alert.alias("other_alert")
    lasting = exists().where(
        others.c.delivery_id == notice_delivery.c.id,
        others.c.alert_id == alert.c.id,
        alert.c.recovered_time.is_(None),
    )
    covered = (
        select(notice_alert.c.delivery_id, func.max(notice_alert.c.alert_id).label("last_alert_id"))
        .where(notice_alert.c.receiver_id == receiver_id, among(notice_alert.c.alert_id, alert_ids))
        .group_by(notice_alert.c.delivery_id)
        .subquery()
    )
    wanted = (
        select(notice_delivery, covered.c.last_alert_id)
        .join(covered, covered.c.delivery_id == notice_delivery.c.id)
        .where(~lasting, ~_recovery_queued)
        .order_by(notice_delivery.c.created_at, notice_delivery.c.id)
    )
    return connection.execute(wanted).all()


def reschedule_held(
    connection: Connection, receiver_id: str, levels: Iterable[int], until: datetime, now: datetime
) -> None:
    """Move the release of notices that are held back for a receiver."""
    held = and_(
        notice_delivery.c.receiver_id == receiver_id,
        notice_delivery.c.state == DeliveryState.WAITING,
        notice_delivery.c.held_until > now,
        notice_delivery.c.level.in_(list(levels)),
    )
    connection.execute(update(notice_delivery).where(held).values(held_until=until))
