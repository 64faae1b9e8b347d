"""Stamp of a message on the cluster: its key of 96 bytes.

A record of the bus is one message, or several if it is large. Claims and releases are messages without a value, by
which a writer takes a topic over and releases it. Kafka's offsets count all of these, so a record's number is in the
stamp.

**A message is valid only at the very offset that its writer intended** (`position`), on the very topic. A message of
a writer that does not know of another's message before it is therefore void for every reader, and the writer detects
it by the offset in its acknowledgement. A message sent twice is void the second time.
"""

import struct
from dataclasses import dataclass
from enum import IntEnum

from zcbus.bus.kafka.owner import Owner

_PACK = struct.Struct(">4sQIIQQQq16s8s8sIQ")
_MAGIC = b"ZK1"


class Sort(IntEnum):
    """Kinds of messages."""

    RECORD = 0
    CLAIM = 1
    RELEASE = 2


@dataclass(frozen=True, slots=True)
class Stamp:
    """A stamp; see the module."""

    sort: Sort
    number: int
    """Number of the record; of a claim or release: of the next record."""
    part: int
    parts: int
    length: int
    """Payload bytes of the whole record."""
    position: int
    """Kafka offset at which the message is valid."""
    before: int
    """Payload bytes of all records before `number` since the topic was created."""
    previous: int
    """Kafka offset of the last message of the previous record; -1: there is none."""
    topic: bytes
    """Id of the Kafka topic, 16 bytes: a topic that is created again has another one."""
    owner: Owner

    @property
    def is_last_part(self) -> bool:
        return self.sort is Sort.RECORD and self.part == self.parts - 1


def pack_stamp(stamp: Stamp) -> bytes:
    """Encode a stamp."""
    owner = stamp.owner
    return _PACK.pack(
        _MAGIC + bytes([stamp.sort]),
        stamp.number,
        stamp.part,
        stamp.parts,
        stamp.length,
        stamp.position,
        stamp.before,
        stamp.previous,
        stamp.topic,
        owner.host,
        owner.writer,
        owner.pid,
        owner.started,
    )


def valid_stamp(key: bytes | None, offset: int, topic: bytes) -> Stamp | None:
    """The stamp of a message that was read at `offset`; None if it is void."""
    stamp = unpack_stamp(key)
    return stamp if stamp is not None and stamp.position == offset and stamp.topic == topic else None


def unpack_stamp(key: bytes | None) -> Stamp | None:
    """The stamp in a message's key; None if it is not one."""
    if key is None or len(key) != _PACK.size or key[:3] != _MAGIC or key[3] > max(Sort):
        return None
    magic, number, part, parts, length, position, before, previous, topic, host, writer, pid, started = _PACK.unpack(
        key
    )
    owner = Owner(host, pid, started, writer)
    return Stamp(Sort(magic[3]), number, part, parts, length, position, before, previous, topic, owner)
