"""A folder of files as a source; see roles.Source."""

from collections.abc import Sequence

from zcbus.connectors.files.catalog import FilesDiscoverer
from zcbus.connectors.files.folder import Folder
from zcbus.connectors.files.options import FilesOptions
from zcbus.connectors.files.rows import FilesImage, FilesReader
from zcbus.connectors.files.stream import KEY, FilesStream
from zcbus.connectors.polling.round_source import FixedKeySource, beginning
from zcbus.connectors.roles import CapturedTable, SchemaHistory
from zcbus.connectors.stores import OpenStore
from zcbus.model.position import Position
from zcbus.model.schema import TableSchema


class FilesSource(FixedKeySource):
    """With another key, changes of removed rows would need the rows' values."""

    key = KEY
    key_refusal = "files-key"

    def __init__(self, options: FilesOptions, open_store: OpenStore) -> None:
        self._options, self._open_store = options, open_store

    def discoverer(self) -> FilesDiscoverer:
        return FilesDiscoverer(self._options, self._open_store())

    def open_changes(
        self,
        node: str,
        tables: Sequence[CapturedTable],
        after: Position | None,
        history: SchemaHistory | None = None,
        gtid_set: str = "",
    ) -> FilesStream:
        options = self._options
        return FilesStream(
            Folder(options, self._open_store()),
            tables,
            beginning(after),
            history,
            options.interval,
            {"kind": options.kind, "address": options.address},
            follows_removal=options.removed == "delete",
        )

    def open_snapshot(self) -> FilesImage:
        return FilesImage(FilesReader(self._options, self._open_store()))

    def estimate(self, table: TableSchema) -> int | None:
        return None

    def identity(self) -> str:
        store = self._open_store()
        try:
            return f"{self._options.kind}:{store.identity()}"
        finally:
            store.close()
