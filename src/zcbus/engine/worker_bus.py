"""The bus of a worker, with batches limited by its memory."""

from zcbus.bus.batch_limits import BatchLimitedBus
from zcbus.bus.contract import Bus
from zcbus.bus.open import open_bus
from zcbus.kit.settings import Settings

_MIN_BATCH_BYTES = 1 << 20


def worker_bus(settings: Settings, readers: int = 1) -> Bus:
    """The bus for a process with so many reading threads."""
    batch_bytes = min(_batch_bytes(settings.worker_memory_mb, readers), settings.batch_mb << 20)
    return BatchLimitedBus(open_bus(settings.bus, settings.data_dir), batch_bytes, settings.batch_records)


def _batch_bytes(memory_mb: int, readers: int) -> int:
    """Limit of a batch in bytes. Decoding, compacting and writing need up to four times as much per thread."""
    return max((memory_mb << 20) * 3 // 16 // readers, _MIN_BATCH_BYTES)
