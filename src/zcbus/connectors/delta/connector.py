"""All that the Delta Lake connector can do, behind one factory."""

from zcbus.connectors.delta.check import DeltaTester
from zcbus.connectors.delta.folder import LakeFolder
from zcbus.connectors.delta.rows import DeltaTableReader
from zcbus.connectors.delta.source import DeltaSource
from zcbus.connectors.delta.spec import SCHEMA, DeltaOptions
from zcbus.connectors.delta.types import TYPES
from zcbus.connectors.delta.writer import DeltaWriter
from zcbus.connectors.reading import TableReader
from zcbus.connectors.roles import Connector, MappingNote, Side
from zcbus.connectors.source_log import FIRST_LOG, SourceLog
from zcbus.connectors.writing.connector import WriterConnector
from zcbus.model.schema import TableSchema


class DeltaConnector(WriterConnector):
    """See Connector."""

    kind = "delta"
    schema = SCHEMA

    def tester(self) -> DeltaTester:
        return DeltaTester()

    def source(self, options: DeltaOptions, log: SourceLog = FIRST_LOG) -> DeltaSource:
        return DeltaSource(options)

    def reader(self, options: DeltaOptions, side: Side) -> TableReader:
        return DeltaTableReader(LakeFolder(options)) if side == "source" else super().reader(options, side)

    def writer(self, options: DeltaOptions) -> DeltaWriter:
        return DeltaWriter(options)

    def map_columns(self, schema: TableSchema) -> list[MappingNote]:
        return TYPES.map_columns(schema)


def connector() -> Connector:
    """Entry of the registry."""
    return DeltaConnector()
