"""Streaming of a slot's changes, and what streaming and bulk reading share; see bulk."""

import struct
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from zcbus.connectors.postgresql.capture.lsn import format_lsn
from zcbus.connectors.postgresql.connection import quote
from zcbus.connectors.postgresql.connection.failures import ConnectionLost
from zcbus.connectors.postgresql.connection.wire import WireConnection
from zcbus.connectors.postgresql.origin import is_mark
from zcbus.connectors.postgresql.pgoutput.framing import SLACK, Messages, Offsets

RECEIVE_BYTES = 1 << 20
"""Bytes decoded together: what fits into the processor's cache is decoded fastest."""
_FEEDBACK_SECONDS = 0.2
_DATA_HEADER = 25  # type, start and end of the log, time
_MICROSECONDS_TO_2000 = 946_684_800_000_000
_MESSAGE = ord("M")


@dataclass(frozen=True, slots=True)
class Piece:
    """pgoutput messages in one buffer."""

    data: bytes | bytearray | memoryview
    messages: Offsets
    end: int

    def tail(self, first: int) -> "Piece":
        """The messages from a number on, in memory of their own."""
        start = int(self.messages[first])
        return Piece(bytes(memoryview(self.data)[start : self.end]), self.messages[first:] - start, self.end - start)


@dataclass(frozen=True, slots=True)
class Arrival:
    """Messages that were received together."""

    piece: Piece
    position: int | None
    """The server has read its log up to here and has sent every change before it; None: not reported."""
    reply_requested: bool = False


class LiveFeed:
    """Changes as they are committed, without end."""

    done = False

    def __init__(self, wire: WireConnection, slot: str, behind: int, marks: bool) -> None:
        """Start streaming after `behind`, or after the slot's confirmed position if that is later. `marks`: with
        logical messages."""
        self._wire = wire
        self._last_feedback = time.monotonic()
        options = ", ".join(f"{name} {value}" for name, value in plugin_options(slot, marks))
        start = format_lsn(behind)
        wire.start_copy(f"START_REPLICATION SLOT {quote.identifier(slot)} LOGICAL {start} ({options})")

    @property
    def feedback_is_due(self) -> bool:
        """Whether the acknowledged position should be sent again."""
        return time.monotonic() - self._last_feedback >= _FEEDBACK_SECONDS

    def check_liveness(self) -> None:
        """See WireConnection."""
        self._wire.check_liveness()

    def receive(self, timeout: float) -> Arrival | None:
        """Receive messages, waiting up to `timeout` seconds for the first; None: none arrived."""
        messages = self._wire.receive(timeout, RECEIVE_BYTES)
        if messages is None:
            raise ConnectionLost("the server ended the replication stream")
        return _arrival(messages) if len(messages.starts) else None

    def send_feedback(self, received: int, durable: int, request_reply: bool = False) -> None:
        """Report the received and the acknowledged position. `request_reply`: request a reply."""
        clock = time.time_ns() // 1000 - _MICROSECONDS_TO_2000
        written = max(received, durable)
        self._wire.send_copy(struct.pack("!cQQQqB", b"r", written, durable, durable, clock, request_reply))
        self._last_feedback = time.monotonic()


def joined(pieces: Sequence[Piece]) -> Piece:
    """All messages in one buffer."""
    if len(pieces) == 1:
        return pieces[0]
    shifts = np.cumsum([0, *(piece.end for piece in pieces[:-1])])
    data = b"".join((*(memoryview(piece.data)[: piece.end] for piece in pieces), bytes(SLACK)))
    messages = np.concatenate([piece.messages + shift for piece, shift in zip(pieces, shifts, strict=True)])
    return Piece(data, messages, len(data) - SLACK)


def plugin_options(slot: str, marks: bool) -> list[tuple[str, str]]:
    """The output plugin's; the publication has the slot's name."""
    options = [("proto_version", "'1'"), ("publication_names", quote.literal(quote.identifier(slot)))]
    return [*options, ("messages", "'true'")] if marks else options


def only_marks(piece: Piece) -> Piece:
    """Without logical messages that are no marks of origin."""
    is_message = np.frombuffer(piece.data, np.uint8)[piece.messages] == _MESSAGE
    if not is_message.any():
        return piece
    kept = ~is_message
    kept[is_message] = [is_mark(piece.data, at) for at in piece.messages[is_message].tolist()]
    return Piece(piece.data, piece.messages[kept], piece.end)


def _arrival(messages: Messages) -> Arrival:
    """Payloads of the data messages, with the last keepalive's position and whether a reply is requested."""
    data = np.frombuffer(messages.data, np.uint8)
    starts = messages.starts
    is_data = data[starts] == ord("w")
    piece = Piece(messages.data, starts[is_data] + _DATA_HEADER, messages.end)
    position, reply_requested = None, False
    for start in starts[~is_data].tolist():
        kind, end, _, answer = struct.unpack_from("!cQqB", messages.data, start)
        if kind == b"k":
            position, reply_requested = end, reply_requested or bool(answer)
    return Arrival(only_marks(piece), position, reply_requested)
