"""Input of every way of delivery."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import orjson

from zcbus.control.features.notification.errors import NoticeRefusedError, ReceiverBusyError
from zcbus.control.features.notification.states import Occasion
from zcbus.control.features.notification.transport import Answer, Reach
from zcbus.control.platform.language import Language

_SHOWN_ANSWER = 200
_SLOW_DOWN = 429
_SERVER_FAILED = 500


class Way(StrEnum):
    """How notices reach a receiver."""

    MAIL = "mail"
    WEBHOOK = "webhook"
    DINGTALK = "dingtalk"
    WECOM = "wecom"
    FEISHU = "feishu"
    SLACK = "slack"
    TEAMS = "teams"
    PAGERDUTY = "pagerduty"


@dataclass(frozen=True, slots=True)
class Notice:
    """Contents of a notice. `id` is the delivery's, the same in every attempt. `alerts`: number of alerts it covers;
    `alert_id` is the first one's, of a test the delivery's. `at`: when it was raised or was over. Title and content are
    plain text; the title is one line."""

    id: str
    alert_id: str
    occasion: Occasion
    kind: str
    level: int
    customer: str
    title: str
    content: str
    alerts: int
    at: datetime
    language: Language


@dataclass(frozen=True, slots=True)
class Receiver:
    """Where it is sent: what is no secret, and what is."""

    settings: Mapping[str, Any]
    secrets: Mapping[str, str]


Send = Callable[[Notice, Receiver, Reach, datetime], None]
"""Takes the present moment last; signatures carry it."""


def check(answer: Answer, host: str) -> None:
    """Raises ReceiverBusyError, NoticeRefusedError unless the status is a success."""
    if 200 <= answer.status < 300:
        return
    said = f"{answer.status} {shown(answer.content)}".strip()
    if answer.status == _SLOW_DOWN or answer.status >= _SERVER_FAILED:
        raise ReceiverBusyError(address=host, answer=said)
    raise NoticeRefusedError(address=host, answer=said)


def check_code(answer: Answer, host: str, name: str, busy: frozenset[int]) -> None:
    """As `check`, of servers that answer 200 with a code of their own, 0 of a success; `busy`: codes that ask to come
    back later."""
    check(answer, host)
    try:
        said = orjson.loads(answer.content)
        code = int(said.get(name, 0))
    except (ValueError, TypeError, AttributeError):
        raise NoticeRefusedError(address=host, answer=shown(answer.content)) from None
    if code in busy:
        raise ReceiverBusyError(address=host, answer=shown(answer.content))
    if code != 0:
        raise NoticeRefusedError(address=host, answer=shown(answer.content))


def shown(content: bytes) -> str:
    """The beginning of an answer as one line of text."""
    return " ".join(content[: 4 * _SHOWN_ANSWER].decode(errors="replace").split())[:_SHOWN_ANSWER]


def shortened(text: str, most_bytes: int) -> str:
    """Text of no more than so many bytes in UTF-8."""
    encoded = text.encode()
    if len(encoded) <= most_bytes:
        return text
    return encoded[: most_bytes - 3].decode(errors="ignore") + "…"
