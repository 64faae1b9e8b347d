"""Delta tables as a source: rows of the newest version, then the feed of changes; see roles.Source."""

from collections.abc import Sequence

from zcbus.connectors.delta.feed import Feed
from zcbus.connectors.delta.folder import OWN, LakeFolder
from zcbus.connectors.delta.rows import DeltaTableReader
from zcbus.connectors.delta.spec import DeltaOptions
from zcbus.connectors.delta.stream import DeltaStream
from zcbus.connectors.errors import TableMissing, TableRefused
from zcbus.connectors.polling.round_source import RoundSource, beginning
from zcbus.connectors.polling.source import PolledImage
from zcbus.connectors.roles import CapturedTable, SchemaHistory
from zcbus.model.position import Position
from zcbus.model.schema import TableSchema


class DeltaSource(RoundSource):
    """Only tables with a change data feed and a key are captured."""

    def __init__(self, options: DeltaOptions) -> None:
        self._options = options

    def prepare(self, node: str, tables: Sequence[CapturedTable], after: Position | None = None) -> Position:
        for refused in self.refusals(tables, ()):
            raise refused
        return beginning(after)

    def refusals(
        self, tables: Sequence[CapturedTable], schemas: Sequence[TableSchema]
    ) -> Sequence[TableMissing | TableRefused]:
        folder = LakeFolder(self._options)
        found: list[TableMissing | TableRefused] = []
        for table in tables:
            feed = Feed(folder, table.name, table.key)
            try:
                feed.open()
                if not table.key:
                    raise feed.refused("feed-needs-key")
            except (TableMissing, TableRefused) as error:
                found.append(error)
        return found

    def open_changes(
        self,
        node: str,
        tables: Sequence[CapturedTable],
        after: Position | None,
        history: SchemaHistory | None = None,
        gtid_set: str = "",
    ) -> DeltaStream:
        return DeltaStream(LakeFolder(self._options), tables, beginning(after), history, self._options.poll)

    def open_snapshot(self) -> PolledImage:
        return PolledImage(DeltaTableReader(LakeFolder(self._options)))

    def estimate(self, table: TableSchema) -> int | None:
        return DeltaTableReader(LakeFolder(self._options)).estimate(table)

    def identity(self) -> str:
        folder = LakeFolder(self._options)
        own = folder.open(OWN)
        return f"delta:{folder.root if own is None else own.metadata().id}"
