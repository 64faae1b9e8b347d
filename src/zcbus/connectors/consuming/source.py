"""A broker's topics as a source; see roles.Source."""

from collections.abc import Callable, Sequence

from zcbus.connectors.consuming.catalog import ConsumingDiscoverer
from zcbus.connectors.consuming.consumer import Consumer
from zcbus.connectors.consuming.image import ConsumedImage
from zcbus.connectors.consuming.options import ConsumingOptions
from zcbus.connectors.consuming.rows import ROW_KEY, MessageRows
from zcbus.connectors.consuming.stream import ConsumingStream
from zcbus.connectors.errors import TableMissing, TableRefused
from zcbus.connectors.polling import rounds
from zcbus.connectors.roles import CapturedTable, SchemaHistory
from zcbus.kit.clock import now_ms
from zcbus.model.position import START, Position
from zcbus.model.schema import TableSchema


class ConsumingSource:
    """Nothing is made at the broker, and nothing is kept there for a node."""

    def __init__(self, options: ConsumingOptions, open_consumer: Callable[[], Consumer]) -> None:
        self._options, self._open = options, open_consumer
        self._where = {"kind": options.kind, "address": options.address}

    def prepare(self, node: str, tables: Sequence[CapturedTable], after: Position | None = None) -> Position:
        for refused in _refusals(tables):
            raise refused
        with ConsumingDiscoverer(self._options, self._open()) as discoverer:
            discoverer.describe([table.name for table in tables])
        return after or rounds.beginning(now_ms(), START)

    def refusals(
        self, tables: Sequence[CapturedTable], schemas: Sequence[TableSchema]
    ) -> Sequence[TableMissing | TableRefused]:
        return _refusals(tables)

    def open_changes(
        self,
        node: str,
        tables: Sequence[CapturedTable],
        after: Position | None,
        history: SchemaHistory | None = None,
        executed: str = "",
    ) -> ConsumingStream:
        start = after or rounds.beginning(now_ms(), START)
        rows = MessageRows(self._options)
        return ConsumingStream(self._open(), rows, tables, start, history, executed, self._where)

    def open_snapshot(self) -> ConsumedImage:
        return ConsumedImage(self._open(), MessageRows(self._options), self._where)

    def estimate(self, table: TableSchema) -> int | None:
        with self.open_snapshot() as image:
            return image.estimate(table)

    def log_end(self) -> Position:
        return rounds.end_of_log(now_ms())

    def describe_position(self, position: Position) -> str:
        return rounds.place(position)

    def identity(self) -> str:
        consumer = self._open()
        try:
            return f"{self._options.kind}:{consumer.identity()}"
        finally:
            consumer.close()


def _refusals(tables: Sequence[CapturedTable]) -> list[TableMissing | TableRefused]:
    """Under another key messages would take each other's place."""
    return [
        TableRefused(table=str(table.name), column=", ".join(table.key), reason="messages-key")
        for table in tables
        if table.key != ROW_KEY
    ]
