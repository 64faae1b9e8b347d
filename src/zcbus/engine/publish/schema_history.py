"""Schemas that a source remembers between restarts, stored on the bus."""

from zcbus.bus.contract import Bus, Retention
from zcbus.bus.topics import structure_topic

_KEEP = Retention(size_bytes=1 << 20)


class StoredSchemaHistory:
    """A SchemaHistory in a topic of the node; the newest record counts."""

    def __init__(self, bus: Bus, node: str) -> None:
        self._bus, self._topic = bus, structure_topic(node)

    def read(self) -> bytes:
        info = self._bus.info(self._topic)
        if info is None or info.next_offset == 0:
            return b""
        with self._bus.reader(self._topic, info.next_offset - 1) as reader:
            return bytes(reader.read(1, 1, 0)[0].payload)

    def write(self, data: bytes) -> None:
        with self._bus.writer(self._topic, _KEEP) as writer:
            writer.append([data])
            writer.flush()
        self._bus.enforce(self._topic, _KEEP)
