"""Whether a queue is a stream, which only its answer to an argument of streams shows."""

from typing import Any

from pika.exceptions import ChannelClosedByBroker

from zcbus.connectors.consuming.consumer import TopicTrouble
from zcbus.connectors.rabbitmq.link import STREAM_OFFSET, RabbitLink

IN_USE = "exclusive use"
_PRECONDITION_FAILED = 406


def is_stream(link: RabbitLink, name: str) -> bool:
    """Of a queue that exists. Raises TopicTrouble where it may not be read."""
    try:
        link.on_channel(lambda channel: _try_as_stream(channel, name))
    except ChannelClosedByBroker as error:
        if error.reply_code == _PRECONDITION_FAILED or IN_USE in error.reply_text:
            return False
        raise TopicTrouble(name, "topic-denied", error.reply_text) from error
    return True


def _try_as_stream(channel: Any, queue: str) -> None:
    channel.basic_qos(prefetch_count=1)
    channel.basic_consume(queue, lambda *_: None, arguments={STREAM_OFFSET: "next"})
