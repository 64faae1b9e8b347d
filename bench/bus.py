"""The embedded bus against the disk beneath it, and small records against brokers that people use."""

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa

from bench.brokers import brokers
from bench.report import Result
from bench.timing import Measure, compare, seconds
from zcbus.bus.contract import Retention
from zcbus.bus.embedded.bus import SEGMENT_BYTES, EmbeddedBus

_TOTAL_BYTES = 400 << 20
_TOPIC = "bench"
_DISK = "sequential write and fdatasync"
_NOBODY: Mapping[str, Measure] = {}


def run() -> Iterator[Result]:
    """Durable Arrow batches of several sizes, small records, reading."""
    with tempfile.TemporaryDirectory(prefix="zcbus-bench-bus-") as folder:
        root = Path(folder)
        for size, group in ((8 << 20, 1), (1 << 20, 8), (256 << 10, 16)):
            record = arrow_batch(size)
            case = f"durable Arrow batches of {len(record) / (1 << 20):.2g} MiB, {group} a flush"
            yield from _compare(root, case, record, _TOTAL_BYTES // size, group)
        yield from _small_records(root)
        yield from _reading(root)


def arrow_batch(size: int) -> bytes:
    """An IPC stream of about so many bytes with columns as they travel on the bus."""
    rows = max(size // 64, 1)
    numbers = np.arange(rows).astype(str)
    batch = pa.record_batch(
        {"id": pa.array(numbers), "name": pa.array(np.char.add("name of the row number ", numbers))}
    )
    return bytes(_ipc(batch))


def _ipc(batch: pa.RecordBatch) -> memoryview:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return memoryview(sink.getvalue())


def _small_records(root: Path) -> Iterator[Result]:
    """Each a record of the bus, and a thousand in a frame, which is how changes travel: no change is a record alone."""
    record, count, group = arrow_batch(1024)[:1024], 200_000, 1000
    others = brokers(len(record), count, group)
    yield from _compare(root, f"durable records of 1 KB, {group} a flush", record, count, group, others)
    yield from compare(
        "bus",
        f"durable records of 1 KB, {group} in a frame, each flushed",
        "MB",
        len(record) * count / 1e6,
        lambda: _write_frames(root, record, count, group),
        {_DISK: lambda: _write_files(root, record, count, group), **others},
    )


def _write_frames(root: Path, record: bytes, count: int, group: int) -> float:
    """The time of making the frames is in it."""
    _empty(root)
    with EmbeddedBus(root).writer(_TOPIC, Retention()) as writer:

        def work() -> None:
            for _ in range(count // group):
                writer.append([_ipc(pa.record_batch({"row": pa.array([record] * group, pa.binary())}))])
                writer.flush()

        return seconds(work)


def _compare(
    root: Path, case: str, record: bytes, count: int, group: int, others: Mapping[str, Measure] = _NOBODY
) -> list[Result]:
    return compare(
        "bus",
        case,
        "MB",
        len(record) * count / 1e6,
        lambda: _write_topic(root, record, count, group),
        {_DISK: lambda: _write_files(root, record, count, group), **others},
    )


def _write_topic(root: Path, record: bytes, count: int, group: int) -> float:
    _empty(root)
    with EmbeddedBus(root).writer(_TOPIC, Retention()) as writer:

        def work() -> None:
            for number in range(1, count + 1):
                writer.append([record])
                if number % group == 0:
                    writer.flush()
            writer.flush()

        return seconds(work)


def _write_files(root: Path, record: bytes, count: int, group: int) -> float:
    """The same bytes in the same groups into files of the same size, without anything around them."""
    _empty(root)
    batch = record * group
    per_file = max(SEGMENT_BYTES // len(batch), 1)

    def work() -> None:
        for first in range(0, count // group, per_file):
            descriptor = os.open(root / str(first), os.O_WRONLY | os.O_CREAT)
            for _ in range(first, min(first + per_file, count // group)):
                os.write(descriptor, batch)
                os.fdatasync(descriptor)
            os.close(descriptor)

    return seconds(work)


def _reading(root: Path) -> list[Result]:
    record, count = arrow_batch(1 << 20), _TOTAL_BYTES >> 20
    _write_topic(root, record, count, 8)
    bus = EmbeddedBus(root)
    paths = sorted((root / _TOPIC).glob("*.seg"))

    def ours() -> None:
        with bus.reader(_TOPIC, 0) as reader:
            while reader.next_offset < count:
                assert reader.read(1000, 8 << 20, 1)

    def plain() -> None:
        for path in paths:
            with path.open("rb", buffering=0) as file:
                while file.read(1 << 20):
                    pass

    return compare(
        "bus",
        "reading with checksums, cached",
        "MB",
        len(record) * count / 1e6,
        lambda: seconds(ours),
        {"plain read": lambda: seconds(plain)},
    )


def _empty(root: Path) -> None:
    for entry in root.iterdir():
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    os.sync()
