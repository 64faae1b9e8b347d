"""Sends a topic's messages, and returns their positions."""

import contextlib
import time
from collections.abc import Callable
from functools import partial

from confluent_kafka import KafkaError, KafkaException, Message

from zcbus.bus.kafka.clients import CALL_SECONDS, Clients
from zcbus.bus.kafka.errors import BusAway
from zcbus.kit.retry import growing_pauses

_FLUSH_SECONDS = CALL_SECONDS * 2
_FIRST_PAUSE, _MAX_PAUSE = 0.02, 0.5

Sent = tuple[bytes, bytes, int]
"""Key, value, and milliseconds since 1970-01-01 UTC."""


class Sender:
    """An idempotent producer for one topic. After a failure it is unknown what arrived: use a new one."""

    def __init__(self, clients: Clients, name: str) -> None:
        """`name`: the Kafka topic. Connects. Raises BusAway, BusRefused."""
        self._clients, self._name = clients, name
        self._producer = clients.producer()
        self._has_sent = False
        clients.call(lambda: self._producer.list_topics(name, timeout=CALL_SECONDS))

    def send(self, messages: list[Sent]) -> list[int]:
        """Send and wait; returns the positions of the messages. Raises BusAway, BusRefused."""
        results: list[int | KafkaError] = [-1] * len(messages)
        try:
            for index, message in enumerate(messages):
                self._produce(message, partial(_note, results, index))
            left = self._producer.flush(_FLUSH_SECONDS) if self._has_sent else self._flush_first()
        except KafkaException as error:
            raise self._clients.error(error) from error
        failed = next((result for result in results if isinstance(result, KafkaError)), None)
        if failed is not None:
            raise self._clients.error(failed)
        if left:
            raise BusAway(servers=self._clients.servers, detail=f"{left} messages not acknowledged in time")
        self._has_sent = True
        return [result for result in results if isinstance(result, int)]

    def give_up(self) -> None:
        """Discard unacknowledged messages."""
        with contextlib.suppress(KafkaException):
            self._producer.purge()

    def _produce(self, message: Sent, note: Callable[[KafkaError | None, Message], None]) -> None:
        key, value, at = message
        while True:
            try:
                self._producer.produce(self._name, value, key, partition=0, timestamp=at, on_delivery=note)
            except BufferError:
                self._producer.poll(0.1)  # Space becomes free as messages arrive or time out.
            else:
                self._producer.poll(0)
                return

    def _flush_first(self) -> int:
        """Flush a producer that may have no id yet; returns the number of messages left.

        The library requests an id twice a second, but also with each list of topics, so one is requested here.
        """
        deadline = time.monotonic() + _FLUSH_SECONDS
        pauses = growing_pauses(_FIRST_PAUSE, limit=_MAX_PAUSE)
        while (left := self._producer.flush(next(pauses))) and (seconds := deadline - time.monotonic()) > 0:
            with contextlib.suppress(KafkaException):
                self._producer.list_topics(self._name, timeout=min(seconds, 1.0))
        return left


def _note(results: list[int | KafkaError], index: int, error: KafkaError | None, message: Message) -> None:
    results[index] = error if error is not None else message.offset() or 0
