"""Sends new entries of the log to a receiver: in order, each at least once, from the stored position."""

from datetime import datetime
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.audit_stream import repository
from zcbus.control.features.audit_stream.entries import Entry, lost_entry, read_behind
from zcbus.control.features.audit_stream.errors import AuditReceiverError
from zcbus.control.features.audit_stream.receivers import Receiver, Way, receiver_of
from zcbus.control.platform.services import Services
from zcbus.kit.logging import get_logger

_log = get_logger("control.audit")

_AT_ONCE = 200
_FAILURE_LENGTH = 500
# Seconds after the begin of a failure within which every turn tries; then one of ten.
_EAGER_SECONDS = 60.0
_TRIED_EVERY = 10


def send_new(services: Services, way: Way) -> None:
    """Send what the receiver does not have. One control plane sends at a time; a crash between sending and storing the
    position sends some entries again."""
    receiver = receiver_of(services, way)
    if receiver is None or not _has_new(services, way):
        return
    while _send_portion(services, way, receiver):
        pass


def _has_new(services: Services, way: Way) -> bool:
    """Whether there is work. A receiver that fails for long is tried every ten seconds."""
    with services.database.read() as store:
        row = repository.find(store, way)
        last = repository.last_sequence(store)
    if row is None:
        return True
    now = services.clock.now()
    if row.failing_since is not None:
        seconds = (now - row.failing_since).total_seconds()
        if seconds > _EAGER_SECONDS and int(seconds) % _TRIED_EVERY:
            return False
    return bool(row.sequence < last)


def _send_portion(services: Services, way: Way, receiver: Receiver) -> bool:
    """Send the next entries; whether there may be more."""
    holder, now = services.instance, services.clock.now()
    with services.database.write() as store:
        row = repository.hold(store, way, holder, now)
    if row is None:
        return False
    with services.database.read() as store:
        portion = read_behind(store, row.sequence, _AT_ONCE)
    entries = [*_lost(row, portion.lost, now), *portion.entries]
    if not entries:
        return False
    try:
        receiver.take(entries)
    except AuditReceiverError as error:
        _note_failure(services, way, row, error)
        return False
    values = {"sequence": entries[-1].sequence, "lost": row.lost + portion.lost, "sent_at": now}
    with services.database.write() as store:
        repository.change(store, way, holder, **values, failing_since=None, failure=None)
    return len(portion.entries) == _AT_ONCE


def _lost(row: Row[Any], lost: int, now: datetime) -> list[Entry]:
    if not lost:
        return []
    _log.error("operation log removed before it was sent", way=row.way, entries=lost)
    return [lost_entry(lost, row.sequence + lost, now)]


def _note_failure(services: Services, way: Way, row: Row[Any], error: AuditReceiverError) -> None:
    detail = str(error.facts["detail"])[:_FAILURE_LENGTH]
    if row.failure != detail:
        _log.warning("operation log not sent", way=way, receiver=error.facts["receiver"], detail=detail)
    since = row.failing_since or services.clock.now()
    with services.database.write() as store:
        repository.change(store, way, services.instance, failing_since=since, failure=detail)
