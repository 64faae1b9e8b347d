"""Publishes events to topics with QoS 1; see emitting.messages.

An event counts as sent once the broker has acknowledged it. What no client subscribes to the broker drops: it keeps
messages for the sessions that it has.
"""

import uuid
from collections.abc import Sequence

from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from zcbus.connectors.emitting.events import Event
from zcbus.connectors.emitting.messages import MessageEmitter, OutgoingMessage
from zcbus.connectors.errors import AccessDenied, SourceUnavailable, TargetUnavailable
from zcbus.connectors.mqtt.link import MqttLink, properties_of
from zcbus.connectors.mqtt.spec import MqttOptions

_MAX_BYTES = 268_435_455
"""Of a packet, by the protocol (MQTT 5.0, 2.1.4)."""
_DENIED = 0x87
_PASSING = {0x80, 0x83, 0x97}
"""Reason codes: unspecified, implementation specific, quota exceeded."""


class MqttEmitter(MessageEmitter):
    """Connects when it sends."""

    def __init__(self, options: MqttOptions) -> None:
        super().__init__(options, options.destination)
        self._mqtt = options
        self._link: MqttLink | None = None

    def limit(self) -> int:
        return int(self._connected().granted("MaximumPacketSize") or _MAX_BYTES)

    def publish(self, messages: Sequence[OutgoingMessage]) -> list[str]:
        try:
            sent = [(one.body, _properties(one.event)) for one in messages]
            answers = self._connected().publish(messages[0].place, sent)
        except SourceUnavailable as error:
            self.close()
            raise TargetUnavailable(**error.facts) from error
        return [self._why(messages[0].place, one) for one in answers]

    def close(self) -> None:
        if self._link is not None:
            self._link.close(expiry=0)
            self._link = None

    def _connected(self) -> MqttLink:
        if self._link is None:
            client = f"{self._mqtt.client}send-{uuid.uuid4().hex[:12]}"
            try:
                self._link = MqttLink(self._mqtt, client, clean=True, expiry=0)
            except SourceUnavailable as error:
                raise TargetUnavailable(**error.facts) from error
        return self._link

    def _why(self, topic: str, answer: ReasonCode) -> str:
        options, detail = self._mqtt, f"{topic}: {answer}"
        if answer.value == _DENIED:
            raise AccessDenied(kind=options.kind, address=options.address, user=options.user, detail=detail)
        if answer.value in _PASSING:
            raise TargetUnavailable(kind=options.kind, address=options.address, detail=detail)
        return detail if answer.is_failure else ""


def _properties(event: Event) -> Properties:
    found = properties_of(PacketTypes.PUBLISH)
    found.ContentType = "application/json"
    found.UserProperty = [("id", event.id), ("operation", str(event.operation))]
    return found
