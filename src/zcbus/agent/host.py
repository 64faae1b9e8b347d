"""Load figures of the agent's host."""

from pathlib import Path

import psutil

from zcbus.kit.clock import Clock
from zcbus.protocol.agent import HostFigures

_EVERY_SECONDS = 2.0


class HostMeasure:
    """Measures at most every two seconds: people read the figures, and measuring costs time."""

    def __init__(self, data_dir: Path, clock: Clock) -> None:
        self._data_dir = data_dir
        self._clock = clock
        self._measured_at = clock.monotonic()
        # The first call only begins the measurement.
        psutil.cpu_percent()

    def measure(self) -> HostFigures | None:
        """The figures since the last measurement; None if it is too early for new ones."""
        now = self._clock.monotonic()
        if now - self._measured_at < _EVERY_SECONDS:
            return None
        self._measured_at = now
        memory, disk = psutil.virtual_memory(), psutil.disk_usage(str(self._data_dir))
        return HostFigures(
            cpu_percent=psutil.cpu_percent(),
            # Memory that programs could still get counts as free, also where the kernel caches in it.
            memory_used=memory.total - memory.available,
            memory_total=memory.total,
            disk_used=disk.used,
            disk_total=disk.total,
        )
