"""A signed webhook: JSON, and HMAC-SHA256 over the moment and the body."""

from datetime import datetime
from urllib.parse import urlsplit

import orjson

from zcbus.control.features.notification.transport import Reach, post
from zcbus.control.features.notification.ways.base import Notice, Receiver, check
from zcbus.control.platform.webhook_signature import signed_headers

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
    headers = {DELIVERY_HEADER: notice.id, **signed_headers(receiver.secrets["secret"], now, content)}
    check(post(reach, url, content, headers), urlsplit(url).hostname or "")
