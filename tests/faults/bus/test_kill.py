"""A writer that is killed repeatedly while a reader follows it."""

import random
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.faults.bus.numbered import numbered
from zcbus.bus.contract import Retention, TopicBusy
from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.bus.embedded.writer import EmbeddedWriter

pytestmark = pytest.mark.fault

KILLS = 25


class _Reader(threading.Thread):
    """Follows the topic and checks every record."""

    def __init__(self, root: Path) -> None:
        super().__init__()
        self._root = root
        self.checked = 0
        self.wrong: list[str] = []
        self.stop_at: int | None = None

    def run(self) -> None:
        with EmbeddedBus(self._root).reader("t", 0) as reader:
            while self.stop_at is None or self.checked < self.stop_at:
                for record in reader.read(100, 1 << 20, 0.1):
                    if record.offset != self.checked or bytes(record.payload) != numbered(record.offset):
                        self.wrong.append(f"{record.offset} at {self.checked}")
                    self.checked += 1


def _run_and_kill(root: Path, seconds: float) -> int:
    """Let a writer run for so long after its first flush; returns the offset last reported as durable."""
    command = [sys.executable, "-m", "tests.faults.bus.crash_writer", str(root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline(), "the writer did not start"
        time.sleep(seconds)  # the random moment of the kill is the point
        process.kill()
        lines = process.stdout.read().splitlines(keepends=True)
    return max((int(line) for line in lines if line.endswith("\n")), default=0)


def test_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    reader = _Reader(tmp_path)
    reader.start()
    acknowledged = 0
    try:
        for _ in range(KILLS):
            acknowledged = max(acknowledged, _run_and_kill(tmp_path, random.uniform(0, 0.15)))
            info = EmbeddedBus(tmp_path).info("t")
            assert info is not None
            assert info.next_offset >= acknowledged
        with _writer_when_free(tmp_path) as writer:
            final = writer.next_offset
        assert final >= acknowledged > KILLS
        reader.stop_at = final
        reader.join(30)
        assert reader.checked == final
    finally:
        reader.stop_at = 0
        reader.join()
    assert reader.wrong == []


def _writer_when_free(root: Path) -> EmbeddedWriter:
    deadline = time.monotonic() + 10
    while True:
        try:
            return EmbeddedBus(root).writer("t", Retention())
        except TopicBusy:
            assert time.monotonic() < deadline, "the lock outlived its process"


def test_the_lock_of_another_process_counts_and_dies_with_it(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.faults.bus.crash_writer", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        with pytest.raises(TopicBusy):
            EmbeddedBus(tmp_path).writer("t", Retention())
        with pytest.raises(TopicBusy):
            EmbeddedBus(tmp_path).delete("t")
        process.kill()
    with _writer_when_free(tmp_path) as writer:
        assert writer.next_offset > 0
