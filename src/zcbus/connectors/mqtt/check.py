"""The connection test, check by check."""

import uuid
from collections.abc import Iterator

from zcbus.connectors.consuming.check import detail_of
from zcbus.connectors.consuming.consumer import TopicTrouble
from zcbus.connectors.errors import AccessDenied
from zcbus.connectors.mqtt.link import RETAINED_NEVER, MqttLink
from zcbus.connectors.mqtt.reader import MqttReader, require_subscribed
from zcbus.connectors.mqtt.spec import MqttOptions
from zcbus.connectors.roles import CheckResult, Side
from zcbus.kit.errors import ZcbusError

_SHOWN = 20


class MqttTester:
    """See Tester. Its session ends with the test."""

    def test(self, options: MqttOptions, side: Side) -> list[CheckResult]:
        connect = f"connect to {options.address}"
        seconds = options.expiry * 3600
        try:
            link = MqttLink(options, f"{options.client}test-{uuid.uuid4().hex[:8]}", clean=True, expiry=seconds)
        except AccessDenied as error:
            return [CheckResult("login", connect, False, True, detail_of(error), "", "account")]
        except ZcbusError as error:
            return [CheckResult("reachable", connect, False, True, detail_of(error), "", "address")]
        try:
            reached = CheckResult("reachable", connect, True, True, "MQTT 5")
            if side == "target":
                return [reached]
            return [reached, _session(link, seconds), *_subscriptions(link, options)]
        finally:
            link.close(expiry=0)


def _session(link: MqttLink, seconds: int) -> CheckResult:
    """Whether the broker keeps sessions as long as it should. It answers with a value only to change ours."""
    granted = link.granted("SessionExpiryInterval")
    kept = seconds if granted is None else int(granted)
    remedy = "" if kept >= seconds else f"Session Expiry Interval ≥ {seconds} s"
    return CheckResult("session", "Session Expiry Interval", kept >= seconds, kept == 0, f"{kept} s", remedy)


def _subscriptions(link: MqttLink, options: MqttOptions) -> Iterator[CheckResult]:
    """Whether each topic filter can be subscribed with QoS 1."""
    if not options.filters():
        yield CheckResult("permissions", "subscribe", False, True, "0", "", "topics")
    for name in options.filters()[:_SHOWN]:
        statement = f"subscribe {name}"
        try:
            MqttReader(options).topics([name])
            granted = link.subscribe(name, RETAINED_NEVER).value
            require_subscribed(name, granted)
        except TopicTrouble as trouble:
            is_denied = trouble.reason == "topic-denied"
            remedy = "" if is_denied else "QoS ≥ 1, no $share/"
            yield CheckResult(
                "permissions", statement, False, True, trouble.detail, remedy, "topics" if is_denied else ""
            )
        except ZcbusError as error:
            yield CheckResult("permissions", statement, False, True, detail_of(error), "", "topics")
            return
        else:
            yield CheckResult("permissions", statement, True, True, f"QoS {granted}")
