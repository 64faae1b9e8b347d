"""A broker's topics as a source; see roles.Source."""

from collections.abc import Callable, Iterator, Sequence

import pyarrow as pa

from zcbus.connectors.conditions import Condition
from zcbus.connectors.consuming.acknowledging.reader import Acknowledging
from zcbus.connectors.consuming.acknowledging.stream import AcknowledgingStream
from zcbus.connectors.consuming.catalog import ConsumingDiscoverer
from zcbus.connectors.consuming.options import ConsumingOptions
from zcbus.connectors.consuming.rows import MessageRows
from zcbus.connectors.errors import TableMissing, TableRefused
from zcbus.connectors.polling import rounds
from zcbus.connectors.polling.round_source import RoundSource, beginning
from zcbus.connectors.roles import CapturedTable, RegisteredReader, SchemaHistory
from zcbus.kit.clock import now_ms
from zcbus.model.position import Position
from zcbus.model.schema import TableSchema


class AcknowledgingSource(RoundSource, RegisteredReader):
    """Messages that are acknowledged once they are durable."""

    def __init__(self, options: ConsumingOptions, open_reader: Callable[[str], Acknowledging]) -> None:
        """`open_reader`: makes the reader of a node; without a node one that only lists topics."""
        self._options, self._open = options, open_reader
        self._where = {"kind": options.kind, "address": options.address}

    def prepare(self, node: str, tables: Sequence[CapturedTable], after: Position | None = None) -> Position:
        with ConsumingDiscoverer(self._options, self._open("")) as discoverer:
            schemas = discoverer.describe([table.name for table in tables])
        for refused in self.refusals(tables, schemas):
            raise refused
        return beginning(after)

    def refusals(
        self, tables: Sequence[CapturedTable], schemas: Sequence[TableSchema]
    ) -> Sequence[TableMissing | TableRefused]:
        """A key is declared with the topic, since its columns must not be empty."""
        return [
            TableRefused(table=str(table.name), column=", ".join(table.key), reason="messages-declared-key")
            for table, schema in zip(tables, schemas, strict=True)
            if table.key != schema.primary_key
        ]

    def open_changes(
        self,
        node: str,
        tables: Sequence[CapturedTable],
        after: Position | None,
        history: SchemaHistory | None = None,
        gtid_set: str = "",
    ) -> AcknowledgingStream:
        rows = MessageRows(self._options)
        return AcknowledgingStream(self._open(node), rows, tables, beginning(after), history, gtid_set, self._where)

    def open_snapshot(self) -> "NoImage":
        return NoImage()

    def estimate(self, table: TableSchema) -> int | None:
        return 0

    def identity(self) -> str:
        reader = self._open("")
        try:
            return f"{self._options.kind}:{reader.identity()}"
        finally:
            reader.close()

    def drop(self, node: str) -> None:
        reader = self._open(node)
        try:
            reader.forget()
        finally:
            reader.close()


class NoImage:
    """A snapshot without rows: the broker hands out only what nothing has acknowledged, to the one reader that it keeps
    it for. See roles.SnapshotReader."""

    def __init__(self) -> None:
        self._position = rounds.of_image(now_ms())

    @property
    def position(self) -> Position:
        return self._position

    def estimate(self, table: TableSchema) -> int | None:
        return 0

    def read(
        self,
        table: TableSchema,
        key: tuple[str, ...],
        after: tuple[str, ...] | None,
        rows: int,
        until: tuple[str, ...] | None = None,
        where: Condition | None = None,
    ) -> Iterator[tuple[pa.RecordBatch, tuple[str, ...]]]:
        return iter(())

    def __enter__(self) -> "NoImage":
        return self

    def __exit__(self, *details: object) -> None:
        """Nothing is open."""
