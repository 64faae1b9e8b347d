"""All that the OpenSearch connector can do, behind one factory."""

from zcbus.connectors.opensearch.check import OpenSearchTester
from zcbus.connectors.opensearch.spec import SCHEMA, OpenSearchOptions
from zcbus.connectors.opensearch.types import map_columns
from zcbus.connectors.opensearch.writer import OpenSearchWriter
from zcbus.connectors.roles import Connector, MappingNote
from zcbus.connectors.writing.connector import WriterConnector
from zcbus.model.schema import TableSchema


class OpenSearchConnector(WriterConnector):
    """See Connector."""

    kind = "opensearch"
    schema = SCHEMA

    def tester(self) -> OpenSearchTester:
        return OpenSearchTester()

    def writer(self, options: OpenSearchOptions) -> OpenSearchWriter:
        return OpenSearchWriter(options)

    def map_columns(self, schema: TableSchema) -> list[MappingNote]:
        return map_columns(schema)


def connector() -> Connector:
    """Entry of the registry."""
    return OpenSearchConnector()
