"""Robots of chat rooms: DingTalk, WeCom, Feishu, Slack and Teams, each by its documented webhook."""

import hmac
from base64 import b64encode
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import quote_plus, urlsplit

import orjson

from zcbus.control.features.notification.transport import Answer, Reach, post
from zcbus.control.features.notification.ways.base import Notice, Receiver, check, check_code, shortened

# Robots take more, WeCom 4096 bytes of Markdown.
_LONGEST = 4_000
_SYSTEM_BUSY = -1
_DINGTALK_BUSY = frozenset({_SYSTEM_BUSY, 130101})
_WECOM_BUSY = frozenset({_SYSTEM_BUSY, 45009})
_FEISHU_BUSY = frozenset({9499, 11232, 99991400})


def send_to_dingtalk(notice: Notice, receiver: Receiver, reach: Reach, now: datetime) -> None:
    """Signed with the robot's secret where it has one."""
    url, secret = receiver.secrets["url"], receiver.secrets.get("secret", "")
    if secret:
        moment = str(int(now.timestamp() * 1000))
        signed = b64encode(hmac.digest(secret.encode(), f"{moment}\n{secret}".encode(), "sha256")).decode()
        url += f"{'&' if urlsplit(url).query else '?'}timestamp={moment}&sign={quote_plus(signed)}"
    text = shortened(f"#### {notice.title}\n\n{_paragraphs(notice.content)}", _LONGEST)
    answer = _post(reach, url, {"msgtype": "markdown", "markdown": {"title": notice.title, "text": text}})
    check_code(answer, _host(url), "errcode", _DINGTALK_BUSY)


def send_to_wecom(notice: Notice, receiver: Receiver, reach: Reach, _now: datetime) -> None:
    """The robot's key stands in its address; there is no signature."""
    url = receiver.secrets["url"]
    text = shortened(f"### {notice.title}\n{notice.content}", _LONGEST)
    answer = _post(reach, url, {"msgtype": "markdown", "markdown": {"content": text}})
    check_code(answer, _host(url), "errcode", _WECOM_BUSY)


def send_to_feishu(notice: Notice, receiver: Receiver, reach: Reach, now: datetime) -> None:
    """Signed with the robot's secret where it has one: the key is moment and secret, the message is empty."""
    url, secret = receiver.secrets["url"], receiver.secrets.get("secret", "")
    body: dict[str, Any] = {"msg_type": "text", "content": {"text": shortened(_plain(notice), _LONGEST)}}
    if secret:
        moment = str(int(now.timestamp()))
        signed = hmac.digest(f"{moment}\n{secret}".encode(), b"", "sha256")
        body |= {"timestamp": moment, "sign": b64encode(signed).decode()}
    check_code(_post(reach, url, body), _host(url), "code", _FEISHU_BUSY)


def send_to_slack(notice: Notice, receiver: Receiver, reach: Reach, _now: datetime) -> None:
    """An incoming webhook."""
    url = receiver.secrets["url"]
    text = shortened(f"*{_for_slack(notice.title)}*\n{_for_slack(notice.content)}", _LONGEST)
    check(_post(reach, url, {"text": text}), _host(url))


def send_to_teams(notice: Notice, receiver: Receiver, reach: Reach, _now: datetime) -> None:
    """A workflow that takes an adaptive card."""
    url = receiver.secrets["url"]
    lines = [{"type": "TextBlock", "text": line, "wrap": True} for line in notice.content.splitlines() if line]
    title = {"type": "TextBlock", "text": notice.title, "wrap": True, "weight": "Bolder", "size": "Medium"}
    card = {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        "body": [title, *lines],
    }
    attachment = {"contentType": "application/vnd.microsoft.card.adaptive", "contentUrl": None, "content": card}
    check(_post(reach, url, {"type": "message", "attachments": [attachment]}), _host(url))


def _post(reach: Reach, url: str, body: Mapping[str, Any]) -> Answer:
    return post(reach, url, orjson.dumps(body), {})


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""


def _plain(notice: Notice) -> str:
    return f"{notice.title}\n{notice.content}"


def _paragraphs(text: str) -> str:
    """Markdown joins lines; each is to stay one."""
    return "\n\n".join(text.splitlines())


def _for_slack(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
