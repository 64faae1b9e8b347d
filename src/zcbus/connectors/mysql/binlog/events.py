"""Events of the binlog: their headers, and those that are about transactions and structure."""

import re
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

import pyarrow as pa

from zcbus.connectors.mysql.binlog.tables import length_encoded
from zcbus.connectors.mysql.binlog.tagged import tagged_gtid

HEADER = struct.Struct("<IBIIIH")
"""Time (seconds), type, server id, size, end position, flags."""
HEADER_BYTES = 19
_ROWS_HEAD = struct.Struct("<IHHH")
"""Table id in two parts, flags; in the second version the length of the extra data, its own two bytes counted."""

QUERY, STOP, ROTATE, FORMAT_DESCRIPTION, XID, TABLE_MAP, HEARTBEAT = 2, 3, 4, 15, 16, 19, 27
WRITE_V1, UPDATE_V1, DELETE_V1, WRITE_V2, UPDATE_V2, DELETE_V2 = 23, 24, 25, 30, 31, 32
GTID, ANONYMOUS_GTID, PREVIOUS_GTIDS, XA_PREPARE, PARTIAL_UPDATE, TRANSACTION_PAYLOAD, HEARTBEAT_V2, GTID_TAGGED = (
    33,
    34,
    35,
    38,
    39,
    40,
    41,
    42,
)
MARIADB_CHECKPOINT, MARIADB_GTID, MARIADB_GTID_LIST, MARIADB_ENCRYPTION = 161, 162, 163, 164
QUERY_COMPRESSED = 165
COMPRESSED_ROWS = {166: WRITE_V1, 167: UPDATE_V1, 168: DELETE_V1, 169: WRITE_V2, 170: UPDATE_V2, 171: DELETE_V2}
BETWEEN_TRANSACTIONS = frozenset(
    {STOP, FORMAT_DESCRIPTION, PREVIOUS_GTIDS, MARIADB_CHECKPOINT, MARIADB_GTID_LIST, MARIADB_ENCRYPTION}
)
"""The server's own events about its files; a log can end with them."""
ROWS = frozenset({WRITE_V1, UPDATE_V1, DELETE_V1, WRITE_V2, UPDATE_V2, DELETE_V2})
UPDATES = frozenset({UPDATE_V1, UPDATE_V2})
DELETES = frozenset({DELETE_V1, DELETE_V2})
_V2 = frozenset({WRITE_V2, UPDATE_V2, DELETE_V2})
_STATUS_BYTES = {0: 4, 1: 8, 3: 4, 4: 6}
"""Lengths of status variables of QUERY events by their codes: flags, SQL mode, increments, character sets."""
_SQL_MODE, _CHARSET, _CATALOG = 1, 4, 6
_MARIADB_STANDALONE = 1
_MARIADB_GROUP_ID = 2
_MARIADB_PREPARED_XA = 64
_MARIADB_COMPLETED_XA = 128
_MARIADB_ALTER_BEGUN, _MARIADB_ALTER_UNDONE = 2, 8
"""Further flags of a GTID event, behind its optional parts."""
_TIME_WITH_MICROSECONDS = 42
"""Offset of the commit time in the body of MySQL's GTID event."""

_COMMENT = re.compile(r"^\s*(?:/\*(?!M?!).*?\*/\s*|--[^\n]*\n\s*|#[^\n]*\n\s*)*", re.DOTALL)
_DDL = re.compile(r"(?:/\*M?!\d*\s*)?(ALTER|CREATE|DROP|RENAME|TRUNCATE|OPTIMIZE|REPAIR)\b", re.IGNORECASE)


_STRICT = 1 << 21 | 1 << 22
"""STRICT_TRANS_TABLES and STRICT_ALL_TABLES."""


@dataclass(frozen=True, slots=True)
class Query:
    """A statement in the log."""

    schema: str
    """The session's database."""
    text: str
    failed: bool
    """It ended with an error on the source."""
    sql_mode: int = 0
    """That it was run with, as the server numbers it."""

    @property
    def keyword(self) -> str:
        """The first two words, in capitals."""
        return " ".join(self.text.split(None, 2)[:2]).upper().rstrip(";")

    @property
    def is_strict(self) -> bool:
        """Whether the server refuses values that do not fit, instead of changing them."""
        return bool(self.sql_mode & _STRICT)

    @property
    def is_ddl(self) -> bool:
        return _DDL.match(self.text) is not None


class TransactionStart(NamedTuple):
    """The facts in the event that starts a transaction."""

    gtid: tuple[str, int] | None = None
    """Whose it is and its number (see GtidSet.add); None: it has none, or one in a form of newer servers."""
    committed_ms: int | None = None
    is_alone: bool = False
    """A single event follows that is its own transaction. MariaDB's only."""
    is_void: bool = False
    """The statement that follows has no effect: an ALTER that only begins, or is undone. MariaDB's only."""


def transaction_start(kind: int, body: bytes, server: int) -> TransactionStart:
    """From the body of any GTID event. `server`: from the event's header."""
    if kind == MARIADB_GTID:
        return TransactionStart(
            mariadb_gtid(body, server), is_alone=mariadb_gtid_is_alone(body), is_void=mariadb_alter_is_void(body)
        )
    if kind == GTID_TAGGED:
        tagged = tagged_gtid(body)
        return (
            TransactionStart()
            if tagged is None
            else TransactionStart((tagged.source, tagged.number), tagged.committed_ms)
        )
    return TransactionStart(mysql_gtid(body) if kind == GTID else None, gtid_commit_milliseconds(body))


