"""Positions that are acknowledged to a source."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from tests.integration.engine.running import Link, on_source, wait_until

from zcbus.bus.contract import BusFull, Payload, Retention
from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.bus.topics import real_topic
from zcbus.engine.publish.service import PublishService
from zcbus.engine.task_box import TaskBox
from zcbus.model.changes import ChangeFrame
from zcbus.model.frames import decode_frame

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "postgres_server")]


class Crowded(EmbeddedBus):
    """A bus that has no room while the test says so."""

    is_full = False
    refused = 0

    def writer(self, topic: str, retention: Retention) -> Any:
        writer = super().writer(topic, retention)
        append = writer.append

        def append_where_there_is_room(payload: Payload) -> int:
            if self.is_full:
                self.refused += 1
                raise BusFull(topic=topic, path="")
            return append(payload)

        writer.append = append_where_there_is_room  # type: ignore[method-assign]
        return writer


@contextmanager
def publishing(link: Link, bus: EmbeddedBus) -> Iterator[PublishService]:
    stop = threading.Event()
    service = PublishService(TaskBox(link.publish_task()), bus, stop)
    thread = threading.Thread(target=service.run)
    thread.start()
    try:
        yield service
    finally:
        stop.set()
        thread.join(30)
        assert not thread.is_alive()


def test_a_source_may_forget_only_what_the_bus_has(link: Link) -> None:
    on_source(link, "CREATE TABLE t (k int PRIMARY KEY)")
    link.tables = {"t": {"load": "incremental"}}
    bus = Crowded(link.data_dir / "bus")
    with publishing(link, bus):
        wait_until(lambda: captured(link, bus) is not None, 30)
        on_source(link, "INSERT INTO t VALUES (1)")
        wait_until(lambda: captured(link, bus) == ["1"], 30)
        bus.is_full = True
        (before,) = link.source.rows("SELECT pg_current_wal_flush_lsn() - '0/0'::pg_lsn", link.source_database)
        on_source(link, "INSERT INTO t VALUES (2)")
        refused = bus.refused
        wait_until(lambda: bus.refused > refused + 1, 30)
    query = "SELECT confirmed_flush_lsn - '0/0'::pg_lsn FROM pg_replication_slots WHERE database = %s"
    (confirmed,) = link.source.rows(query, link.source_database, (link.source_database,))
    assert confirmed <= before
    bus.is_full = False
    with publishing(link, bus):
        wait_until(lambda: captured(link, bus) == ["1", "2"], 30)
    bus.close()


def captured(link: Link, bus: EmbeddedBus) -> list[str] | None:
    """Keys of the rows on the real topic; None: it is not there yet."""
    topic = real_topic(link.node)
    info = bus.info(topic)
    if info is None or not info.next_offset:
        return None
    with bus.reader(topic, 0) as reader:
        frames = [decode_frame(record.payload) for record in reader.read(10_000, 1 << 30, 0)]
    tables = [table for frame in frames if isinstance(frame, ChangeFrame) for table in frame.tables]
    return [key for table in tables for key in table.rows.column("k").to_pylist()]
