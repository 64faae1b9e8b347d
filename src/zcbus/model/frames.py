"""Encoding of frames: the content of a record on the bus.

Layout (little endian): magic `ZF1`, one byte frame kind, u32 length of the JSON header, the header, then the blobs
one after the other. A blob is one Arrow record batch as an IPC stream; the header has each blob's length and use.
Schemas are in every frame, so that a reader can start anywhere; parsed schemas are cached by content.
"""

import struct
from functools import lru_cache
from typing import Any

import orjson
import pyarrow as pa

from zcbus.kit.errors import TerminalError
from zcbus.model.arrow import ArrowArray
from zcbus.model.changes import (
    CaptureResumed,
    ChangeFrame,
    ControlTotals,
    Frame,
    Gap,
    HeartbeatFrame,
    RollbackFrame,
    SnapshotEnd,
    SnapshotOffer,
    SnapshotRows,
    TableChanges,
    TableTotal,
    Transactions,
)
from zcbus.model.position import Position
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.serial import schema_from_json, schema_to_json

_HEAD = struct.Struct("<3sBI")
_MAGIC = b"ZF1"
_CHANGES, _ROLLBACK, _HEARTBEAT, _ROWS, _END, _OFFER, _RESUMED, _TOTALS = range(8)
_FIXED = ("operations", "transactions", "order")
_LARGE_BYTES = 256 << 10


class FrameDamaged(TerminalError):
    """The bytes are not a frame of this version. Facts: problem."""

    code = "frame-damaged"


def encode_frame(frame: Frame) -> list[bytes | memoryview]:
    """The frame's bytes in parts for one gathered write; large buffers are not copied."""
    if isinstance(frame, ChangeFrame):
        return _encode_changes(frame)
    if isinstance(frame, SnapshotRows):
        return _encode_rows(frame)
    if isinstance(frame, SnapshotEnd):
        return _parts(_END, _end_header(frame), [])
    if isinstance(frame, SnapshotOffer):
        return _parts(_OFFER, {"schema": schema_to_json(frame.schema), "source": frame.source}, [])
    if isinstance(frame, HeartbeatFrame):
        return _parts(_HEARTBEAT, {"position": str(frame.position), "time": frame.time, "executed": frame.gtid_set}, [])
    if isinstance(frame, CaptureResumed):
        return _parts(_RESUMED, _resumed_header(frame), [])
    if isinstance(frame, ControlTotals):
        return _parts(_TOTALS, _totals_header(frame), [])
    return _parts(_ROLLBACK, {}, [])


def decode_frame(data: bytes | memoryview) -> Frame:
    """Inverse of encode_frame; the arrays point into `data`, which must not change. Raises FrameDamaged."""
    view = memoryview(data)
    try:
        magic, kind, length = _HEAD.unpack_from(view)
        if magic != _MAGIC:
            raise FrameDamaged(problem="magic")
        header = orjson.loads(view[_HEAD.size : _HEAD.size + length])
        return _decode(kind, header, _Blobs(view[_HEAD.size + length :]))
    except (struct.error, ValueError, KeyError, IndexError, pa.ArrowException) as error:
        raise FrameDamaged(problem=str(error)) from error


class _Blobs:
    """Reads blobs in sequence."""

    def __init__(self, view: memoryview) -> None:
        self._view = view
        self._at = 0

    def next(self, length: int) -> pa.RecordBatch:
        blob = self._view[self._at : self._at + length]
        self._at += length
        with pa.ipc.open_stream(pa.py_buffer(blob)) as reader:
            return reader.read_next_batch()


def _blob(batch: pa.RecordBatch) -> memoryview:
    if batch.nbytes >= _LARGE_BYTES:
        return _large_blob(batch)
    sink = pa.BufferOutputStream()
    _write(batch, sink)
    return memoryview(sink.getvalue())


def _large_blob(batch: pa.RecordBatch) -> memoryview:
    """Serialize a batch. The size is computed first, because a growing stream needs up to three times its size."""
    counted = pa.MockOutputStream()
    _write(batch, counted)
    buffer = pa.allocate_buffer(counted.size())
    _write(batch, pa.FixedSizeBufferWriter(buffer))
    return memoryview(buffer)


def _write(batch: pa.RecordBatch, sink: pa.NativeFile) -> None:
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)


def _parts(kind: int, header: dict[str, Any], blobs: list[memoryview]) -> list[bytes | memoryview]:
    text = orjson.dumps(header)
    return [_HEAD.pack(_MAGIC, kind, len(text)) + text, *blobs]


