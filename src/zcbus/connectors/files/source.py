"""A folder of files as a source; see roles.Source."""

from collections.abc import Sequence

from zcbus.connectors.errors import TableMissing, TableRefused
from zcbus.connectors.files.catalog import FilesDiscoverer
from zcbus.connectors.files.folder import Folder
from zcbus.connectors.files.options import FilesOptions
from zcbus.connectors.files.rows import FilesImage, FilesReader
from zcbus.connectors.files.stream import KEY, FilesStream
from zcbus.connectors.polling import rounds
from zcbus.connectors.roles import CapturedTable, SchemaHistory
from zcbus.connectors.stores import OpenStore
from zcbus.kit.clock import now_ms
from zcbus.model.position import Position
from zcbus.model.schema import TableSchema


class FilesSource:
    """Nothing is made in the folder, and nothing is kept there for a node."""

    def __init__(self, options: FilesOptions, open_store: OpenStore) -> None:
        self._options, self._open_store = options, open_store

    def prepare(self, node: str, tables: Sequence[CapturedTable], after: Position | None = None) -> Position:
        for refused in _refusals(tables):
            raise refused
        with FilesDiscoverer(self._options, self._open_store()) as discoverer:
            discoverer.describe([table.name for table in tables])
        return after or rounds.beginning(now_ms(), Position(0, 0))

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
    ) -> FilesStream:
        options = self._options
        return FilesStream(
            Folder(options, self._open_store()),
            tables,
            after or rounds.beginning(now_ms(), Position(0, 0)),
            history,
            options.interval,
            {"kind": options.kind, "address": options.address},
            follows_removal=options.removed == "delete",
        )

    def open_snapshot(self) -> FilesImage:
        return FilesImage(FilesReader(self._options, self._open_store()))

    def estimate(self, table: TableSchema) -> int | None:
        return None

    def log_end(self) -> Position:
        return rounds.end_of_log(now_ms())

    def describe_position(self, position: Position) -> str:
        return rounds.place(position)

    def identity(self) -> str:
        store = self._open_store()
        try:
            return f"{self._options.kind}:{store.identity()}"
        finally:
            store.close()


def _refusals(tables: Sequence[CapturedTable]) -> list[TableMissing | TableRefused]:
    """Another key would need the values of rows that are gone to tell what became of them."""
    return [
        TableRefused(table=str(table.name), column=", ".join(table.key), reason="files-key")
        for table in tables
        if table.key != KEY
    ]
