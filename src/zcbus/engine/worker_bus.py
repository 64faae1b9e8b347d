"""The bus as a service's process reads it: no more at once than its memory takes."""

from zcbus.bus.batch_limits import BatchLimitedBus
from zcbus.bus.contract import Bus
from zcbus.bus.open import open_bus
from zcbus.kit.settings import Settings

_SMALLEST_PORTION = 1 << 20


def worker_bus(settings: Settings, readers: int = 1) -> Bus:
    """The bus for a process in which so many threads read it at once."""
    portion = min(_portion(settings.worker_memory_mb, readers), settings.batch_mb << 20)
    return BatchLimitedBus(open_bus(settings.bus, settings.data_dir), portion, settings.batch_records)


def _portion(memory_mb: int, readers: int) -> int:
    """How many bytes a reader may be handed at once. Decoding, compacting and writing them takes up to four times as
    much, in each thread that does it."""
    return max((memory_mb << 20) * 3 // 16 // readers, _SMALLEST_PORTION)
