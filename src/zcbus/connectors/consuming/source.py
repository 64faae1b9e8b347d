"""A broker's topics as a source; see roles.Source."""

from collections.abc import Callable, Sequence

from zcbus.connectors.consuming.catalog import ConsumingDiscoverer
from zcbus.connectors.consuming.consumer import Consumer
from zcbus.connectors.consuming.image import ConsumedImage
from zcbus.connectors.consuming.options import ConsumingOptions
from zcbus.connectors.consuming.rows import ROW_KEY, Decode, MessageRows
from zcbus.connectors.consuming.stream import ConsumingStream
from zcbus.connectors.polling.round_source import FixedKeySource, beginning
from zcbus.connectors.roles import CapturedTable, SchemaHistory
from zcbus.model.position import Position
from zcbus.model.schema import TableSchema


class ConsumingSource(FixedKeySource):
    """Under another key messages would overwrite each other."""

    key = ROW_KEY
    key_refusal = "messages-key"

    def __init__(
        self, options: ConsumingOptions, open_consumer: Callable[[], Consumer], decode: Decode | None = None
    ) -> None:
        self._options, self._open, self._decode = options, open_consumer, decode
        self._where = {"kind": options.kind, "address": options.address}

    def discoverer(self) -> ConsumingDiscoverer:
        return ConsumingDiscoverer(self._options, self._open())

    def open_changes(
        self,
        node: str,
        tables: Sequence[CapturedTable],
        after: Position | None,
        history: SchemaHistory | None = None,
        gtid_set: str = "",
    ) -> ConsumingStream:
        rows = MessageRows(self._options, self._decode)
        return ConsumingStream(self._open(), rows, tables, beginning(after), history, gtid_set, self._where)

    def open_snapshot(self) -> ConsumedImage:
        return ConsumedImage(self._open(), MessageRows(self._options, self._decode), self._where)

    def estimate(self, table: TableSchema) -> int | None:
        with self.open_snapshot() as image:
            return image.estimate(table)

    def identity(self) -> str:
        consumer = self._open()
        try:
            return f"{self._options.kind}:{consumer.identity()}"
        finally:
            consumer.close()
