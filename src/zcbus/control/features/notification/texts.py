"""Titles and contents of notices, in the receiver's language."""

import re
from collections.abc import Sequence
from datetime import datetime

from zcbus.control.features.notification.event import Event
from zcbus.control.platform.language import Language
from zcbus.control.platform.messages import Catalogue

MAX_LINES = 20
"""Alerts that a notice names; it counts the others."""
_MAX_TITLE_LENGTH = 300
_MOMENT = re.compile(r"\b(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?\+00:00")


def line_of(what: str) -> str:
    return " ".join(what.split())


def with_zone(text: str) -> str:
    """A text whose moments name their zone as all moments of a notice do: a receiver has no zone of its own."""
    return _MOMENT.sub(r"\1 \2 UTC", text)


def raised(
    catalogue: Catalogue,
    language: Language,
    event: Event,
    summaries: Sequence[str],
    count: int | None = None,
    at: datetime | None = None,
) -> dict[str, str | int]:
    """Of alerts of one group: `summaries` names the first of them, `count` counts all (None: they are all)."""
    what, remedy = event.words(language)
    # A message keeps its lines.
    body = what if len(summaries) == 1 and count in (None, 1) else None
    words = _render(catalogue, language, event, summaries, count or len(summaries), at or event.at, body)
    if remedy:
        words["content"] = f"{words['content']}\n{catalogue.text(language, 'notice.remedy', advice=remedy)}"
    return words


def recovered(
    catalogue: Catalogue, language: Language, event: Event, summaries: Sequence[str], count: int
) -> dict[str, str | int]:
    """Of the alerts of one notice, as `raised`."""
    return _render(catalogue, language, event, summaries, count, event.at, None)


def test(catalogue: Catalogue, language: Language, receiver: str, user: str) -> dict[str, str]:
    """Of a test."""
    return {
        "title": catalogue.text(language, "notice.test.title")[:_MAX_TITLE_LENGTH],
        "content": catalogue.text(language, "notice.test.content", receiver=receiver, user=user),
    }


def _render(
    catalogue: Catalogue,
    language: Language,
    event: Event,
    summaries: Sequence[str],
    count: int,
    at: datetime,
    body: str | None,
) -> dict[str, str | int]:
    def text(key: str, **facts: object) -> str:
        return catalogue.text(language, key, **facts)

    facts = {
        "level": text(f"notice.level.{event.level}"),
        "customer": event.customer_name,
        "at": at.strftime("%Y-%m-%d %H:%M:%S UTC"),
    }
    line = summaries[0] if count == 1 else text("notice.several", what=summaries[0], more=count - 1)
    rest = [text("notice.more", more=count - len(summaries))] if count > len(summaries) else []
    content = text(f"notice.{event.occasion}.content", **facts, what=body or "\n".join([*summaries, *rest]))
    return {
        "title": with_zone(text(f"notice.{event.occasion}.title", **facts, what=line))[:_MAX_TITLE_LENGTH],
        "content": with_zone(content),
        "alerts": count,
    }
