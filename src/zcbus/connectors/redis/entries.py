"""Entries of a stream as messages."""

from collections.abc import Sequence

from zcbus.connectors.consuming.consumer import Message
from zcbus.connectors.redis.entry_ids import Place

_MAX_MILLISECONDS = 253_402_300_799_999
"""The end of the year 9999: a greater one is a number of the producer, no time."""


def message_of(stream: str, place: Place, fields: Sequence[bytes], field: str) -> Message:
    """An entry whose place is behind it. `field`: the one with the message, the others become headers; empty: all
    become headers."""
    named = [(_name(fields[at]), fields[at + 1]) for at in range(0, len(fields), 2)]
    value = next((content for name, content in named if name == field), None) if field else None
    headers = tuple(_without_first(named, field))
    time_ms = place.milliseconds if place.milliseconds <= _MAX_MILLISECONDS else None
    return Message(stream, 0, place.offset() - 1, time_ms, None, value, headers)


def _without_first(named: list[tuple[str, bytes]], field: str) -> list[tuple[str, bytes]]:
    """A field that is there twice stays once among the headers."""
    at = next((at for at, (name, _) in enumerate(named) if field and name == field), None)
    return named if at is None else named[:at] + named[at + 1 :]


def _name(field: bytes) -> str:
    """Bytes that are no text stay visible."""
    return field.decode(errors="backslashreplace")
