"""Writes into Iceberg; see lakes.writer."""

from datetime import UTC, datetime, timedelta

from zcbus.connectors.iceberg.catalogue import LakeCatalogue
from zcbus.connectors.iceberg.merging import merge
from zcbus.connectors.iceberg.spec import IcebergOptions
from zcbus.connectors.iceberg.staging import stage, unstage
from zcbus.connectors.iceberg.state import StateTable
from zcbus.connectors.iceberg.tables import IcebergTables
from zcbus.connectors.iceberg.tidying import tidy
from zcbus.connectors.iceberg.types import TYPES
from zcbus.connectors.lakes.parts import Part
from zcbus.connectors.lakes.writer import LakeWriter


class IcebergWriter(LakeWriter):
    """See LakeWriter."""

    def __init__(self, options: IcebergOptions) -> None:
        self._catalogue = LakeCatalogue(options)
        state, tables = StateTable(self._catalogue), IcebergTables(self._catalogue)
        super().__init__(options, self._catalogue.place, state, tables, TYPES)

    def stage(self, part: Part) -> Part:
        return stage(self._catalogue, part)

    def unstage(self, part: Part) -> None:
        unstage(self._catalogue, part)

    def merge(self, part: Part, application: str, number: int) -> bool:
        return merge(self._catalogue, part, application, number)

    def tidy(self, table: str) -> None:
        found = self._catalogue.open(table)
        if found is not None:
            until = datetime.now(UTC) - timedelta(hours=self._options.history)
            with self._catalogue.translated(table):
                tidy(found, self._catalogue.files, until)
