"""Deliveries as they are shown, and sending one again."""

from typing import Any

from sqlalchemy import Row

from zcbus.control.features.notification import repository
from zcbus.control.features.notification.errors import DeliveryOpenError, ReceiverGoneError
from zcbus.control.features.notification.schemas import DELIVERIES, NoticeDeliveryPageRequest, NoticeDeliveryRecord
from zcbus.control.features.notification.states import DeliveryState
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.notification import notice_delivery

_SHOWN = (
    *("id", "receiver_id", "receiver_name", "way", "target", "occasion", "level", "customer_name", "title", "content"),
    *("alerts", "state", "attempts", "created_at", "ended_at"),
)


def listing(call: Call, request: NoticeDeliveryPageRequest) -> Listing[NoticeDeliveryRecord]:
    """The newest first."""
    texts = ReasonTexts.of(call)
    statement = repository.deliveries(call.principal)
    if request.receiver is not None:
        statement = statement.where(notice_delivery.c.receiver_id == request.receiver)
    if request.search.strip():
        searched = (notice_delivery.c.title, notice_delivery.c.receiver_name, notice_delivery.c.target)
        statement = statement.where(any_contains(searched, request.search.strip()))
    if request.state:
        statement = statement.where(notice_delivery.c.state.in_(request.state))
    usual = [notice_delivery.c.created_at.desc(), notice_delivery.c.id.desc()]
    return Listing(DELIVERIES, statement, usual, lambda row: record(row, texts))


def find(call: Call, delivery_id: str) -> Row[Any]:
    """Raises RecordNotFoundError."""
    row = repository.find_delivery(call.connection, call.principal, delivery_id)
    if row is None:
        raise RecordNotFoundError(kind="notice-delivery", id=delivery_id)
    return row


def resend(call: Call, row: Row[Any]) -> None:
    """Have it sent again, as often as a new one. Raises DeliveryOpenError, ReceiverGoneError."""
    if repository.receiver_of(call.connection, row.receiver_id) is None:
        raise ReceiverGoneError
    due = {"state": DeliveryState.WAITING, "attempts": 0, "next_at": call.services.clock.now(), "held_until": None}
    if not repository.reopen(call.connection, row.id, ended_at=None, reason=None, **due):
        raise DeliveryOpenError


def record(row: Row[Any], texts: ReasonTexts) -> NoticeDeliveryRecord:
    shown = {name: getattr(row, name) for name in _SHOWN}
    next_at = max(row.next_at, row.held_until or row.next_at) if row.state == DeliveryState.WAITING else None
    return NoticeDeliveryRecord(next_at=next_at, reason=texts.record(row.reason), **shown)
