"""Sending of pending deliveries, off the event loop.

Deliveries to a receiver keep their order: only the oldest open one is sent, and a temporary failure delays those behind
it. Claiming is one transaction that counts the attempt and sets until when it belongs to its claimer, so one of several
control planes sends it. A control plane that dies meanwhile leaves an attempt with an unknown result: it is repeated,
under the same id.
"""

import json
import time
from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.notification import repository
from zcbus.control.features.notification.redaction import redacted
from zcbus.control.features.notification.states import DeliveryState
from zcbus.control.features.notification.transport import WHOLE_SECONDS, Reach
from zcbus.control.features.notification.turns import Turns
from zcbus.control.features.notification.ways import SENDERS, Notice, Receiver, Way
from zcbus.control.platform.services import Services
from zcbus.control.store.sealed import place
from zcbus.control.store.tables.notification import notice_receiver
from zcbus.kit.errors import TransientError, ZcbusError
from zcbus.kit.logging import get_logger

_log = get_logger("control.notification")

CLAIM = timedelta(minutes=3)
"""Longer than an attempt can take (`transport.WHOLE_SECONDS`), connecting to several addresses included."""
RETRIES = (timedelta(seconds=10), timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=15), timedelta(hours=1))
EXPIRY = timedelta(hours=24)
"""An older notice is outdated."""
_KEPT = timedelta(days=90)
_REMOVED_AT_ONCE = 1_000
_turns = Turns()


def deliver(services: Services) -> None:
    """Send due deliveries. Several control planes may run it at once. Returns before slow servers have answered."""
    now = services.clock.now()
    due: dict[str, list[str]] = defaultdict(list)
    with services.database.read() as store:
        for receiver_id in repository.receivers_with_open(store):
            delivery = repository.head(store, receiver_id, now)
            if delivery is not None and _is_due(delivery, now):
                due[delivery.tenant_id].append(receiver_id)
    _turns.serve(due, partial(_deliver_to, services))


def remove_old(services: Services) -> None:
    """Forget deliveries that ended ninety days ago."""
    limit = services.clock.now() - _KEPT
    removed = _REMOVED_AT_ONCE
    while removed == _REMOVED_AT_ONCE:
        with services.database.write() as store:
            removed = repository.remove_before(store, limit, _REMOVED_AT_ONCE)


def attempt(services: Services, delivery: Row[Any], receiver: Row[Any], *, again: bool) -> bool:
    """Make the attempt of a claimed `delivery`, and store its result. Returns whether the delivery is over. `again`:
    whether another attempt may follow."""
    error = _failure(services, delivery, receiver)
    now = services.clock.now()
    if error is None:
        values: dict[str, Any] = {"state": DeliveryState.SENT, "ended_at": now, "reason": None}
    else:
        reason = {"code": error.code, "facts": _facts(services, error, receiver)}
        left = again and isinstance(error, TransientError) and delivery.attempts <= len(RETRIES)
        values = (
            {"state": DeliveryState.WAITING, "next_at": now + RETRIES[delivery.attempts - 1]}
            if left
            else {"state": DeliveryState.FAILED, "ended_at": now}
        ) | {"reason": reason}
    with services.database.write() as store:
        repository.end_attempt(store, delivery.id, delivery.attempts, claimed_until=None, **values)
    return values["state"] is not DeliveryState.WAITING


def opened(services: Services, receiver: Row[Any]) -> dict[str, str]:
    """A receiver's secrets by name."""
    secrets: dict[str, str] = json.loads(
        services.secrets.open(receiver.secret, place(notice_receiver.c.secret, receiver.id))
    )
    return secrets


def _is_due(delivery: Row[Any], now: datetime) -> bool:
    begins = delivery.next_at if delivery.state == DeliveryState.WAITING else delivery.claimed_until
    return bool(begins <= now)


def _deliver_to(services: Services, receiver_id: str) -> None:
    try:
        begun = time.monotonic()
        while time.monotonic() - begun < WHOLE_SECONDS:
            with services.database.write() as store:
                claimed = _claim(store, receiver_id, services.clock.now())
            if claimed is None or not attempt(services, *claimed, again=True):
                return
    except Exception as error:  # noqa: BLE001  the others are delivered all the same
        _log.error("delivery failed", receiver=receiver_id, exc_info=error)


def _claim(store: Connection, receiver_id: str, now: datetime) -> tuple[Row[Any], Row[Any]] | None:
    """The next delivery to a receiver, and the receiver; None: nothing is due, or another control plane has it."""
    receiver = repository.receiver_of(store, receiver_id)
    delivery = repository.head(store, receiver_id, now, lock=True)
    while delivery is not None and _is_due(delivery, now):
        hindrance = _hindrance(delivery, receiver, now)
        if hindrance is None and receiver is not None:
            attempt_of = {
                "state": DeliveryState.SENDING,
                "attempts": delivery.attempts + 1,
                "claimed_until": now + CLAIM,
            }
            # The receiver may have been changed since: the present one is used and recorded.
            place = {"receiver_name": receiver.name, "target": receiver.target}
            return repository.claim(store, delivery.id, **attempt_of, **place), receiver
        given_up = {"state": DeliveryState.FAILED, "ended_at": now, "reason": {"code": hindrance, "facts": {}}}
        repository.change_delivery(store, delivery.id, **given_up)
        delivery = repository.head(store, receiver_id, now, lock=True)
    return None


def _hindrance(delivery: Row[Any], receiver: Row[Any] | None, now: datetime) -> str | None:
    if receiver is None:
        return "notice-receiver-gone"
    if not receiver.enabled:
        return "notice-receiver-off"
    waits_since = max(delivery.next_at, delivery.held_until or delivery.next_at)
    return "notice-expired" if now - waits_since > EXPIRY else None


def _failure(services: Services, delivery: Row[Any], receiver: Row[Any]) -> ZcbusError | None:
    notice = Notice(
        id=delivery.id,
        alert_id=delivery.alert_id or delivery.id,
        occasion=delivery.occasion,
        kind=delivery.kind,
        level=delivery.level,
        customer=delivery.customer_name,
        title=delivery.title,
        content=delivery.content,
        alerts=delivery.alerts,
        at=delivery.created_at,
        language=receiver.language,
    )
    reach = Reach(services.settings.network, services.settings.tls.trusted)
    try:
        secrets = opened(services, receiver)
        SENDERS[Way(receiver.way)](notice, Receiver(receiver.settings, secrets), reach, services.clock.now())
    except ZcbusError as error:
        return error
    except Exception as error:  # noqa: BLE001  a defect of one way must not hold up the others
        _log.error("attempt failed", delivery=delivery.id, way=receiver.way, exc_info=error)
        return _AttemptFailedError()
    return None


def _facts(services: Services, error: ZcbusError, receiver: Row[Any]) -> Mapping[str, str]:
    try:
        secrets = tuple(opened(services, receiver).items())
    except ZcbusError:
        # Where they cannot be read, they were not sent.
        secrets = ()
    return {name: redacted(str(fact), secrets) for name, fact in error.facts.items()}


class _AttemptFailedError(TransientError):
    code = "server-error"
