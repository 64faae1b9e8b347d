"""The connection test, check by check."""

from contextlib import closing

from zcbus.connectors.consuming.check import check_topics, detail_of
from zcbus.connectors.errors import AccessDenied
from zcbus.connectors.nats.consumer import NatsConsumer
from zcbus.connectors.nats.spec import NatsOptions
from zcbus.connectors.roles import CheckResult, Side
from zcbus.kit.errors import ZcbusError


class NatsTester:
    """See Tester."""

    def test(self, options: NatsOptions, side: Side) -> list[CheckResult]:
        connect = f"connect to {options.address}"
        try:
            consumer = NatsConsumer(options)
        except AccessDenied as error:
            return [CheckResult("login", connect, False, True, detail_of(error), "", "account")]
        except ZcbusError as error:
            return [CheckResult("reachable", connect, False, True, detail_of(error), "", "address")]
        with closing(consumer):
            return [
                CheckResult("reachable", connect, True, True, consumer.identity()),
                *check_topics(consumer, options),
            ]
