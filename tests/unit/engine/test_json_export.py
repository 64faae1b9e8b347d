"""The JSON topic's writer: changes of the real topic are exported before they are removed."""

import base64
import json
import random
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import SecretStr
from tests.support.processes import wait_until
from tests.unit.engine.history import NODE, History, frame, schema, write_real

from zcbus.bus.contract import ExportMessage, Retention, TopicInfo
from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.bus.kafka.errors import BusAway
from zcbus.bus.topics import real_topic
from zcbus.engine.publish.json_export import JsonExport
from zcbus.model.changes import CaptureResumed, Gap, Operation
from zcbus.model.position import Position
from zcbus.protocol.base import Connection

INSERTED = ("orders", Operation.INSERT, "", "k", "v")
SOURCE = Connection(
    kind="postgresql",
    options={"host": "h", "port": 1, "user": "u", "database": "d"},
    secrets={"password": SecretStr("p")},
)


class RecordingWriter:
    """Records what is committed. `free`: set once writing may continue."""

    def __init__(self) -> None:
        self.source_offset: int | None = None
        self.committed: list[ExportMessage] = []
        self.free = threading.Event()
        self.away = False
        self._open: list[ExportMessage] = []

    def send(self, messages: Sequence[ExportMessage]) -> None:
        self.free.wait(30)
        if self.away:
            raise BusAway(servers="k:9092", detail="gone")
        self._open += messages

    def commit(self, source_offset: int) -> None:
        self.committed, self._open, self.source_offset = self.committed + self._open, [], source_offset

    def rollback(self) -> None:
        self._open = []

    def close(self) -> None:
        pass

    def __enter__(self) -> "RecordingWriter":
        return self

    def __exit__(self, *_details: object) -> None:
        self.close()


class ExportingBus(EmbeddedBus):
    """The embedded bus with one export."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.writer_double = RecordingWriter()
        self.first = 0
        """The oldest record that there is, if there are more before it."""

    def info(self, topic: str) -> TopicInfo | None:
        found = super().info(topic)
        return found and replace(found, first_offset=max(found.first_offset, self.first))

    def export_writer(self, name: str, topic: str, retention: Retention) -> RecordingWriter:
        return self.writer_double


@pytest.fixture
def bus(tmp_path: Path) -> Iterator[ExportingBus]:
    bus = ExportingBus(tmp_path)
    yield bus
    bus.close()


def test_everything_is_exported_before_the_real_topic_is_deleted(bus: ExportingBus) -> None:
    frames = History(random.Random(1), ("orders",), 20).frames()
    gap = Gap(schema("orders").name, None, Position(0, 1 << 40))
    write_real(bus, [*frames, CaptureResumed((), (gap,))])
    stop = threading.Event()
    export = JsonExport(bus, NODE, "f", SOURCE, Retention())
    export.start()
    info = bus.info(real_topic(NODE))
    assert info is not None
    assert not export.finish(info.next_offset, _set()), "nothing can have been exported yet"
    bus.writer_double.free.set()
    assert export.finish(info.next_offset, stop)
    export.close()
    writer = bus.writer_double
    assert (writer.source_offset, b'"op":"m"' in writer.committed[-1].value) == (info.next_offset, True)


def test_readers_are_notified_of_records_removed_by_retention(bus: ExportingBus) -> None:
    """Up to the end of the transaction of which only the end is left."""
    first, second = frame([(1, INSERTED)], [1], False), frame([(1, INSERTED)], [1], True)
    third = frame([(2, INSERTED)], [2], True)
    write_real(bus, [first, first, second, third])
    bus.first = 1
    bus.writer_double.free.set()
    bus.writer_double.source_offset = 0
    export = JsonExport(bus, NODE, "f", SOURCE, Retention())
    export.tables = (schema("orders").name, schema("lines").name)
    export.start()
    assert export.finish(4, threading.Event())
    export.close()
    messages = [json.loads(message.value) for message in bus.writer_double.committed]
    assert [(one["op"], one["source"]["table"], one["source"]["lsn"]) for one in messages] == [
        ("m", "orders", 10),
        ("m", "lines", 10),
        ("c", "orders", 10),
        ("c", "orders", 20),
    ]
    content = json.loads(base64.b64decode(messages[0]["message"]["content"]))
    assert content == {"from": None, "to": {"lsn": 10}}
    assert export.report().reason is None
    assert export.report().gap_at is not None


def test_that_a_new_topic_begins_with_the_oldest_change_is_no_gap_to_worry_about(bus: ExportingBus) -> None:
    write_real(bus, [frame([(1, INSERTED)], [1], True), frame([(2, INSERTED)], [2], True)])
    bus.first = 1
    bus.writer_double.free.set()
    export = JsonExport(bus, NODE, "f", SOURCE, Retention())
    export.tables = (schema("orders").name,)
    export.start()
    assert export.finish(2, threading.Event())
    export.close()
    assert bus.writer_double.committed
    assert export.report().gap_at is None


def test_time_since_the_last_write_is_reported(bus: ExportingBus) -> None:
    write_real(bus, [frame([(1, INSERTED)], [1], True)])
    bus.writer_double.away = True
    bus.writer_double.free.set()
    export = JsonExport(bus, NODE, "f", SOURCE, Retention())
    export.start()
    wait_until(lambda: (export.report().waiting_seconds or 0) > 0.2, 10, "the wait is reported")
    assert export.report().reason is not None
    bus.writer_double.away = False
    assert export.finish(1, threading.Event())
    export.close()
    assert (export.report().reason, export.report().waiting_seconds) == (None, None)


def _set() -> threading.Event:
    event = threading.Event()
    event.set()
    return event
