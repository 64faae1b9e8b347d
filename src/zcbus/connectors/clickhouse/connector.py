"""All that the ClickHouse connector can do, behind one factory."""

from zcbus.connectors.clickhouse.check import ClickHouseTester
from zcbus.connectors.clickhouse.spec import SCHEMA, ClickHouseOptions
from zcbus.connectors.clickhouse.types import map_columns
from zcbus.connectors.clickhouse.writer import ClickHouseWriter
from zcbus.connectors.roles import Connector, MappingNote
from zcbus.connectors.writing.connector import WriterConnector
from zcbus.model.schema import TableSchema


class ClickHouseConnector(WriterConnector):
    """See Connector."""

    kind = "clickhouse"
    schema = SCHEMA

    def tester(self) -> ClickHouseTester:
        return ClickHouseTester()

    def writer(self, options: ClickHouseOptions) -> ClickHouseWriter:
        return ClickHouseWriter(options)

    def map_columns(self, schema: TableSchema) -> list[MappingNote]:
        return map_columns(schema)


def connector() -> Connector:
    """Entry of the registry."""
    return ClickHouseConnector()
