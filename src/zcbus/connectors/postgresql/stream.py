"""A replication stream as frames of changes; see roles.ChangeStream."""

import contextlib
import struct
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import psycopg

from zcbus.connectors.errors import LogPositionLost, TableRefused
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql import quote
from zcbus.connectors.postgresql.columns import Buffer, Offsets
from zcbus.connectors.postgresql.errors import translate
from zcbus.connectors.postgresql.pgoutput import Decoder, Wanted
from zcbus.connectors.postgresql.relations import Relation, relation_schema
from zcbus.connectors.postgresql.session import Connection, connect
from zcbus.connectors.postgresql.slots import format_lsn
from zcbus.connectors.postgresql.wire import ConnectionLost, Messages, ServerError, WireConnection
from zcbus.connectors.roles import CapturedTable
from zcbus.kit.clock import now_ms
from zcbus.kit.errors import ZcbusError
from zcbus.model.changes import ChangeFrame, HeartbeatFrame
from zcbus.model.position import Position

_RECEIVE_BYTES = 4 << 20
_OPEN_BYTES = 4 << 20
"""So much of an unfinished transaction is kept before it is passed on incomplete."""
_HEARTBEAT_SECONDS = 1.0
_FEEDBACK_SECONDS = 0.2
_DATA_HEADER = 25  # type, start and end of the log, time
_MICROSECONDS_TO_2000 = 946_684_800_000_000
_SLOT_GONE = frozenset({"42704", "58P01", "55000"})
"""Slot or publication missing, log segment removed, slot invalidated."""
_commit_type = ord("C")


@dataclass(frozen=True, slots=True)
class _Piece:
    """pgoutput messages in one buffer."""

    data: bytes | bytearray | memoryview
    messages: Offsets
    end: int


