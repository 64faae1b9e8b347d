"""One table's snapshot: from a consistent image to its full topic, going on where an earlier run stopped."""

import threading
import time
from collections.abc import Callable

from zcbus.bus.contract import Bus, TopicWriter
from zcbus.bus.topics import full_topic
from zcbus.connectors.roles import SnapshotReader
from zcbus.engine.publish.full_topic import KEEP_ALL, Written, delete_older, inspect
from zcbus.engine.publish.table import PublishedRun
from zcbus.model.changes import RollbackFrame, SnapshotEnd, SnapshotOffer, SnapshotRows
from zcbus.model.frames import encode_frame
from zcbus.model.schema import TableSchema
from zcbus.model.states import PublishState

_ROWS = 50_000
_MANY_ROWS = 50_000
"""An image of its own pays for a table that is estimated to have so many."""
_FLUSH_SECONDS = 0.3
"""Rows become visible to subscribers at least this often; a disk flush for each batch would slow the snapshot down."""


def take_snapshot(bus: Bus, node: str, run: PublishedRun, image: SnapshotReader, stop: threading.Event) -> None:
    """Fill the wanted full topic up to its end, or as far as it gets until `stop`.

    Raises TransientError (source or bus away: call again with a new image), TerminalError.
    """
    topic = full_topic(node, run.task.id, run.task.generation)
    with bus.writer(topic, KEEP_ALL) as writer:
        written = inspect(bus, topic)
        if not written.complete:
            if written.rows and not run.key:
                # Another image has the rows in another order: what is there cannot be gone on with.
                writer.append(encode_frame(RollbackFrame()))
                written = Written()
            _take(writer, run, image, written, stop)
    if run.snapshot is PublishState.INCREMENTAL_RELEASE:
        delete_older(bus, node, run.task.id, run.task.generation)


def offer_snapshot(bus: Bus, node: str, run: PublishedRun, estimate: Callable[[TableSchema], int | None]) -> bool:
    """Where the only reader can, have it take the rows from the source from now on; false: they are to be written, as
    those of small tables are, because many of them share an image here, and those of tables without a key, because a
    reader could not go on in the midst of them. `estimate` tells a table's number of rows. Raises TransientError."""
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
    writer: TopicWriter, run: PublishedRun, image: SnapshotReader, written: Written, stop: threading.Event
) -> None:
    schema = run.schema
    assert schema is not None
    run.snapshot, run.snapshot_reason = PublishState.PUBLISHING, None
    run.rows_read = written.rows
    run.rows_total = estimate = image.estimate(schema)
    flushed = 0.0  # the first rows at once: subscribers wait for them
    for rows, last_key in image.read(schema, run.key, written.last_key, _ROWS):
        writer.append(encode_frame(SnapshotRows(schema, rows, image.position, last_key, estimate, run.database)))
        run.rows_read += rows.num_rows
        if time.monotonic() - flushed > _FLUSH_SECONDS:
            writer.flush()
            flushed = time.monotonic()
        if stop.is_set() or run.cancelled:
            writer.flush()
            return
    _finish(writer, run, schema, image, written)


def _finish(
    writer: TopicWriter, run: PublishedRun, schema: TableSchema, image: SnapshotReader, written: Written
) -> None:
    first = written.first or image.position
    writer.append(encode_frame(SnapshotEnd(schema, first, image.position, run.rows_read, run.database)))
    writer.flush()
    run.rows_total = run.rows_read
    run.snapshot = PublishState.INCREMENTAL_RELEASE