def _encode_changes(frame: ChangeFrame) -> list[bytes | memoryview]:
    transactions = frame.transactions
    blobs = [
        _blob(
            pa.RecordBatch.from_arrays(
                [transactions.files, transactions.offsets, transactions.commit_times], names=["f", "o", "t"]
            )
        )
    ]
    tables = []
    for changes in frame.tables:
        group = [_blob(_fixed_columns(changes)), _blob(changes.rows), _blob(changes.keys_before)]
        tables.append(
            {
                "schema": schema_to_json(changes.schema),
                "key": changes.key,
                "unchanged": list(changes.unchanged),
                "origin": changes.origin,
                "blobs": [len(blob) for blob in group],
            }
        )
        blobs += group
    header = {
        "complete": frame.complete,
        "transactions": len(blobs[0]),
        "tables": tables,
        "source": frame.source,
        "executed": frame.gtid_set,
    }
    return _parts(_CHANGES, header, blobs)


def _fixed_columns(changes: TableChanges) -> pa.RecordBatch:
    arrays: list[ArrowArray] = [
        changes.operations,
        changes.transactions,
        changes.order,
        *changes.unchanged.values(),
    ]
    return pa.RecordBatch.from_arrays(arrays, names=[*_FIXED, *(f"unchanged {n}" for n in changes.unchanged)])


def _encode_rows(frame: SnapshotRows) -> list[bytes | memoryview]:
    blob = _blob(frame.rows)
    header = {
        "schema": schema_to_json(frame.schema),
        "position": str(frame.position),
        "last_key": frame.last_key,
        "estimated_rows": frame.estimated_rows,
        "rows": len(blob),
        "source": frame.source,
    }
    return _parts(_ROWS, header, [blob])


def _end_header(frame: SnapshotEnd) -> dict[str, Any]:
    return {
        "schema": schema_to_json(frame.schema),
        "first": str(frame.first),
        "last": str(frame.last),
        "rows": frame.rows,
        "source": frame.source,
    }


def _resumed_header(frame: CaptureResumed) -> dict[str, Any]:
    return {
        "tables": [[name.schema, name.table, generation] for name, generation in frame.tables],
        "gaps": [[g.table.schema, g.table.table, g.since and str(g.since), str(g.until)] for g in frame.gaps],
    }


def _decode_resumed(header: Any) -> CaptureResumed:
    return CaptureResumed(
        tuple((TableName(schema, table), number) for schema, table, number in header["tables"]),
        tuple(
            Gap(TableName(schema, table), since and Position.parse(since), Position.parse(until))
            for schema, table, since, until in header.get("gaps", ())
        ),
    )


def _totals_header(frame: ControlTotals) -> dict[str, Any]:
    return {
        "epoch": frame.epoch,
        "began": frame.began,
        "previous": frame.previous,
        "complete": frame.complete,
        "tables": [[one.name.schema, one.name.table, one.before, one.total] for one in frame.tables],
    }


def _decode_totals(header: Any) -> ControlTotals:
    tables = tuple(
        TableTotal(TableName(schema, table), before, total) for schema, table, before, total in header["tables"]
    )
    return ControlTotals(header["epoch"], header["began"], header["previous"], tables, header["complete"])


def _decode(kind: int, header: Any, blobs: _Blobs) -> Frame:
    if kind == _CHANGES:
        return _decode_changes(header, blobs)
    if kind == _ROWS:
        return SnapshotRows(
            _schema(header),
            blobs.next(header["rows"]),
            Position.parse(header["position"]),
            tuple(header["last_key"]),
            header["estimated_rows"],
            header.get("source", ""),
        )
    if kind == _END:
        first, last = Position.parse(header["first"]), Position.parse(header["last"])
        return SnapshotEnd(_schema(header), first, last, header["rows"], header.get("source", ""))
    if kind == _OFFER:
        return SnapshotOffer(_schema(header), header["source"])
    if kind == _HEARTBEAT:
        return HeartbeatFrame(Position.parse(header["position"]), header["time"], gtid_set=header.get("executed", ""))
    if kind == _RESUMED:
        return _decode_resumed(header)
    if kind == _TOTALS:
        return _decode_totals(header)
    if kind == _ROLLBACK:
        return RollbackFrame()
    raise FrameDamaged(problem=f"kind {kind}")


def _decode_changes(header: Any, blobs: _Blobs) -> ChangeFrame:
    batch = blobs.next(header["transactions"])
    transactions = Transactions(batch.column(0), batch.column(1), batch.column(2))
    tables = tuple(_decode_table(table, blobs) for table in header["tables"])
    return ChangeFrame(transactions, header["complete"], tables, header.get("source", ""), header.get("executed", ""))


def _decode_table(table: Any, blobs: _Blobs) -> TableChanges:
    fixed, rows, keys_before = (blobs.next(length) for length in table["blobs"])
    unchanged = {name: fixed.column(len(_FIXED) + index) for index, name in enumerate(table["unchanged"])}
    return TableChanges(
        _schema(table),
        tuple(table["key"]),
        fixed.column(0),
        fixed.column(1),
        fixed.column(2),
        rows,
        keys_before,
        unchanged,
        tuple(table.get("origin", ())),
    )


def _schema(header: Any) -> TableSchema:
    return _schema_from_text(header["schema"])


@lru_cache(maxsize=4096)
def _schema_from_text(text: str) -> TableSchema:
    return schema_from_json(text)
