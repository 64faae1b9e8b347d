"""Frames as operators see them."""

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa

from zcbus.bus.contract import Record
from zcbus.kit.errors import TerminalError
from zcbus.model.arrow import ArrowArray
from zcbus.model.changes import (
    CaptureResumed,
    ChangeFrame,
    ControlTotals,
    Frame,
    HeartbeatFrame,
    Operation,
    RollbackFrame,
    SnapshotEnd,
    SnapshotOffer,
    SnapshotRows,
    TableChanges,
)
from zcbus.model.frames import decode_frame
from zcbus.model.schema import TableSchema
from zcbus.protocol.bus_inspection import (
    Cell,
    ReadRecord,
    RecordColumn,
    RecordContent,
    RecordKind,
    RecordLine,
    RecordRow,
    RecordTable,
)

_MAX_CHARACTERS = 200
_HIDDEN, _NULL, _UNCHANGED, _MASKED = (Cell(state=one) for one in ("hidden", "null", "unchanged", "masked"))
_NAMES = {one.value: one.name.lower() for one in Operation}
_KINDS: dict[type[object], RecordKind] = {
    ChangeFrame: "changes",
    SnapshotRows: "rows",
    SnapshotEnd: "end",
    SnapshotOffer: "offer",
    HeartbeatFrame: "heartbeat",
    CaptureResumed: "resumed",
    ControlTotals: "totals",
    RollbackFrame: "rollback",
}


def line_of(record: Record) -> RecordLine:
    """A record in one line; one that is no frame is `unreadable`."""
    return _line(record, _decoded(record))


def content_of(record: Record, request: ReadRecord) -> RecordContent:
    """A record with the requested rows."""
    frame = _decoded(record)
    line = _line(record, frame)
    if isinstance(frame, ChangeFrame) and request.table < len(frame.tables):
        return _changes(line, frame, request)
    if isinstance(frame, SnapshotRows) and not request.table:
        return _rows(line, frame, request)
    return RecordContent(line=line)


def _decoded(record: Record) -> Frame | None:
    try:
        return decode_frame(record.payload)
    except TerminalError:
        return None


def _line(record: Record, frame: Frame | None) -> RecordLine:
    line = RecordLine(
        offset=record.offset,
        time_ms=record.time,
        size_bytes=len(record.payload),
        kind=_KINDS[type(frame)] if frame is not None else "unreadable",
    )
    return line.model_copy(update=_facts(frame))


def _facts(frame: Frame | None) -> dict[str, object]:
    match frame:
        case ChangeFrame():
            return {
                "position": str(frame.last_position) if frame.complete else "",
                "transactions": len(frame.transactions),
                "complete": frame.complete,
                "tables": tuple(map(_table, frame.tables)),
            }
        case SnapshotRows():
            loaded = RecordTable(name=str(frame.schema.name), columns=frame.schema.names, loaded=frame.rows.num_rows)
            return {"position": str(frame.position), "tables": (loaded,)}
        case SnapshotEnd():
            return {"position": str(frame.last), "tables": (_without_rows(frame.schema),)}
        case SnapshotOffer():
            return {"tables": (_without_rows(frame.schema),)}
        case HeartbeatFrame():
            return {"position": str(frame.position)}
        case CaptureResumed():
            return {"tables": tuple(RecordTable(name=str(name), columns=()) for name, _ in frame.tables)}
        case ControlTotals():
            return {"tables": tuple(RecordTable(name=str(one.name), columns=()) for one in frame.tables)}
        case _:
            return {}


def _table(changes: TableChanges) -> RecordTable:
    counts = Counter(np.asarray(changes.operations).tolist())
    return RecordTable(
        name=str(changes.schema.name),
        columns=changes.schema.names,
        inserts=counts[Operation.INSERT],
        updates=counts[Operation.UPDATE],
        deletes=counts[Operation.DELETE],
        truncates=counts[Operation.TRUNCATE],
    )


def _without_rows(schema: TableSchema) -> RecordTable:
    return RecordTable(name=str(schema.name), columns=schema.names)


def _rows(line: RecordLine, frame: SnapshotRows, request: ReadRecord) -> RecordContent:
    show, names = _shown(frame.schema, request), frame.schema.names
    numbers = range(frame.rows.num_rows)[request.skip : request.skip + request.limit]
    return RecordContent(
        line=line,
        columns=_columns(frame.schema, frame.schema.key()),
        rows=tuple(
            RecordRow(operation="load", cells=tuple(show(name, _value(frame.rows, name, row)) for name in names))
            for row in numbers
        ),
        total=frame.rows.num_rows,
    )


def _changes(line: RecordLine, frame: ChangeFrame, request: ReadRecord) -> RecordContent:
    changes = frame.tables[request.table]
    numbers = range(len(changes.operations))[request.skip : request.skip + request.limit]
    show = _shown(changes.schema, request)
    return RecordContent(
        line=line,
        columns=_columns(changes.schema, changes.key),
        rows=tuple(_change(frame, changes, row, show) for row in numbers),
        total=len(changes.operations),
    )


_Show = Callable[[str, object], Cell]


def _change(frame: ChangeFrame, changes: TableChanges, row: int, show: _Show) -> RecordRow:
    operation = Operation(changes.operations[row].as_py())
    times = frame.transactions.commit_times
    before = _keys_before(changes, row, show) if operation in (Operation.UPDATE, Operation.DELETE) else {}
    cells = [
        before.get(name, _NULL) if operation is Operation.DELETE else _after(changes, name, row, show)
        for name in changes.schema.names
    ]
    return RecordRow.model_validate(
        {
            "operation": _NAMES[operation],
            "committed_ms": times[changes.transactions[row].as_py()].as_py(),
            "cells": () if operation is Operation.TRUNCATE else tuple(cells),
            "key_before": tuple(before.values()) if operation is Operation.UPDATE and changes.key else (),
        }
    )


def _keys_before(changes: TableChanges, row: int, show: _Show) -> dict[str, Cell]:
    batch = changes.keys_before
    return {name: show(name, _value(batch, name, row)) for name in batch.schema.names}


def _after(changes: TableChanges, name: str, row: int, show: _Show) -> Cell:
    unchanged: ArrowArray | None = changes.unchanged.get(name)
    if unchanged is not None and unchanged[row].as_py():
        return _UNCHANGED
    return show(name, _value(changes.rows, name, row))


def _shown(schema: TableSchema, request: ReadRecord) -> _Show:
    """How values of a table are shown."""
    masked = frozenset(request.masked.get(str(schema.name), schema.names))

    def show(name: str, value: object) -> Cell:
        if value is None:
            return _NULL if request.values else _HIDDEN
        if name in masked:
            return _MASKED
        return _cell(value) if request.values else _HIDDEN

    return show


def _cell(value: object) -> Cell:
    text = value.hex() if isinstance(value, bytes) else str(value)
    return Cell(state="value", text=text[:_MAX_CHARACTERS], cut=len(text) > _MAX_CHARACTERS)


def _value(batch: pa.RecordBatch, name: str, row: int) -> object:
    return batch.column(name)[row].as_py()


def _columns(schema: TableSchema, key: Sequence[str]) -> tuple[RecordColumn, ...]:
    return tuple(
        RecordColumn(name=column.name, type=column.type.native, key=column.name in key) for column in schema.columns
    )
