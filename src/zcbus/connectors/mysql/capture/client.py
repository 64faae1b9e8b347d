"""The server's binlog as a stream of bytes: requests it as a replica does and receives into one buffer."""

import os
import select
import struct
import time
from collections.abc import Iterator
from typing import Any

from zcbus.connectors.errors import LogPositionLost, SourceUnavailable
from zcbus.connectors.mysql.binlog.vectors import SLACK, grown
from zcbus.connectors.mysql.capture import position as positions
from zcbus.connectors.mysql.capture.gtids import GtidSet, MySQLGtids
from zcbus.connectors.mysql.capture.position import LogFile
from zcbus.connectors.mysql.connection.errors import BAD_LOG_POSITION, translate, translated
from zcbus.connectors.mysql.connection.session import Session
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.source_log import SourceLog

TORN = "truncated in the middle of event"
"""The server's message for a file that ends within an event, because the server crashed during a write."""
BATCH_BYTES = 4 << 20
"""Received together at most before it is decoded, unless one event is larger."""
_USUAL_BYTES = 2 * BATCH_BYTES
"""A buffer that has grown further did so for a very large event."""
_COM_BINLOG_DUMP = 0x12
_COM_BINLOG_DUMP_GTID = 0x1E
_HEARTBEAT_NANOSECONDS = 1_000_000_000
_LIVENESS_SECONDS = 20.0
"""The server sends a heartbeat every second; after this long the connection is dead."""
_LINGER_SECONDS = 0.002
_MAX_PACKET = 0xFFFFFF
_LENGTH = struct.Struct("<I")
_HEAD = struct.Struct("<IB")
"""Length and number of a packet, and the first byte in it: 0 in front of an event."""


class LogTorn(Exception):
    """A file of the log ends within an event. Its text is the server's message."""


