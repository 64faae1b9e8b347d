"""Folders of tables, as the suites see a server: a kind without SQL."""

import shutil
from typing import Any

from deltalake import DeltaTable
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.table import Table

from tests.servers.files import TENANT, FilesFolder
from zcbus.connectors.registry import spec_of


class LakeFolder:
    """Tables of a lake in folders of the files' folder."""

    kind = ""
    interval = 0
    """See LakeOptions."""

    def __init__(self, files: FilesFolder) -> None:
        self._folder = files.folder
        self._number = 0

    def fresh_database(self, prefix: str) -> str:
        self._number += 1
        return f"{prefix}_{self._number}.{self.kind}"

    def options(self, database: str) -> Any:
        return spec_of(self.kind).model(folder=database, tenant=TENANT, interval=self.interval)  # type: ignore[call-arg]

    def drop_database(self, name: str) -> None:
        shutil.rmtree(self._folder / name, ignore_errors=True)


class DeltaFolder(LakeFolder):
    """Delta tables."""

    kind = "delta"

    def table(self, database: str, name: str) -> DeltaTable:
        """Read without the connector."""
        return DeltaTable(self.path(database, name))

    def path(self, database: str, name: str) -> str:
        return str(self._folder / database / name)

    def rows(self, database: str, name: str) -> list[dict[str, Any]]:
        return list(self.table(database, name).to_pyarrow_table().to_pylist())


class IcebergFolder(LakeFolder):
    """Iceberg tables, with their catalogue in the folder."""

    kind = "iceberg"

    def table(self, database: str, name: str) -> Table:
        """Read without the connector."""
        found = self._folder / database
        catalogue = SqlCatalog("zcbus", uri=f"sqlite:///{found}/catalog.db", warehouse=f"file://{found}")
        return catalogue.load_table(("zcbus", name))

    def rows(self, database: str, name: str) -> list[dict[str, Any]]:
        return list(self.table(database, name).scan().to_arrow().to_pylist())
