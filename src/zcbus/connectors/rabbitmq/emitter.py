"""Publishes events to an exchange; see emitting.messages.

Each message is persistent, has the event's id as `message_id`, and counts as sent once the broker has confirmed it. One
that no queue would take comes back (`mandatory`), so that nothing is lost for want of a binding.
"""

import time
from collections.abc import Sequence
from typing import Any

import pika
from pika.exceptions import ChannelClosedByBroker, NackError, UnroutableError

from zcbus.connectors.emitting.events import Event
from zcbus.connectors.emitting.messages import MessageEmitter, OutgoingMessage
from zcbus.connectors.errors import AccessDenied, DatabaseFailed, SourceUnavailable, TargetUnavailable
from zcbus.connectors.rabbitmq.link import RabbitLink
from zcbus.connectors.rabbitmq.spec import RabbitOptions

_MAX_BYTES = 128 << 20
"""The broker's default of `max_message_size` up to version 3.13."""
_DENIED = 403
_TOGETHER = 200
"""Messages of a call to the link: each waits for its confirmation."""
_ROUTED_SECONDS, _PAUSE_SECONDS = 10.0, 0.5
"""A broker that has just started routes to no queue until it has found them."""


class RabbitEmitter(MessageEmitter):
    """Connects when it sends."""

    def __init__(self, options: RabbitOptions) -> None:
        super().__init__(options, options.routing)
        self._rabbit = options
        self._link: RabbitLink | None = None

    @property
    def identity(self) -> str:
        return f"{super().identity}:{self._rabbit.vhost}:{self._rabbit.exchange}"

    def limit(self) -> int:
        return _MAX_BYTES

    def publish(self, messages: Sequence[OutgoingMessage]) -> list[str]:
        for begin in range(0, len(messages), _TOGETHER):
            self._publish(messages[begin : begin + _TOGETHER])
        return [""] * len(messages)

    def close(self) -> None:
        if self._link is not None:
            self._link.close()
            self._link = None

    def _publish(self, messages: Sequence[OutgoingMessage]) -> None:
        place = f"exchange {self._rabbit.exchange or '(default)'}, routing key {messages[0].place}"

        try:
            fault = self._sent(list(messages))
        except ChannelClosedByBroker as error:
            raise self._refused(error, place) from error
        except SourceUnavailable as error:
            self.close()
            raise TargetUnavailable(**error.facts) from error
        if fault == "unroutable":
            raise DatabaseFailed(kind=self._rabbit.kind, detail=f"no queue takes messages of {place}")
        if fault:
            raise TargetUnavailable(
                kind=self._rabbit.kind, address=self._rabbit.address, detail=f"{place}: not confirmed"
            )

    def _sent(self, left: list[OutgoingMessage]) -> str:
        """What keeps the first of the messages from its queue; empty: all are confirmed."""
        until = time.monotonic() + _ROUTED_SECONDS
        while True:
            fault = self._connected().on_channel(lambda channel: self._send(channel, left))
            if fault != "unroutable" or time.monotonic() > until:
                return fault
            time.sleep(_PAUSE_SECONDS)

    def _send(self, channel: Any, left: list[OutgoingMessage]) -> str:
        """Takes out of `left` what is confirmed."""
        channel.confirm_delivery()
        try:
            while left:
                one = left[0]
                channel.basic_publish(
                    self._rabbit.exchange, one.place, one.body, _properties(one.event), mandatory=True
                )
                del left[0]
        except UnroutableError:
            return "unroutable"
        except NackError:
            return "refused"
        return ""

    def _connected(self) -> RabbitLink:
        if self._link is None:
            self._link = RabbitLink(self._rabbit)
        return self._link

    def _refused(self, error: ChannelClosedByBroker, place: str) -> Exception:
        options, detail = self._rabbit, f"{place}: {error.reply_text}"
        if error.reply_code == _DENIED:
            return AccessDenied(kind=options.kind, address=options.address, user=options.user, detail=detail)
        return DatabaseFailed(kind=options.kind, detail=detail)


def _properties(event: Event) -> Any:
    return pika.BasicProperties(
        content_type="application/json",
        delivery_mode=2,
        message_id=event.id,
        type=str(event.operation),
        app_id="zcbus",
        headers={"table": event.table.name.table},
    )
