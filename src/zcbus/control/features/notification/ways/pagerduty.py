"""Events in the form of PagerDuty's Events API, version 2: an alert triggers an incident, its end resolves it."""

from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import orjson

from zcbus.control.features.notification.transport import Reach, post
from zcbus.control.features.notification.ways.base import Notice, Receiver, check, shortened

_SEVERITIES = {0: "info", 1: "warning", 3: "critical"}
_MAX_SUMMARY_LENGTH = 1_000


def send(notice: Notice, receiver: Receiver, reach: Reach, _now: datetime) -> None:
    url = receiver.settings["eventsUrl"]
    # An incident of a test is over at once.
    actions = {"recovered": ("resolve",), "test": ("trigger", "resolve")}.get(notice.occasion, ("trigger",))
    for action in actions:
        answer = post(reach, url, orjson.dumps(_event(notice, receiver, action)), {})
        check(answer, urlsplit(url).hostname or "")


def _event(notice: Notice, receiver: Receiver, action: str) -> dict[str, Any]:
    return {
        "routing_key": receiver.secrets["secret"],
        "event_action": action,
        # The same incident, however often it is sent.
        "dedup_key": notice.alert_id,
        "payload": {
            "summary": shortened(notice.title, _MAX_SUMMARY_LENGTH),
            "source": notice.customer or "ZCBUS",
            "severity": _SEVERITIES[notice.level],
            "timestamp": notice.at.isoformat(),
            "class": notice.kind,
            "custom_details": {"content": notice.content},
        },
    }
