"""Makes deliveries of what happened, in the transaction that notes it: what is rolled back is never sent.

Alerts of one group (`Event.group`) have one cause. The first is sent at once, with those noticed in the same moment;
what follows within `WINDOW` is collected in one notice, which leaves when the window ends. That they are over is sent
once, when the last alert of a notice is.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.notification import group_repository, repository, texts
from zcbus.control.features.notification.event import Event
from zcbus.control.features.notification.quiet import quiet_until
from zcbus.control.features.notification.states import DeliveryState
from zcbus.control.platform.messages import Catalogue

MAX_OPEN = 1_000
"""Deliveries that may wait for one receiver; more fail at once."""
WINDOW = timedelta(minutes=1)
_MESSAGE = "message"
_IMPORTANT = 3


def queue(connection: Connection, catalogue: Catalogue, events: Sequence[Event], now: datetime) -> None:
    """Have every receiver that listens get them. The occasion of all is the same. That alerts are over is for those who
    were notified of them, and is written already."""
    listeners = repository.listening(connection, {event.tenant_id for event in events}) if events else ()
    if not listeners:
        return
    open_now = dict(repository.open_counts(connection, [receiver.id for receiver in listeners]))
    work = _Queueing(connection, catalogue, now, open_now)
    for receiver in listeners:
        if events[0].occasion == "recovered":
            work.queue_ends(receiver, [event for event in events if receiver.recovery])
            continue
        add = work.queue_beginnings if events[0].occasion == "raised" else work.queue_repetition
        for group in _in_groups(event for event in events if _concerns(receiver, event)):
            add(receiver, group)


def hold_until(receiver: Row[Any], level: int, now: datetime) -> datetime | None:
    """When a receiver's quiet hours end, if they hold back a notice of this level now."""
    if receiver.quiet_zone is None or (receiver.quiet_important and level >= _IMPORTANT):
        return None
    return quiet_until(receiver.quiet_from, receiver.quiet_to, receiver.quiet_zone, now)


@dataclass(frozen=True, slots=True)
class _Queueing:
    connection: Connection
    catalogue: Catalogue
    now: datetime
    open_now: dict[str, int]

    def queue_beginnings(self, receiver: Row[Any], events: Sequence[Event]) -> None:
        """Alerts of one group."""
        first = events[0]
        held = hold_until(receiver, first.level, self.now)
        if first.group is not None:
            newest = group_repository.newest(self.connection, receiver.id, first.group)
            if newest is not None and self._is_added(receiver, newest, events):
                return
            window_ends = (newest.held_until or newest.created_at) + WINDOW if newest is not None else self.now
            if window_ends > self.now:
                held = max(held or window_ends, window_ends)
        summaries = [texts.line_of(event.words(receiver.language)[0]) for event in events]
        delivery_id = self._insert(
            receiver, first, held, texts.raised(self.catalogue, receiver.language, first, summaries)
        )
        group_repository.cover(self.connection, delivery_id, receiver.id, _summaries_of(events, summaries))

    def queue_repetition(self, receiver: Row[Any], events: Sequence[Event]) -> None:
        """Alerts of one group that last. In quiet hours nothing is added: that they were raised waits already."""
        first = events[0]
        if hold_until(receiver, first.level, self.now) is None:
            summaries = [texts.line_of(event.words(receiver.language)[0]) for event in events]
            self._insert(receiver, first, None, texts.raised(self.catalogue, receiver.language, first, summaries))

    def _is_added(self, receiver: Row[Any], newest: Row[Any], events: Sequence[Event]) -> bool:
        """Whether a notice that still collects has taken the alerts in."""
        if newest.held_until is None or newest.held_until <= self.now:
            return False
        summaries = [texts.line_of(event.words(receiver.language)[0]) for event in events]
        count = newest.alerts + len(events)
        listed = [*group_repository.summaries(self.connection, newest.id, texts.MAX_LINES), *summaries][
            : texts.MAX_LINES
        ]
        words = texts.raised(self.catalogue, receiver.language, events[0], listed, count, newest.created_at)
        if not group_repository.add_to(self.connection, newest.id, self.now, **words):
            return False
        group_repository.cover(self.connection, newest.id, receiver.id, _summaries_of(events, summaries))
        return True

    def queue_ends(self, receiver: Row[Any], events: Sequence[Event]) -> None:
        """Alerts of any group, which are noted as over."""
        by_alert = {event.alert_id: event for event in events}
        for notice in group_repository.ended(self.connection, receiver.id, by_alert):
            event = by_alert[notice.last_alert_id]
            held = hold_until(receiver, event.level, self.now)
            # A recovery is never sent before its alert.
            if notice.held_until is not None and notice.held_until > self.now:
                held = max(held or notice.held_until, notice.held_until)
            listed = group_repository.summaries(self.connection, notice.id, texts.MAX_LINES)
            words = texts.recovered(self.catalogue, receiver.language, event, listed, notice.alerts)
            self._insert(receiver, event, held, words, alert_id=notice.alert_id)

    def _insert(
        self,
        receiver: Row[Any],
        event: Event,
        held_until: datetime | None,
        words: Mapping[str, Any],
        alert_id: str | None = None,
    ) -> str:
        self.open_now[receiver.id] = self.open_now.get(receiver.id, 0) + 1
        is_full = self.open_now[receiver.id] > MAX_OPEN
        return repository.insert_delivery(
            self.connection,
            tenant_id=event.tenant_id,
            receiver_id=receiver.id,
            receiver_name=receiver.name,
            way=receiver.way,
            target=receiver.target,
            alert_id=alert_id or event.alert_id,
            occasion=event.occasion,
            repetition=event.repetition,
            kind=event.kind,
            level=event.level,
            customer_name=event.customer_name,
            **words,
            group_key=event.group,
            state=DeliveryState.FAILED if is_full else DeliveryState.WAITING,
            attempts=0,
            next_at=self.now,
            held_until=held_until,
            created_at=self.now,
            ended_at=self.now if is_full else None,
            reason={"code": "notice-queue-full", "facts": {"most": str(MAX_OPEN)}} if is_full else None,
        )


def _concerns(receiver: Row[Any], event: Event) -> bool:
    # A user's message has no level to filter by.
    is_of_level = event.kind == _MESSAGE or event.level >= receiver.min_level
    if receiver.tenant_id != event.tenant_id or not is_of_level:
        return False
    return receiver.customer_id is None or receiver.customer_id == event.customer_id


def _in_groups(events: Iterable[Event]) -> list[list[Event]]:
    """Each group in the order of its alerts; who stands alone is a group."""

    def key(event: Event) -> str:
        return event.group or f"alone {event.alert_id}"

    return [list(group) for _, group in groupby(sorted(events, key=key), key)]


def _summaries_of(events: Sequence[Event], summaries: Sequence[str]) -> dict[str, str]:
    return {event.alert_id: what for event, what in zip(events, summaries, strict=True)}
