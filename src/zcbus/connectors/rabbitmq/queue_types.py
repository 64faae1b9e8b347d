"""What the broker's refusals say of a queue: whether it is a stream, is gone, or is away for a while."""

from typing import Any

from pika.exceptions import ChannelClosedByBroker

from zcbus.connectors.consuming.consumer import TopicTrouble
from zcbus.connectors.errors import SourceUnavailable
from zcbus.connectors.rabbitmq.link import STREAM_OFFSET, RabbitLink

IN_USE = "exclusive use"
_ACCESS_REFUSED, _NOT_FOUND, _PRECONDITION_FAILED = 403, 404, 406
_AWAY = ((_NOT_FOUND, "inaccessible"), (_PRECONDITION_FAILED, "local node"))
"""Codes and texts of a broker that has just started, or does not reach the queue's node, or a copy of the stream."""


def require_there(link: RabbitLink, error: ChannelClosedByBroker) -> None:
    """Raise SourceUnavailable for a queue that is away, which is no missing one."""
    if any(error.reply_code == code and text in error.reply_text for code, text in _AWAY):
        raise link.error(error.reply_text) from error


def is_stream(link: RabbitLink, name: str) -> bool:
    """Of a queue that exists. Only its answer to an argument of streams shows it. Raises TopicTrouble where it may not
    be read, SourceUnavailable for a stream that the node does not serve now."""
    try:
        link.on_channel(lambda channel: _try_as_stream(channel, name))
    except ChannelClosedByBroker as error:
        require_there(link, error)
        if error.reply_code == _PRECONDITION_FAILED or IN_USE in error.reply_text:
            return False
        raise TopicTrouble(name, "topic-denied", error.reply_text) from error
    return True


def trouble(link: RabbitLink, stream: str, error: ChannelClosedByBroker) -> TopicTrouble | SourceUnavailable:
    """Of a stream that a consumer was refused for. What is neither missing nor forbidden is tried again."""
    require_there(link, error)
    if error.reply_code == _NOT_FOUND:
        return TopicTrouble(stream, "topic-replaced", error.reply_text)
    if error.reply_code == _ACCESS_REFUSED:
        return TopicTrouble(stream, "topic-denied", error.reply_text)
    return link.error(error.reply_text)


def _try_as_stream(channel: Any, queue: str) -> None:
    channel.basic_qos(prefetch_count=1)
    channel.basic_consume(queue, lambda *_: None, arguments={STREAM_OFFSET: "next"})
