"""All that the Iceberg connector can do, behind one factory."""

from zcbus.connectors.iceberg.check import IcebergTester
from zcbus.connectors.iceberg.spec import SCHEMA, IcebergOptions
from zcbus.connectors.iceberg.types import TYPES
from zcbus.connectors.iceberg.writer import IcebergWriter
from zcbus.connectors.roles import Connector, MappingNote
from zcbus.connectors.writing.connector import WriterConnector
from zcbus.model.schema import TableSchema


class IcebergConnector(WriterConnector):
    """See Connector."""

    kind = "iceberg"
    schema = SCHEMA

    def tester(self) -> IcebergTester:
        return IcebergTester()

    def writer(self, options: IcebergOptions) -> IcebergWriter:
        return IcebergWriter(options)

    def map_columns(self, schema: TableSchema) -> list[MappingNote]:
        return TYPES.map_columns(schema)


def connector() -> Connector:
    """Entry of the registry."""
    return IcebergConnector()