class BinlogClient:
    """The bytes of the log from one position on. Packets are in `data` between `at` and `filled`."""

    def __init__(
        self, options: ConnectionOptions, log: SourceLog, file: LogFile, offset: int, behind: GtidSet | None = None
    ) -> None:
        """`behind`: read the transactions after this set, wherever they are; `file` and `offset` are then ignored."""
        self._options = options
        self._session = Session(options, "source")
        self._socket: Any = self._session.driver._sock
        self.data = bytearray(_USUAL_BYTES + SLACK)
        self.at = 0
        self.filled = 0
        self._received_at = time.monotonic()
        self._ended = False
        try:
            positions.check_identity(self._session, log)
            self._request_dump(file, offset, behind)
        except BaseException:
            self._session.close()
            raise

    def receive(self, timeout: float) -> bool:
        """Wait for bytes, then receive without a pause up to a batch. False: nothing arrived in time."""
        if self._ended:
            raise self._lost("connection closed by the server")
        if not self._readable(timeout):
            self._check_liveness()
            return False
        self._received_at = time.monotonic()
        while True:
            self._detach()
            if self._ended or self.filled >= BATCH_BYTES or not self._readable(_LINGER_SECONDS):
                return True

    def events(self) -> Iterator[tuple[int, int]]:
        """Start and end of each complete event; `at` advances. Raises the server's error, LogTorn, and
        SourceUnavailable at the end of the stream."""
        while (end := self._packet_end()) is not None:
            start, self.at = self.at + 5, end
            yield start, end

    def _packet_end(self) -> int | None:
        """Of the packet at `at`; None while it is not complete."""
        head, status = _HEAD.unpack_from(self.data, self.at)
        length: int = head & 0xFFFFFF
        if length == _MAX_PACKET:
            joined = self._join_parts()
            if joined is None:
                return None
            length = joined
        end = self.at + 4 + length
        if end > self.filled:  # also if even the length is incomplete
            return None
        if status:
            self._raise(bytes(self.data[self.at + 4 : end]))
        return end

    def keep(self, start: int) -> int:
        """Drop everything before `start` and move the rest to the front. Returns the distance. Earlier views of the
        data become invalid."""
        if start == 0:
            return 0
        rest = bytes(memoryview(self.data)[start : self.filled])
        if len(self.data) > _USUAL_BYTES + SLACK and len(rest) + BATCH_BYTES <= _USUAL_BYTES:
            self.data = bytearray(_USUAL_BYTES + SLACK)
        self.data[: len(rest)] = rest
        self.at -= start
        self.filled -= start
        return start

    def close(self) -> None:
        """Hang up. Idempotent."""
        # The server notices the closed socket with its next heartbeat.
        self._session.close()

    def _request_dump(self, file: LogFile, offset: int, behind: GtidSet | None) -> None:
        for prefix in ("master", "source"):  # the name before and since MySQL 8.0.26
            self._session.execute(f"SET @{prefix}_binlog_checksum = 'NONE'")
            self._session.execute(f"SET @{prefix}_heartbeat_period = {_HEARTBEAT_NANOSECONDS}")
        if self._session.version.mariadb:
            self._session.execute("SET @mariadb_slave_capability = 4")
        # Two replicas of one number would throw each other out: a random one each time.
        server_id = int.from_bytes(os.urandom(4), "big") & 0x3FFFFFFF | 0x40000000
        if isinstance(behind, MySQLGtids):
            known = behind.encoded()
            command, request = _COM_BINLOG_DUMP_GTID, struct.pack("<HIIQI", 0, server_id, 0, 4, len(known)) + known
        elif behind is not None:
            self._session.execute("SET @slave_connect_state = %s, @slave_gtid_strict_mode = 1", [str(behind)])
            command, request = _COM_BINLOG_DUMP, struct.pack("<IHI", 4, 0, server_id)
        else:
            command, request = _COM_BINLOG_DUMP, struct.pack("<IHI", offset, 0, server_id) + file.name.encode()
        with translated(self._options, "source"):
            self._session.driver._execute_command(command, request)
        self._requested = f"{file.name}:{offset}" if behind is None else str(behind)

    def _readable(self, timeout: float) -> bool:
        pending = getattr(self._socket, "pending", None)
        if pending is not None and pending():
            return True
        with translated(self._options, "source"):
            return bool(select.select([self._socket], [], [], max(timeout, 0.0))[0])

    def _check_liveness(self) -> None:
        if time.monotonic() - self._received_at > _LIVENESS_SECONDS:
            raise self._lost(f"nothing received for {_LIVENESS_SECONDS:.0f} s")

    def _detach(self) -> None:
        room = len(self.data) - SLACK - self.filled
        if room < BATCH_BYTES // 4:
            self.data = grown(self.data)
            room = len(self.data) - SLACK - self.filled
        with translated(self._options, "source"), memoryview(self.data) as view:
            count = self._socket.recv_into(view[self.filled : self.filled + room])
        self._ended = count == 0  # data received before the end, such as the server's error, is handled first
        self.filled += count

    def _join_parts(self) -> int | None:
        """Remove the headers inside an event of 16 MiB or more, which comes in parts, when all parts are there."""
        headers, end = [], self.at
        while True:
            if self.filled - end < 4:
                return None
            length = int(_LENGTH.unpack_from(self.data, end)[0]) & 0xFFFFFF
            if self.filled - end < 4 + length:
                return None
            headers.append(end)
            end += 4 + length
            if length < _MAX_PACKET:
                break
        removed = 4 * (len(headers) - 1)
        # In place: such an event must not take several times its size.
        with memoryview(self.data) as view:
            for place, (header, following) in enumerate(zip(headers[1:], [*headers[2:], self.filled], strict=True)):
                start = header - 4 * place
                view[start : start + following - header - 4] = view[header + 4 : following]
        self.filled -= removed
        return end - removed - self.at - 4

    def _raise(self, packet: bytes) -> None:
        if packet[0] != 0xFF:
            raise self._lost("end of the log stream")
        number, text = struct.unpack_from("<H", packet, 1)[0], packet[3:]
        detail = (text[6:] if text[:1] == b"#" else text).decode(errors="replace")
        if TORN in detail:
            raise LogTorn(detail)
        if number in BAD_LOG_POSITION:
            raise LogPositionLost(
                kind=self._options.kind, wanted=self._requested, oldest=self._oldest_or_empty(), gap="", detail=detail
            )
        raise translate(OSError(number, detail), self._options, "source")

    def _oldest_or_empty(self) -> str:
        with Session(self._options, "source") as session:
            return positions.oldest(session)

    def _lost(self, detail: str) -> SourceUnavailable:
        options = self._options
        return SourceUnavailable(kind=options.kind, address=options.address, detail=detail)
