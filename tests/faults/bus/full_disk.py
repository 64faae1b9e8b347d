"""Fills a small file system and makes room again, inside of a mount namespace of its own.

Arguments: an empty folder, on which a small tmpfs is mounted. Ends with 0 if all held.
"""

import subprocess
import sys
import time
from pathlib import Path

from tests.faults.bus.numbered import numbered
from zcbus.bus.contract import BusFull, Retention
from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.bus.embedded.writer import EmbeddedWriter

FILLINGS = 6


def main() -> None:
    folder = Path(sys.argv[1])
    mount = ["mount", "-t", "tmpfs", "-o", "size=6m", "none", str(folder)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        print("no tmpfs can be mounted here")
        sys.exit(77)
    # Records up to 90 kB in segments of 300 kB: the disk fills in the middle of records and of new segments.
    bus = EmbeddedBus(folder / "bus", segment_bytes=300_000)
    acknowledged, full = 0, 0
    with bus.writer("t", Retention()) as writer:
        for filling in range(FILLINGS):
            # The ballast leaves a different rest of room each time, down to the byte.
            ballast = folder / "ballast"
            ballast.write_bytes(b"x" * (4_500_000 - filling * 711_111))
            acknowledged, hits = fill(writer, acknowledged)
            full += hits
            check(bus, acknowledged)
            ballast.unlink()
            freed = time.monotonic()
            writer.append([numbered(writer.next_offset)])
            acknowledged = writer.flush()
            assert time.monotonic() - freed < 10
            check(bus, acknowledged)
    assert full >= FILLINGS, full
    with bus.writer("t", Retention()) as writer:
        assert writer.next_offset == acknowledged
    check(bus, acknowledged)


def fill(writer: EmbeddedWriter, acknowledged: int) -> tuple[int, int]:
    """Write until there is no room, and try again a few times as a publisher would."""
    hits = 0
    while hits < 4:
        try:
            for _ in range(3):
                writer.append([numbered(writer.next_offset)])
            acknowledged = writer.flush()
        except BusFull:
            hits += 1
            assert writer.next_offset >= acknowledged
    return acknowledged, hits


def check(bus: EmbeddedBus, acknowledged: int) -> None:
    """Every acknowledged record is there and right, and nothing else."""
    expected = 0
    with bus.reader("t", 0) as reader:
        while records := reader.read(1000, 1 << 20, 0):
            for record in records:
                assert record.offset == expected
                assert bytes(record.payload) == numbered(expected)
                expected += 1
    assert expected == acknowledged, (expected, acknowledged)


if __name__ == "__main__":
    main()
