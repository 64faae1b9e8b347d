"""A signed webhook: JSON, and HMAC-SHA256 over the moment and the body."""

import hmac
from datetime import datetime
from urllib.parse import urlsplit

import orjson

from zcbus.control.features.notification.transport import Reach, post
from zcbus.control.features.notification.ways.base import Notice, Receiver, check

TIME_HEADER = "X-ZCBUS-Timestamp"
SIGNATURE_HEADER = "X-ZCBUS-Signature"
DELIVERY_HEADER = "X-ZCBUS-Delivery"


def send(notice: Notice, receiver: Receiver, reach: Reach, now: datetime) -> None:
    url = receiver.secrets["url"]
    content = orjson.dumps(
        {
            "id": notice.id,
            "alertId": notice.alert_id,
            "occasion": notice.occasion,
            "kind": notice.kind,
            "level": notice.level,
            "customerName": notice.customer,
            "title": notice.title,
            "content": notice.content,
            "alerts": notice.alerts,
            "at": notice.at.isoformat(),
        }
    )
    moment = str(int(now.timestamp()))
    headers = {
        DELIVERY_HEADER: notice.id,
        TIME_HEADER: moment,
        SIGNATURE_HEADER: f"v1={signature(receiver.secrets['secret'], moment, content)}",
    }
    check(post(reach, url, content, headers), urlsplit(url).hostname or "")


def signature(secret: str, moment: str, content: bytes) -> str:
    """In hexadecimal, of `moment`, a dot and the body: who checks both knows that the body is new."""
    return hmac.new(secret.encode(), moment.encode() + b"." + content, "sha256").hexdigest()
