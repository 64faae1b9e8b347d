"""Makes deliveries of what happened, in the transaction that notes it: what is rolled back is never sent."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, Row

from zcbus.control.features.notification import repository
from zcbus.control.features.notification.states import DeliveryState
from zcbus.control.platform.language import Language
from zcbus.control.platform.messages import Catalogue

MOST_OPEN = 1_000
"""Deliveries that may wait for one receiver; more fail at once."""
_LONGEST_TITLE = 300
_MESSAGE = "message"


@dataclass(frozen=True, slots=True)
class Event:
    """An alert that was raised, or that is over. `at`: when. `words`: what it says and what to do, in a language."""

    alert_id: str
    occasion: Literal["raised", "recovered"]
    tenant_id: str
    kind: str
    level: int
    customer_id: str
    customer_name: str
    at: datetime
    words: Callable[[Language], tuple[str, str]]


def queue(connection: Connection, catalogue: Catalogue, events: Sequence[Event], now: datetime) -> None:
    """Have every receiver that listens get them. That an alert is over is for those who were notified of it."""
    listeners = repository.listening(connection, {event.tenant_id for event in events}) if events else ()
    if not listeners:
        return
    over = [event.alert_id for event in events if event.occasion == "recovered"]
    notified = repository.raised_before(connection, over) if over else set()
    open_now = dict(repository.open_counts(connection, [receiver.id for receiver in listeners]))
    rows = []
    for event in events:
        for receiver in listeners:
            if not _concerns(receiver, event, notified):
                continue
            open_now[receiver.id] = open_now.get(receiver.id, 0) + 1
            rows.append(_row(catalogue, receiver, event, now, is_full=open_now[receiver.id] > MOST_OPEN))
    repository.insert_deliveries(connection, rows)


def test_words(catalogue: Catalogue, receiver: Row[Any], user: str) -> dict[str, str]:
    """Title and content of a test."""
    language: Language = receiver.language
    facts = {"receiver": receiver.name, "user": user}
    return {
        "title": catalogue.text(language, "notice.test.title")[:_LONGEST_TITLE],
        "content": catalogue.text(language, "notice.test.content", **facts),
    }


def _concerns(receiver: Row[Any], event: Event, notified: set[tuple[str, str]]) -> bool:
    # Somebody wrote a message for whoever it concerns: it has no level to be measured by.
    is_of_level = event.kind == _MESSAGE or event.level >= receiver.min_level
    if receiver.tenant_id != event.tenant_id or not is_of_level:
        return False
    if receiver.customer_id is not None and receiver.customer_id != event.customer_id:
        return False
    return event.occasion == "raised" or (receiver.recovery and (receiver.id, event.alert_id) in notified)


def _row(catalogue: Catalogue, receiver: Row[Any], event: Event, now: datetime, *, is_full: bool) -> Mapping[str, Any]:
    return {
        "tenant_id": event.tenant_id,
        "receiver_id": receiver.id,
        "receiver_name": receiver.name,
        "way": receiver.way,
        "target": receiver.target,
        "alert_id": event.alert_id,
        "occasion": event.occasion,
        "kind": event.kind,
        "level": event.level,
        "customer_name": event.customer_name,
        **_words(catalogue, receiver.language, event),
        "state": DeliveryState.FAILED if is_full else DeliveryState.WAITING,
        "attempts": 0,
        "next_at": now,
        "created_at": now,
        "ended_at": now if is_full else None,
        "reason": {"code": "notice-queue-full", "facts": {"most": str(MOST_OPEN)}} if is_full else None,
    }


def _words(catalogue: Catalogue, language: Language, event: Event) -> dict[str, str]:
    what, remedy = event.words(language)
    line = " ".join(what.split())
    facts = {
        "what": line,
        "level": catalogue.text(language, f"notice.level.{event.level}"),
        "customer": event.customer_name,
        "at": event.at.strftime("%Y-%m-%d %H:%M:%S UTC"),
    }
    title = catalogue.text(language, f"notice.{event.occasion}.title", **facts)
    content = catalogue.text(language, f"notice.{event.occasion}.content", **{**facts, "what": what})
    advice = event.occasion == "raised" and remedy
    return {
        "title": title[:_LONGEST_TITLE],
        "content": content + ("\n" + catalogue.text(language, "notice.remedy", advice=remedy) if advice else ""),
    }
