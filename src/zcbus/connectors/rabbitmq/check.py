"""The connection test, check by check."""

import uuid
from collections.abc import Iterator
from contextlib import closing

from pika.exceptions import ChannelClosedByBroker

from zcbus.connectors.consuming.check import detail_of
from zcbus.connectors.consuming.consumer import TopicTrouble
from zcbus.connectors.errors import AccessDenied
from zcbus.connectors.rabbitmq.link import RabbitLink
from zcbus.connectors.rabbitmq.reader import MARKER, RabbitReader
from zcbus.connectors.rabbitmq.spec import RabbitOptions
from zcbus.connectors.rabbitmq.streams import RabbitStreams
from zcbus.connectors.roles import CheckResult, Side
from zcbus.kit.errors import ZcbusError

_SHOWN = 20


class RabbitTester:
    """See Tester. It takes no message."""

    def test(self, options: RabbitOptions, side: Side) -> list[CheckResult]:
        connect = f"connect to {options.address}, virtual host {options.vhost}"
        try:
            link = RabbitLink(options)
        except AccessDenied as error:
            return [CheckResult("login", connect, False, True, detail_of(error), "", "account")]
        except ZcbusError as error:
            return [CheckResult("reachable", connect, False, True, detail_of(error), "", "address")]
        with closing(link):
            reached = CheckResult("reachable", connect, True, True, "AMQP 0-9-1")
            if side == "target":
                return [reached, *_exchange(link, options)]
            if options.has_streams:
                with closing(RabbitStreams(options)) as streams:
                    return [reached, *_streams(streams, options)]
            marker = _marker(link)
        with closing(RabbitReader(options, f"test-{uuid.uuid4().hex[:8]}")) as reader:
            return [reached, marker, *_queues(reader, options)]


def _marker(link: RabbitLink) -> CheckResult:
    """Whether exchanges can be made by which a queue is known again."""
    name = f"{MARKER}test-{uuid.uuid4().hex[:8]}"
    statement = f"declare and delete exchange {name}"
    try:
        link.on_channel(lambda channel: channel.exchange_declare(name, "direct", auto_delete=True))
        link.on_channel(lambda channel: channel.exchange_delete(name))
    except ChannelClosedByBroker as error:
        remedy = r"rabbitmqctl set_permissions: configure ^zcbus\."
        return CheckResult("permissions", statement, False, True, error.reply_text, remedy, "access")
    except ZcbusError as error:
        return CheckResult("permissions", statement, False, True, detail_of(error), "", "access")
    return CheckResult("permissions", statement, True, True, name)


def _exchange(link: RabbitLink, options: RabbitOptions) -> Iterator[CheckResult]:
    """Whether the exchange is there. Nothing is published."""
    if not options.exchange:
        return
    statement = f"exchange {options.exchange}"
    try:
        link.on_channel(lambda channel: channel.exchange_declare(options.exchange, passive=True))
    except ChannelClosedByBroker as error:
        yield CheckResult("configuration", statement, False, True, error.reply_text, "", "topics")
    except ZcbusError as error:
        yield CheckResult("configuration", statement, False, True, detail_of(error), "", "access")
    else:
        yield CheckResult("configuration", statement, True, True, options.exchange)


def _streams(streams: RabbitStreams, options: RabbitOptions) -> Iterator[CheckResult]:
    """Whether each stream is there and can be read: from which offset on, up to which exclusively."""
    if not options.queues():
        yield CheckResult("permissions", "streams", False, True, "0", "", "topics")
    for name in options.queues()[:_SHOWN]:
        statement = f"read stream {name}"
        try:
            at = (name, 0)
            is_there = bool(streams.topics([name]))
            detail = f"{streams.firsts([at])[at]} … {streams.ends([at])[at]}" if is_there else "0"
        except TopicTrouble as trouble:
            yield CheckResult("permissions", statement, False, True, trouble.detail, "", "access")
        except ZcbusError as error:
            yield CheckResult("permissions", statement, False, True, detail_of(error), "", "topics")
            return
        else:
            yield CheckResult("permissions", statement, is_there, True, detail, "", "topics")


def _queues(reader: RabbitReader, options: RabbitOptions) -> Iterator[CheckResult]:
    """Whether each queue is there, and can be read and bound."""
    if not options.queues():
        yield CheckResult("permissions", "queues", False, True, "0", "", "topics")
    for name in options.queues()[:_SHOWN]:
        statement = f"read queue {name}"
        try:
            is_there = bool(reader.topics([name]))
            if is_there:
                reader.try_mark(name)
        except TopicTrouble as trouble:
            is_denied = trouble.reason == "topic-denied"
            remedy = rf"rabbitmqctl set_permissions: read {name}|^zcbus\., write {name}" if is_denied else ""
            yield CheckResult("permissions", statement, False, True, trouble.detail, remedy, "access")
        except ZcbusError as error:
            yield CheckResult("permissions", statement, False, True, detail_of(error), "", "topics")
            return
        else:
            yield CheckResult("permissions", statement, is_there, True, name if is_there else "0", "", "topics")
