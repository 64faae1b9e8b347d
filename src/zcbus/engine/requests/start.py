"""Start position of an incremental subscription, and the changes behind it."""

from pathlib import Path

import numpy as np

from zcbus.bus.contract import Bus
from zcbus.bus.open import open_bus
from zcbus.bus.topics import real_topic
from zcbus.engine.requests.databases import table_name
from zcbus.engine.subscribe.checkpoints.positions import border_at, offset_at
from zcbus.kit.bus_settings import BusSettings
from zcbus.model.changes import ChangeFrame
from zcbus.model.frames import decode_frame
from zcbus.model.schema import TableName
from zcbus.protocol.answers import StartPosition, TableStart
from zcbus.protocol.requests import ResolveStart

_MAX_RECORDS = 5_000


def resolve_start(request: ResolveStart, data_dir: Path, bus_settings: BusSettings) -> StartPosition:
    """The requested position, and the changes that wait behind it. Raises PositionTooEarly, PositionTooLate."""
    bus = open_bus(bus_settings, data_dir)
    try:
        return _resolve(request, bus, real_topic(request.node))
    finally:
        bus.close()


def _resolve(request: ResolveStart, bus: Bus, topic: str) -> StartPosition:
    requested = offset_at(bus, topic, request.at_ms) if request.at_ms is not None else request.offset or 0
    offset, record_time = border_at(bus, topic, requested)
    info = bus.info(topic)
    first, following = (info.first_offset, info.next_offset) if info is not None else (0, 0)
    counts = {table_name(table): _Count() for table in request.tables}
    counted_to = _count(bus, topic, offset, following, counts)
    return StartPosition(
        offset=offset,
        record_time=record_time,
        first_offset=first,
        next_offset=following,
        counted_to=counted_to,
        tables=tuple(
            TableStart(
                table=table,
                changes=counts[table_name(table)].changes,
                first_change_ms=counts[table_name(table)].first_change_ms,
            )
            for table in request.tables
        ),
    )


class _Count:
    changes = 0
    first_change_ms: int | None = None


def _count(bus: Bus, topic: str, offset: int, end: int, counts: dict[TableName, _Count]) -> int:
    with bus.reader(topic, offset) as reader:
        while reader.next_offset < min(end, offset + _MAX_RECORDS):
            for record in reader.read(64, 8 << 20, 0.0):
                frame = decode_frame(record.payload)
                if isinstance(frame, ChangeFrame):
                    _add(frame, counts)
        return reader.next_offset


def _add(frame: ChangeFrame, counts: dict[TableName, _Count]) -> None:
    for changes in frame.tables:
        count = counts.get(changes.schema.name)
        if count is None or not len(changes.operations):
            continue
        count.changes += len(changes.operations)
        if count.first_change_ms is None:
            first = int(np.asarray(changes.transactions)[0])
            count.first_change_ms = frame.transactions.commit_times[first].as_py()
