"""A source by watermark; see roles.Source."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import pyarrow as pa

from zcbus.connectors.conditions import Condition
from zcbus.connectors.errors import TableMissing, TableRefused
from zcbus.connectors.polling import rounds
from zcbus.connectors.polling.puller import OpenPuller, Puller, refused
from zcbus.connectors.polling.round_source import RoundSource, beginning
from zcbus.connectors.polling.stream import PollingStream
from zcbus.connectors.reading import TableReader
from zcbus.connectors.roles import CapturedTable, SchemaHistory
from zcbus.kit.clock import now_ms
from zcbus.model.position import Position
from zcbus.model.schema import TableSchema


class PollingSource(RoundSource):
    """Rows are found by a watermark: a column that grows with each change."""

    def __init__(
        self,
        open_puller: OpenPuller,
        open_reader: Callable[[], TableReader],
        where: Mapping[str, str],
        interval: float,
        overlap: float,
    ) -> None:
        """As PollingStream."""
        self._open_puller, self._open_reader, self._where = open_puller, open_reader, where
        self._interval, self._overlap = interval, overlap

    def prepare(self, node: str, tables: Sequence[CapturedTable], after: Position | None = None) -> Position:
        with self._open_puller() as puller:
            schemas = puller.table_schemas([table.name for table in tables])
            for table, schema in zip(tables, schemas, strict=True):
                _check(puller, table, schema)
        return beginning(after)

    def refusals(
        self, tables: Sequence[CapturedTable], schemas: Sequence[TableSchema]
    ) -> Sequence[TableMissing | TableRefused]:
        found = []
        with self._open_puller() as puller:
            for table, schema in zip(tables, schemas, strict=True):
                try:
                    _check(puller, table, schema)
                except TableRefused as error:
                    found.append(error)
        return found

    def open_changes(
        self,
        node: str,
        tables: Sequence[CapturedTable],
        after: Position | None,
        history: SchemaHistory | None = None,
        gtid_set: str = "",
    ) -> PollingStream:
        return PollingStream(
            self._open_puller, tables, beginning(after), history, self._interval, self._overlap, self._where
        )

    def open_snapshot(self) -> "PolledImage":
        return PolledImage(self._open_reader())

    def estimate(self, table: TableSchema) -> int | None:
        with self._open_reader() as reader:
            return reader.estimate(table)

    def identity(self) -> str:
        with self._open_puller() as puller:
            return puller.identity()


def _check(puller: Puller, table: CapturedTable, schema: TableSchema) -> None:
    """Raises TableRefused."""
    puller.watermark(schema)
    if not table.key:
        # Rows that are published again after a restart would exist twice.
        raise refused(schema, "", "watermark-needs-key")


class PolledImage:
    """See roles.SnapshotReader. Tables are not read at one point in time: each is read at its turn, and rounds publish
    later changes."""

    def __init__(self, reader: TableReader) -> None:
        self._reader = reader
        self._position = rounds.of_image(now_ms())

    @property
    def position(self) -> Position:
        return self._position

    def estimate(self, table: TableSchema) -> int | None:
        return self._reader.estimate(table)

    def read(
        self,
        table: TableSchema,
        key: tuple[str, ...],
        after: tuple[str, ...] | None,
        rows: int,
        until: tuple[str, ...] | None = None,
        where: Condition | None = None,
    ) -> Iterator[tuple[pa.RecordBatch, tuple[str, ...]]]:
        return self._reader.read(table, key, after, rows, until, where)

    def __enter__(self) -> "PolledImage":
        return self

    def __exit__(self, *details: object) -> None:
        self._reader.__exit__(*details)
