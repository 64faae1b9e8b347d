"""Hands alerts on to receivers of notices: when they are raised, while they last, and when they are over."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, Row

from zcbus.control.features.alert import repository
from zcbus.control.features.alert.kinds import is_lasting
from zcbus.control.features.alert.texts import content_of, remedy_of
from zcbus.control.features.notification.event import Event
from zcbus.control.features.notification.queueing import queue
from zcbus.control.platform.language import Language
from zcbus.control.platform.messages import Catalogue
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.platform.services import Services

_Occasion = Literal["raised", "repeated", "recovered"]


def notify(
    connection: Connection, services: Services, occasion: _Occasion, alert_ids: Sequence[str], now: datetime
) -> None:
    """In the transaction that wrote the alerts."""
    if alert_ids:
        rows = repository.select_alerts(connection, alert_ids)
        events = [_event(row, occasion, services.catalogue, now) for row in rows]
        queue(connection, services.catalogue, events, now)


def _event(row: Row[Any], occasion: _Occasion, catalogue: Catalogue, now: datetime) -> Event:
    return Event(
        alert_id=row.id,
        occasion=occasion,
        tenant_id=row.tenant_id,
        kind=row.kind,
        level=row.level,
        customer_id=row.customer_id,
        customer_name=row.customer_name,
        at=now,
        group=_group(row),
        words=_words(row, catalogue),
        repetition=row.repeats if occasion == "repeated" else 0,
    )


def _group(row: Row[Any]) -> str | None:
    """Alerts of one kind, and of one own rule, about one link, or about one subscriber or tenant where no link is
    concerned."""
    if not is_lasting(row.kind):
        return None
    of_rule = f" {row.rule_id}" if row.rule_id else ""
    return f"{row.kind}{of_rule} {row.link_id or row.customer_id}"


def _words(row: Row[Any], catalogue: Catalogue) -> Callable[[Language], tuple[str, str]]:
    def words(language: Language) -> tuple[str, str]:
        texts = ReasonTexts(catalogue, language)
        reason = texts.record(row.reason)
        content = content_of(row, texts)
        return (f"{content} ({reason.text})" if reason else content), remedy_of(row, texts)

    return words
