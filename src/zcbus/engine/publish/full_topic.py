"""State of a full topic, and its writing."""

from collections.abc import Collection
from dataclasses import dataclass

from zcbus.bus.contract import Bus, Retention
from zcbus.bus.topics import full_topic
from zcbus.model.changes import RollbackFrame, SnapshotEnd, SnapshotOffer, SnapshotRows
from zcbus.model.frames import decode_frame
from zcbus.model.position import Position

KEEP_ALL = Retention()
"""Retention of a snapshot that is being written: none until it is complete."""


@dataclass(frozen=True, slots=True)
class Written:
    """State of a full topic."""

    complete: bool = False
    offered: bool = False
    """Whether it only has the offer."""
    first: Position | None = None
    """Position of the first rows."""
    last_key: tuple[str, ...] | None = None
    rows: int = 0
    estimated_rows: int | None = None


def ends(bus: Bus, topics: Collection[str]) -> dict[str, SnapshotEnd]:
    """Ends of those of these full topics that are complete."""
    newest = ((topic, decode_frame(record.payload)) for topic, record in bus.newest(topics).items())
    return {topic: frame for topic, frame in newest if isinstance(frame, SnapshotEnd)}


def inspect(bus: Bus, topic: str) -> Written:
    """Read a full topic: its end first, and all of it if the snapshot will resume."""
    record = bus.newest([topic]).get(topic)
    if record is None:
        return Written()
    last = decode_frame(record.payload)
    if isinstance(last, SnapshotEnd):
        return Written(True, first=last.first, rows=last.rows, estimated_rows=last.rows)
    if isinstance(last, SnapshotOffer):
        return Written(offered=True)
    return _inspect_rows(bus, topic, record.offset + 1)


def _inspect_rows(bus: Bus, topic: str, end: int) -> Written:
    first: Position | None = None
    rows, last_key, estimate = 0, None, None
    with bus.reader(topic, 0) as reader:
        while reader.next_offset < end:
            for record in reader.read(16, 32 << 20, 0):
                frame = decode_frame(record.payload)
                if isinstance(frame, SnapshotRows):
                    first = first or frame.position
                    rows += frame.rows.num_rows
                    last_key, estimate = frame.last_key, frame.estimated_rows
                elif isinstance(frame, RollbackFrame):
                    first, rows, last_key, estimate = None, 0, None, None
    return Written(first=first, last_key=last_key, rows=rows, estimated_rows=estimate)


def delete_older(bus: Bus, node: str, table: str, generation: int) -> None:
    """Remove topics of a table's earlier snapshots."""
    prefix = full_topic(node, table, 0).removesuffix("0")
    for name in bus.names(prefix):
        number = name.removeprefix(prefix)
        if number.isdigit() and int(number) < generation:
            bus.delete(name)
