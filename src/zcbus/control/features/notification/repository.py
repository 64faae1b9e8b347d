"""Queries over receivers of notices and deliveries. Those of people carry the condition that hides other tenants'
rows."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, delete, func, or_, select, update

from zcbus.control.features.notification.states import ENDED, OPEN, DeliveryState
from zcbus.control.platform.principal import Principal
from zcbus.control.store.among import among
from zcbus.control.store.tables.notification import notice_delivery, notice_receiver
from zcbus.control.store.tables.subscribe import customer
from zcbus.kit.ids import new_id

_last = notice_delivery.alias("last_delivery")
_newest = (
    select(notice_delivery.c.id)
    .where(notice_delivery.c.receiver_id == notice_receiver.c.id)
    .order_by(notice_delivery.c.created_at.desc(), notice_delivery.c.id.desc())
    .limit(1)
    .correlate(notice_receiver)
    .scalar_subquery()
)
_waiting = (
    select(func.count())
    .select_from(notice_delivery)
    .where(notice_delivery.c.receiver_id == notice_receiver.c.id, notice_delivery.c.state.in_(OPEN))
    .correlate(notice_receiver)
    .scalar_subquery()
)


def receivers(principal: Principal) -> Select[Any]:
    """Receivers with their subscriber's name, their newest delivery (`last_…`) and how many are not over."""
    return (
        select(
            notice_receiver,
            customer.c.name.label("customer_name"),
            _last.c.state.label("last_state"),
            _last.c.created_at.label("last_at"),
            _last.c.reason.label("last_reason"),
            _waiting.label("waiting"),
        )
        .select_from(notice_receiver)
        .outerjoin(customer, customer.c.id == notice_receiver.c.customer_id)
        .outerjoin(_last, _last.c.id == _newest)
        .where(principal.visible(notice_receiver.c.tenant_id))
    )


def find_receiver(connection: Connection, principal: Principal, receiver_id: str) -> Row[Any] | None:
    return connection.execute(receivers(principal).where(notice_receiver.c.id == receiver_id)).first()


def count_receivers(connection: Connection, tenant_id: str) -> int:
    counted = select(func.count()).select_from(notice_receiver).where(notice_receiver.c.tenant_id == tenant_id)
    return int(connection.execute(counted).scalar_one())


def name_is_taken(connection: Connection, tenant_id: str, name: str, besides: str | None) -> bool:
    same = (notice_receiver.c.tenant_id == tenant_id, notice_receiver.c.name == name)
    found = select(notice_receiver.c.id).where(*same, notice_receiver.c.id != (besides or ""))
    return connection.execute(found).first() is not None


def insert_receiver(connection: Connection, **values: Any) -> None:
    connection.execute(notice_receiver.insert().values(**values))


def change_receiver(connection: Connection, receiver_id: str, **values: Any) -> None:
    connection.execute(update(notice_receiver).where(notice_receiver.c.id == receiver_id).values(**values))


def remove_receiver(connection: Connection, receiver_id: str) -> None:
    connection.execute(delete(notice_receiver).where(notice_receiver.c.id == receiver_id))


def listening(connection: Connection, tenant_ids: Iterable[str]) -> Sequence[Row[Any]]:
    """Receivers of tenants that are on."""
    wanted = select(notice_receiver).where(among(notice_receiver.c.tenant_id, tenant_ids), notice_receiver.c.enabled)
    return connection.execute(wanted).all()


def open_counts(connection: Connection, receiver_ids: Iterable[str]) -> Mapping[str, int]:
    """How many deliveries to each receiver are not over."""
    counted = (
        select(notice_delivery.c.receiver_id, func.count())
        .where(among(notice_delivery.c.receiver_id, receiver_ids), notice_delivery.c.state.in_(OPEN))
        .group_by(notice_delivery.c.receiver_id)
    )
    return {row[0]: row[1] for row in connection.execute(counted)}


