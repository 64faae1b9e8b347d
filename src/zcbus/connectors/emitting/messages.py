"""Events as messages of a broker, one for each, in JSON."""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import orjson

from zcbus.connectors.emitting.events import Event
from zcbus.connectors.emitting.json_events import event_to_json
from zcbus.connectors.emitting.kind import ROWS
from zcbus.connectors.options import KindOptions
from zcbus.model.schema import TableName, TableSchema

_TABLE = "{table}"
_SPECIAL = re.compile(r"[^\w-]")


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """A message for a place of the broker. Its id is the event's, so that receivers can drop repetitions."""

    place: str
    body: bytes
    event: Event


def place_of(template: str, table: str) -> str:
    """Where a table's messages go. Of the name only letters, digits, `_` and `-` stay; all else is percent-encoded, as
    it could divide the place into parts or stand for others."""
    encoded = _SPECIAL.sub(lambda one: "".join(f"%{byte:02X}" for byte in one[0].encode()), table)
    return template.replace(_TABLE, encoded)


class MessageEmitter(ABC):
    """See emitting.events.Emitter: any table may be sent, and receivers understand all operations."""

    overhead: ClassVar[int] = 1024
    """Bytes of a message besides its body: headers and the place."""

    def __init__(self, options: KindOptions, template: str) -> None:
        """`template`: of places; `{table}` is the table's name."""
        self._options, self._template = options, template

    @property
    def identity(self) -> str:
        return f"{self._options.kind}:{self._options.address}:{self._template}"

    def declared(self, name: TableName) -> TableSchema | None:
        return None

    def declares(self) -> list[TableSchema]:
        return []

    def accepts(self, name: TableName) -> bool:
        return name.schema == ROWS

    def is_numbered(self, name: TableName) -> bool:
        return True

    def has_table_events(self, name: TableName) -> bool:
        return True

    def send(self, events: Sequence[Event]) -> list[str]:
        answers = [""] * len(events)
        sent: list[tuple[int, OutgoingMessage]] = []
        limit = self.limit() - self.overhead
        place = place_of(self._template, events[0].table.name.table)
        for number, event in enumerate(events):
            try:
                body = orjson.dumps(event_to_json(event))
            except ValueError as error:  # a text that is no value of its type
                answers[number] = str(error)
                continue
            if len(body) > limit:
                answers[number] = f"a message of {len(body)} bytes; the broker takes {limit}"
            else:
                sent.append((number, OutgoingMessage(place, body, event)))
        for (number, _), why in zip(sent, self.publish([one for _, one in sent]) if sent else (), strict=True):
            answers[number] = why
        return answers

    @abstractmethod
    def limit(self) -> int:
        """Bytes that a message may have. Raises as Emitter."""

    @abstractmethod
    def publish(self, messages: Sequence[OutgoingMessage]) -> list[str]:
        """Send messages of one place in their order; as Emitter.send."""

    @abstractmethod
    def close(self) -> None:
        """As Emitter.close."""
