"""Transactions with tags, as MySQL 8.3 and newer write them: messages of MySQL's serialization library.

The form is described in MySQL's sources, `libs/mysql/serialization/` (numbers of varying length, numbered fields) and
`libs/mysql/binlog/event/control_events.h` (the fields of a Gtid_event)."""

from typing import NamedTuple
from uuid import UUID

_FORM = 1
"""Of messages; another version's layout is unknown."""
_FLAGS, _SERVER, _NUMBER, _TAG, _LAST_COMMITTED, _SEQUENCE, _COMMITTED = range(7)
"""The fields of every event, in this order; the last ones may be missing."""


class TaggedGtid(NamedTuple):
    """The facts in a GTID_TAGGED event about the transaction that it starts."""

    source: str
    """Server and tag, as `uuid:tag`; the server alone where the tag is empty."""
    number: int
    committed_ms: int
    """On the server whose log this is."""


def tagged_gtid(body: bytes) -> TaggedGtid | None:
    """From the event's body; None: in a form of newer servers."""
    message = _Message(body)
    if message.form != _FORM:
        return None
    message.field(_FLAGS)
    message.number()
    message.field(_SERVER)
    server = str(UUID(bytes=bytes(message.number() for _ in range(16))))
    message.field(_NUMBER)
    number = message.number() >> 1  # the lowest bit is the sign
    message.field(_TAG)
    tag = message.text()
    for field in (_LAST_COMMITTED, _SEQUENCE, _COMMITTED):
        message.field(field)
        last = message.number()
    return TaggedGtid(f"{server}:{tag}" if tag else server, number, last // 1000)


def varying_number(data: bytes, at: int) -> tuple[int, int]:
    """An unsigned number of one to nine bytes, and the offset after it: the number of ones at the first byte's low end
    is the number of bytes that follow."""
    more = (~data[at] & data[at] + 1).bit_length() - 1
    end = at + more + 1
    if more == 8:
        return int.from_bytes(data[at + 1 : end], "little"), end
    return int.from_bytes(data[at:end], "little") >> (more + 1), end


def varying_text(data: bytes, at: int) -> tuple[str, int]:
    """A text with its length in front, and the offset after it."""
    size, at = varying_number(data, at)
    return data[at : at + size].decode("ascii"), at + size


class _Message:
    """One message, from its front to its end."""

    def __init__(self, body: bytes) -> None:
        self._body, self._at = body, 0
        self.form = self.number()
        for _ in ("size", "last field that readers must know"):
            self.number()

    def field(self, expected: int) -> None:
        """Raises ValueError if another field is at this offset."""
        found = self.number()
        if found != expected:
            raise ValueError(f"field {found} of a tagged transaction stands where {expected} should")

    def number(self) -> int:
        value, self._at = varying_number(self._body, self._at)
        return value

    def text(self) -> str:
        value, self._at = varying_text(self._body, self._at)
        return value
