"""Publishes events to subjects that streams keep; see emitting.messages.

A message has the event's id as `Nats-Msg-Id`, by which a stream drops repetitions within its `duplicate_window`, and
readers after that (docs.nats.io/using-nats/developer/develop_jetstream/model_deep_dive).
"""

import asyncio
from collections.abc import Sequence

from nats.errors import MaxPayloadError, NoRespondersError
from nats.js.api import Header
from nats.js.errors import APIError, NoStreamResponseError, ServiceUnavailableError

from zcbus.connectors.emitting.messages import MessageEmitter, OutgoingMessage
from zcbus.connectors.errors import DatabaseFailed, SourceUnavailable, TargetUnavailable
from zcbus.connectors.nats.link import RESPONSE_SECONDS, NatsLink
from zcbus.connectors.nats.spec import NatsOptions

_PASSING = 500
"""Codes of the API from this one on: the server cannot now. Smaller ones: it refuses the message."""


class NatsEmitter(MessageEmitter):
    """Connects when it sends."""

    def __init__(self, options: NatsOptions) -> None:
        super().__init__(options, options.subject)
        self._nats = options
        self._link: NatsLink | None = None

    def limit(self) -> int:
        return self._connected().client.max_payload

    def publish(self, messages: Sequence[OutgoingMessage]) -> list[str]:
        link = self._connected()
        try:
            answers = link.run(self._publish(link, messages), RESPONSE_SECONDS * 2)
        except SourceUnavailable as error:
            raise self._unavailable(error) from error
        return [self._why(message, answer) for message, answer in zip(messages, answers, strict=True)]

    def close(self) -> None:
        if self._link is not None:
            self._link.close()
            self._link = None

    async def _publish(self, link: NatsLink, messages: Sequence[OutgoingMessage]) -> list[BaseException | None]:
        """What went wrong with each."""
        pending = []
        for one in messages:
            headers = {Header.MSG_ID.value: one.event.id, "zcbus-operation": str(one.event.operation)}
            # In order, also those of different keys: nothing else is written to the connection meanwhile.
            pending.append(await link.streams.publish_async(one.place, one.body, headers=headers))
        async with asyncio.timeout(RESPONSE_SECONDS):
            answers = await asyncio.gather(*pending, return_exceptions=True)
        return [one if isinstance(one, BaseException) else None for one in answers]

    def _why(self, message: OutgoingMessage, error: BaseException | None) -> str:
        if error is None:
            return ""
        if isinstance(error, NoStreamResponseError | NoRespondersError):
            raise DatabaseFailed(kind="nats", detail=f"no stream keeps the subject {message.place}")
        if isinstance(error, MaxPayloadError):
            return str(error)
        if isinstance(error, ServiceUnavailableError) or not isinstance(error, APIError):
            raise self._failed(str(error) or type(error).__name__)
        if (error.code or _PASSING) >= _PASSING:
            raise self._failed(error.description or str(error))
        return error.description or str(error)

    def _connected(self) -> NatsLink:
        if self._link is None or not self._link.client.is_connected:
            self.close()
            try:
                self._link = NatsLink(self._nats)
            except SourceUnavailable as error:
                raise self._unavailable(error) from error
        return self._link

    def _failed(self, detail: str) -> TargetUnavailable:
        return TargetUnavailable(kind=self._nats.kind, address=self._nats.address, detail=detail)

    def _unavailable(self, error: SourceUnavailable) -> TargetUnavailable:
        return TargetUnavailable(**error.facts)