def insert_delivery(connection: Connection, **values: Any) -> str:
    delivery_id = new_id()
    connection.execute(notice_delivery.insert().values(id=delivery_id, **values))
    return delivery_id


def receivers_with_open(connection: Connection) -> Sequence[str]:
    """Ids of receivers that something waits for."""
    wanted = select(notice_delivery.c.receiver_id).where(notice_delivery.c.state.in_(OPEN)).distinct()
    return connection.execute(wanted).scalars().all()


def head(connection: Connection, receiver_id: str, now: datetime, *, lock: bool = False) -> Row[Any] | None:
    """The oldest delivery to a receiver that is neither over nor held back: the only one that may be sent. `lock`:
    until the transaction ends."""
    held_until = notice_delivery.c.held_until
    wanted = (
        select(notice_delivery)
        .where(
            notice_delivery.c.receiver_id == receiver_id,
            notice_delivery.c.state.in_(OPEN),
            or_(held_until.is_(None), held_until <= now),
        )
        # What was held back takes its turn as if it were made when that ended.
        .order_by(
            func.coalesce(held_until, notice_delivery.c.created_at), notice_delivery.c.created_at, notice_delivery.c.id
        )
        .limit(1)
    )
    return connection.execute(wanted.with_for_update() if lock else wanted).first()


def receiver_of(connection: Connection, receiver_id: str) -> Row[Any] | None:
    """A receiver of any owner."""
    return connection.execute(select(notice_receiver).where(notice_receiver.c.id == receiver_id)).first()


def change_delivery(connection: Connection, delivery_id: str, **values: Any) -> None:
    connection.execute(update(notice_delivery).where(notice_delivery.c.id == delivery_id).values(**values))


def claim(connection: Connection, delivery_id: str, **values: Any) -> Row[Any]:
    """A delivery with these values."""
    change_delivery(connection, delivery_id, **values)
    return connection.execute(select(notice_delivery).where(notice_delivery.c.id == delivery_id)).one()


def reopen(connection: Connection, delivery_id: str, **values: Any) -> bool:
    """Change a delivery that is over; False: it is not."""
    over = and_(notice_delivery.c.id == delivery_id, notice_delivery.c.state.in_(ENDED))
    return connection.execute(update(notice_delivery).where(over).values(**values)).rowcount > 0


def end_attempt(connection: Connection, delivery_id: str, attempt: int, **values: Any) -> bool:
    """Store the result of an attempt; False: it was given up meanwhile, and another one counts."""
    same = and_(
        notice_delivery.c.id == delivery_id,
        notice_delivery.c.state == DeliveryState.SENDING,
        notice_delivery.c.attempts == attempt,
    )
    return connection.execute(update(notice_delivery).where(same).values(**values)).rowcount > 0


def fail_open(connection: Connection, receiver_id: str, now: datetime, reason: Mapping[str, Any]) -> None:
    """Drop a receiver's pending deliveries."""
    waiting = and_(notice_delivery.c.receiver_id == receiver_id, notice_delivery.c.state == DeliveryState.WAITING)
    values = {"state": DeliveryState.FAILED, "ended_at": now, "reason": reason}
    connection.execute(update(notice_delivery).where(waiting).values(**values))


def deliveries(principal: Principal) -> Select[Any]:
    return select(notice_delivery).where(principal.visible(notice_delivery.c.tenant_id))


def find_delivery(connection: Connection, principal: Principal, delivery_id: str) -> Row[Any] | None:
    return connection.execute(deliveries(principal).where(notice_delivery.c.id == delivery_id)).first()


def remove_before(connection: Connection, limit: datetime, most: int) -> int:
    """Forget deliveries that ended before `limit`; returns how many."""
    old = select(notice_delivery.c.id).where(notice_delivery.c.ended_at < limit).limit(most)
    return connection.execute(delete(notice_delivery).where(notice_delivery.c.id.in_(old))).rowcount
