"""How far a full topic goes, and writing it."""

from dataclasses import dataclass

from zcbus.bus.contract import Bus, Retention
from zcbus.bus.topics import full_topic
from zcbus.model.changes import RollbackFrame, SnapshotEnd, SnapshotOffer, SnapshotRows
from zcbus.model.frames import decode_frame
from zcbus.model.position import Position

KEEP_ALL = Retention()
"""A snapshot that is being written must stay whole; retention begins when it is complete."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a full topic holds."""

    complete: bool = False
    offered: bool = False
    """Nothing but the offer is there."""
    expired: bool = False
    """Complete, but its first records were removed by retention."""
    first: Position | None = None
    """Position of the first rows."""
    last_key: tuple[str, ...] | None = None
    rows: int = 0
    estimated_rows: int | None = None


def inspect(bus: Bus, topic: str) -> Written:
    """Read what is on a full topic: its end first, and all of it where the snapshot is to go on."""
    info = bus.info(topic)
    if info is None or info.next_offset == 0:
        return Written()
    with bus.reader(topic, info.next_offset - 1) as reader:
        last = decode_frame(reader.read(1, 1, 0)[0].payload)
        if isinstance(last, SnapshotEnd):
            return Written(
                True, expired=info.first_offset > 0, first=last.first, rows=last.rows, estimated_rows=last.rows
            )
        if isinstance(last, SnapshotOffer):
            return Written(offered=True)
    return _inspect_rows(bus, topic, info.next_offset)


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
    """Remove the topics of a table's earlier snapshots."""
    prefix = full_topic(node, table, 0).removesuffix("0")
    for info in bus.topics(prefix):
        number = info.name.removeprefix(prefix)
        if number.isdigit() and int(number) < generation:
            bus.delete(info.name)
