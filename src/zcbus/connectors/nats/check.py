"""The connection test, check by check."""

from contextlib import closing

from zcbus.connectors.consuming.check import check_topics, detail_of
from zcbus.connectors.emitting.messages import place_of
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
            reached = CheckResult("reachable", connect, True, True, consumer.identity())
            if side == "target":
                return [reached, _keeper(consumer, options)]
            return [reached, *check_topics(consumer, options)]


def _keeper(consumer: NatsConsumer, options: NatsOptions) -> CheckResult:
    """Whether a stream keeps what is sent for a table, whichever it is."""
    subject = place_of(options.subject, "orders")
    statement = f"stream with the subject {subject}"
    try:
        stream = consumer.keeper(subject)
    except ZcbusError as error:
        return CheckResult("configuration", statement, False, True, detail_of(error), "", "access")
    remedy = "" if stream else f'nats stream add --subjects "{place_of(options.subject, "*")}"'
    return CheckResult("configuration", statement, bool(stream), True, stream, remedy, "topics")