class PostgreSQLChangeStream:
    """Reads one slot. The server learns what is durable only from `confirm`; the log in front of it is kept."""

    def __init__(
        self,
        options: ConnectionOptions,
        name: str,
        tables: dict[int, CapturedTable],
        after: Position | None,
    ) -> None:
        """`tables` by their oid today. Raises SourceUnavailable, AccessDenied, LogPositionLost."""
        self._options = options
        self._by_oid = tables
        self._by_name = {table.name: table for table in tables.values()}
        self._catalog: Connection | None = None
        self._decoder = Decoder(self._resolve)
        self._pending: list[_Piece] = []
        self._received = after.offset if after else 0
        self._confirmed = 0
        self._asked = False
        self._last_frame = self._last_feedback = time.monotonic()
        self._after = after
        try:
            self._wire = WireConnection(options, replication=True)
        except (ServerError, ConnectionLost) as error:
            raise self._translate(error) from error
        try:
            self._start(name)
        except (ServerError, ConnectionLost) as error:
            self._wire.close()
            raise self._translate(error) from error

    def read(self, timeout: float) -> Sequence[ChangeFrame | HeartbeatFrame]:
        deadline = time.monotonic() + timeout
        while True:
            now = time.monotonic()
            try:
                self._ask_for_position(now)
                frames = self._receive(max(0.0, min(deadline - now, self._until_heartbeat(now))))
            except (ServerError, ConnectionLost) as error:
                raise self._translate(error) from error
            except psycopg.Error as error:
                raise translate(error, self._options, "source") from error
            if frames:
                self._last_frame = time.monotonic()
                return frames
            if time.monotonic() >= deadline:
                return []

    def confirm(self, position: Position) -> None:
        if position.offset <= self._confirmed:
            return
        self._confirmed = position.offset
        if time.monotonic() - self._last_feedback >= _FEEDBACK_SECONDS:
            try:
                self._send_feedback()
            except ConnectionLost as error:
                raise self._translate(error) from error

    def __enter__(self) -> "PostgreSQLChangeStream":
        return self

    def __exit__(self, *details: object) -> None:
        # What the server does not get to know to be durable, it sends again.
        with contextlib.suppress(ConnectionLost):
            self._send_feedback()
        self._wire.close()
        if self._catalog is not None:
            self._catalog.close()

    def _start(self, name: str) -> None:
        publication = quote.literal(quote.identifier(name))
        start = format_lsn(self._received)
        self._wire.start_copy(
            f"START_REPLICATION SLOT {quote.identifier(name)} LOGICAL {start} "
            f"(proto_version '1', publication_names {publication})"
        )

    def _receive(self, timeout: float) -> list[ChangeFrame | HeartbeatFrame]:
        messages = self._wire.receive(timeout, _RECEIVE_BYTES)
        if messages is None:
            raise ConnectionLost("the server ended the replication stream")
        if not messages.starts:
            return []
        data, position, wants_answer = _sort_out(messages)
        frames: list[ChangeFrame | HeartbeatFrame] = list(self._decode(data)) if len(data.messages) else []
        if position is not None:
            self._received = max(self._received, position)
            frames += self._heartbeat(wants_answer, bool(frames))
        self._received = max(self._received, self._decoder.reached)
        if wants_answer or time.monotonic() - self._last_feedback >= _FEEDBACK_SECONDS:
            self._send_feedback()
        return frames

    def _heartbeat(self, wants_answer: bool, has_frames: bool) -> list[HeartbeatFrame]:
        """A keepalive tells how far the server has read the log; nothing of ours lies in front of it that did not
        come before the keepalive. A server that is shutting down waits for that place to be confirmed."""
        asked, self._asked = self._asked, False
        if has_frames or not (asked or wants_answer) or self._pending or self._decoder.is_inside_transaction:
            return []
        return [HeartbeatFrame(Position(0, self._received), now_ms())]

    def _decode(self, piece: _Piece) -> Iterator[ChangeFrame]:
        """Frames of what is complete, or has grown too large to wait for its end."""
        types = np.frombuffer(piece.data, np.uint8)[piece.messages]
        commits = np.flatnonzero(types == _commit_type)
        if len(commits):
            cut = int(commits[-1]) + 1
            ready = [*self._pending, _Piece(piece.data, piece.messages[:cut], piece.end)]
            self._pending = [_tail(piece, cut)] if cut < len(piece.messages) else []
            yield from self._decoder.frames(*_joined(ready))
            return
        self._pending.append(piece)
        if sum(part.end for part in self._pending) >= _OPEN_BYTES:
            ready, self._pending = self._pending, []
            yield from self._decoder.frames(*_joined(ready))

    def _ask_for_position(self, now: float) -> None:
        if not self._asked and self._until_heartbeat(now) <= 0:
            self._asked = True
            self._send_feedback(ask=True)

    def _until_heartbeat(self, now: float) -> float:
        """Seconds until an idle source should be asked for its position."""
        return _HEARTBEAT_SECONDS if self._asked else self._last_frame + _HEARTBEAT_SECONDS - now

    def _send_feedback(self, ask: bool = False) -> None:
        clock = time.time_ns() // 1000 - _MICROSECONDS_TO_2000
        written = max(self._received, self._confirmed)
        self._wire.send_copy(struct.pack("!cQQQqB", b"r", written, self._confirmed, self._confirmed, clock, ask))
        self._last_feedback = time.monotonic()

    def _resolve(self, relation: Relation) -> Wanted | None:
        """Rows of tables that are not wanted (any more) are left out. A wanted table under another name is not passed
        over in silence."""
        table = self._by_oid.get(relation.oid) or self._by_name.get(relation.name)
        if table is None:
            return None
        if table.name != relation.name:
            raise TableRefused(table=str(table.name), column="", reason="table-renamed", detail=str(relation.name))
        if self._catalog is None:
            self._catalog = connect(self._options, "source")
        schema = relation_schema(self._catalog, relation, table.name, table.key)
        for name in table.key:
            if name not in schema.names:
                raise TableRefused(table=str(table.name), column=name, reason="key-column-missing")
        return Wanted(schema, table.key)

    def _translate(self, error: ServerError | ConnectionLost) -> ZcbusError:
        if isinstance(error, ServerError) and error.sqlstate in _SLOT_GONE:
            wanted = format_lsn(self._after.offset) if self._after else ""
            return LogPositionLost(kind=self._options.kind, wanted=wanted, oldest="", detail=str(error))
        return translate(error, self._options, "source")


def _sort_out(messages: Messages) -> tuple[_Piece, int | None, bool]:
    """Payloads of the data messages; from keepalives the last position and whether an answer is wanted."""
    data = np.frombuffer(messages.data, np.uint8)
    starts = np.array(messages.starts, np.int64)
    is_data = data[starts] == ord("w")
    piece = _Piece(messages.data, starts[is_data] + _DATA_HEADER, messages.end)
    position, wants_answer = None, False
    for start in starts[~is_data].tolist():
        kind, end, _, answer = struct.unpack_from("!cQqB", messages.data, start)
        if kind == b"k":
            position, wants_answer = end, wants_answer or bool(answer)
    return piece, position, wants_answer


def _tail(piece: _Piece, first: int) -> _Piece:
    """The messages from a number on, in memory of their own."""
    start = int(piece.messages[first])
    return _Piece(bytes(memoryview(piece.data)[start : piece.end]), piece.messages[first:] - start, piece.end - start)


def _joined(pieces: Sequence[_Piece]) -> tuple[Buffer, Offsets]:
    """All messages in one buffer."""
    if len(pieces) == 1:
        return Buffer(pieces[0].data, pieces[0].end), pieces[0].messages
    shifts = np.cumsum([0, *(piece.end for piece in pieces[:-1])])
    data = b"".join(memoryview(piece.data)[: piece.end] for piece in pieces)
    messages = np.concatenate([piece.messages + shift for piece, shift in zip(pieces, shifts, strict=True)])
    return Buffer(data, len(data)), messages
