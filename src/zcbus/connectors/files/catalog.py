"""A folder's tables, and the columns of their files."""

from collections.abc import Sequence

from zcbus.connectors.files.folder import Folder
from zcbus.connectors.files.options import SCHEMA, FilesOptions
from zcbus.connectors.stores import Store
from zcbus.model.schema import TableName, TableSchema, TableSummary


class FilesDiscoverer:
    """See roles.Discoverer."""

    def __init__(self, options: FilesOptions, store: Store) -> None:
        self._folder = Folder(options, store)

    def schemas(self) -> list[str]:
        return [SCHEMA]

    def tables(self, schema: str | None = None) -> list[TableSummary]:
        if schema not in (None, SCHEMA):
            return []
        found = sorted(self._folder.listing().items())
        return [
            TableSummary(name, None, sum(file.size for file in files), has_primary_key=True, has_unique_key=False)
            for name, files in found
        ]

    def describe(self, names: Sequence[TableName]) -> list[TableSchema]:
        files = self._folder.listing()
        return [self._folder.describe(name, files.get(name, ())) for name in names]

    def __enter__(self) -> "FilesDiscoverer":
        return self

    def __exit__(self, *details: object) -> None:
        self._folder.close()