def _as_utf8(text: bytes, _collation: int) -> str:
    return text.decode(errors="replace")


def parse_query(body: bytes, text_of: Callable[[bytes, int], str] = _as_utf8) -> Query:
    """From the body of a QUERY event. `text_of`: a statement from its bytes and the number of the collation of its
    session's character set (0: not known)."""
    schema_bytes, error, status_bytes = struct.unpack_from("<BHH", body, 8)
    start = 13 + status_bytes
    schema = body[start : start + schema_bytes].decode(errors="replace")
    status = _status(body[13 : 13 + status_bytes])
    text = text_of(body[start + schema_bytes + 1 :], int.from_bytes(status.get(_CHARSET, b"")[:2], "little"))
    mode = int.from_bytes(status.get(_SQL_MODE, b""), "little")
    return Query(schema, _COMMENT.sub("", text, count=1), error != 0, mode)


def _status(status: bytes) -> dict[int, bytes]:
    """A query event's status variables by their codes, up to the first of a length that is not known."""
    found: dict[int, bytes] = {}
    at = 0
    while at + 1 < len(status):
        code = status[at]
        size = 1 + status[at + 1] if code == _CATALOG else _STATUS_BYTES.get(code)
        if size is None:
            break
        found[code] = status[at + 1 : at + 1 + size]
        at += 1 + size
    return found


def parse_rotate(body: bytes) -> tuple[str, int]:
    """Name of the next file and the position in it."""
    return body[8:].decode(), struct.unpack_from("<Q", body)[0]


def has_checksums(body: bytes) -> bool:
    """Whether events after this FORMAT_DESCRIPTION end in a checksum of four bytes."""
    return body[-5] == 1


def mariadb_gtid_is_alone(body: bytes) -> bool:
    """Whether a single event follows that is its own transaction."""
    return bool(body[12] & _MARIADB_STANDALONE)


def mariadb_gtid_is_xa(body: bytes) -> bool:
    """Whether the group is the prepared half of a distributed transaction."""
    return bool(body[12] & _MARIADB_PREPARED_XA)


def mariadb_alter_is_void(body: bytes) -> bool:
    """Whether the statement is an ALTER that begins or is undone: with `binlog_alter_two_phase` the log has it again
    where it takes effect."""
    at = 13 + (8 if body[12] & _MARIADB_GROUP_ID else 0)
    if body[12] & (_MARIADB_PREPARED_XA | _MARIADB_COMPLETED_XA) and at + 5 < len(body):
        at += 6 + body[at + 4] + body[at + 5]
    return at < len(body) and bool(body[at] & (_MARIADB_ALTER_BEGUN | _MARIADB_ALTER_UNDONE))


def mysql_gtid(body: bytes) -> tuple[str, int]:
    """Server and number of the transaction that a GTID event begins."""
    return str(UUID(bytes=body[1:17])), int(struct.unpack_from("<Q", body, 17)[0])


def mariadb_gtid(body: bytes, server: int) -> tuple[str, int]:
    """The same of MariaDB's: domain and server as `0-1`, and number. `server`: from the event's header."""
    number, domain = struct.unpack_from("<QI", body)
    return f"{domain}-{server}", number


def gtid_commit_milliseconds(body: bytes) -> int | None:
    """Commit time in MySQL 8's GTID event; None where an older server leaves it out."""
    if len(body) < _TIME_WITH_MICROSECONDS + 7 or body[25] != 2:
        return None
    return (int.from_bytes(body[_TIME_WITH_MICROSECONDS : _TIME_WITH_MICROSECONDS + 7], "little") & ~(1 << 55)) // 1000


def rows_head(kind: int, data: bytes | bytearray, at: int) -> tuple[int, int]:
    """Table id of a rows event and where its column count begins; `at`: where its body begins."""
    low, high, _, extra = _ROWS_HEAD.unpack_from(data, at)
    return low | high << 32, at + 8 + (extra if kind in _V2 else 0)


def uncompressed_rows(kind: int, event: bytes) -> bytes:
    """A MariaDB compressed rows event as the ordinary one (header, body)."""
    plain = COMPRESSED_ROWS[kind]
    _, at = rows_head(plain, event, HEADER_BYTES)
    columns, at = length_encoded(event, at)
    at += (columns + 7) // 8 * (2 if plain in UPDATES else 1)
    return event[:4] + bytes([plain]) + event[5:at] + uncompressed(event[at:])


def uncompressed_query(body: bytes) -> bytes:
    """A MariaDB compressed QUERY event's body as the ordinary one."""
    schema_bytes, _, status_bytes = struct.unpack_from("<BHH", body, 8)
    start = 13 + status_bytes + schema_bytes + 1
    return body[:start] + uncompressed(body[start:])


def uncompressed(data: bytes) -> bytes:
    """MariaDB's compression: a byte with the width of the length, the length (big-endian), then zlib's stream."""
    width = data[0] & 0x07
    return zlib.decompress(data[1 + width :])


def payload_events(body: bytes) -> bytes:
    """The events inside a MySQL TRANSACTION_PAYLOAD event, concatenated."""
    at, fields = 0, {}
    while True:
        kind, at = length_encoded(body, at)
        if kind == 0:
            break
        length, at = length_encoded(body, at)
        fields[kind] = length_encoded(body, at)[0]
        at += length
    compressed_by, size, length = fields.get(2, 255), fields.get(3, 0), fields[1]
    payload = body[at : at + length]
    if compressed_by == 255:
        return payload
    return bytes(pa.Codec("zstd").decompress(payload, size or length))
