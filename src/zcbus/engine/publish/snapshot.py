"""Snapshot of a table: from a consistent image to its full topic, resuming an interrupted one."""

import threading
import time
from collections.abc import Callable

from zcbus.bus.contract import Bus, TopicWriter
from zcbus.bus.topics import full_topic
from zcbus.connectors.roles import SnapshotReader
from zcbus.engine.publish.full_topic import KEEP_ALL, Written, delete_older, inspect
from zcbus.engine.publish.table import PublishedRun
from zcbus.engine.tracing import snapshot_traces
from zcbus.model.changes import RollbackFrame, SnapshotEnd, SnapshotOffer, SnapshotRows
from zcbus.model.frames import encode_frame
from zcbus.model.schema import TableSchema
from zcbus.model.states import PublishState

_ROWS = 50_000
_MANY_ROWS = 50_000
"""Estimated rows from which a table gets an image of its own."""
_FLUSH_SECONDS = 0.3
"""Interval of flushes: rows become visible to subscribers; a flush per batch would be slow."""


def take_snapshot(bus: Bus, node: str, run: PublishedRun, image: SnapshotReader, stop: threading.Event) -> None:
    """Write the desired full topic to its end, or until `stop`.

    Raises TransientError (source or bus unavailable: retry with a new image), TerminalError.
    """
    topic = full_topic(node, run.task.id, run.task.generation)
    with bus.writer(topic, KEEP_ALL) as writer:
        written = inspect(bus, topic)
        if not written.complete:
            if written.rows and not run.key:
                # Another image has the rows in another order, so the existing part cannot be resumed.
                writer.append(encode_frame(RollbackFrame()))
                written = Written()
            _take(writer, topic, run, image, written, stop)
    if run.snapshot is PublishState.INCREMENTAL_RELEASE:
        delete_older(bus, node, run.task.id, run.task.generation)


def offer_snapshot(bus: Bus, node: str, run: PublishedRun, estimate: Callable[[TableSchema], int | None]) -> bool:
    """Offer the rows to the only reader, if possible; false: they must be written.

    Small tables are written because many share an image here. Tables without a key are written because a reader could
    not resume them. `estimate`: a table's number of rows. Raises TransientError.
    """
    if not run.task.direct or not run.key:
        return False
    assert run.schema is not None
    topic = full_topic(node, run.task.id, run.task.generation)
    with bus.writer(topic, KEEP_ALL) as writer:
        if writer.next_offset == 0 and (estimate(run.schema) or 0) >= _MANY_ROWS:
            writer.append(encode_frame(SnapshotOffer(run.schema, run.database)))
            writer.flush()
        run.offered = inspect(bus, topic).offered
    if run.offered:
        run.snapshot, run.snapshot_reason = PublishState.INCREMENTAL_RELEASE, None
        delete_older(bus, node, run.task.id, run.task.generation)
    return run.offered


def _take(
    writer: TopicWriter,
    topic: str,
    run: PublishedRun,
    image: SnapshotReader,
    written: Written,
    stop: threading.Event,
) -> None:
    schema, traces = run.schema, snapshot_traces(topic)
    assert schema is not None
    run.snapshot, run.snapshot_reason = PublishState.PUBLISHING, None
    run.rows_read = written.rows
    run.rows_total = estimate = image.estimate(schema)
    flushed = 0.0  # The first rows are flushed at once: subscribers wait for them.
    began = time.time_ns()
    for rows, last_key in image.read(schema, run.key, written.last_key, _ROWS):
        offset = writer.next_offset
        writer.append(encode_frame(SnapshotRows(schema, rows, image.position, last_key, estimate, run.database)))
        if traces is not None:
            traces.written(offset, rows.num_rows, began)
        run.rows_read += rows.num_rows
        if time.monotonic() - flushed > _FLUSH_SECONDS:
            writer.flush()
            flushed = time.monotonic()
        if stop.is_set() or run.cancelled:
            writer.flush()
            return
        began = time.time_ns()
    _finish(writer, run, schema, image, written)


def _finish(
    writer: TopicWriter, run: PublishedRun, schema: TableSchema, image: SnapshotReader, written: Written
) -> None:
    first = written.first or image.position
    writer.append(encode_frame(SnapshotEnd(schema, first, image.position, run.rows_read, run.database)))
    writer.flush()
    run.rows_total = run.rows_read
    run.snapshot = PublishState.INCREMENTAL_RELEASE
