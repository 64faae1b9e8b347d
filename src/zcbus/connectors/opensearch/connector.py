"""All that the OpenSearch connector can do, behind one factory."""

from zcbus.connectors.opensearch.catalog import OpenSearchDiscoverer
from zcbus.connectors.opensearch.check import OpenSearchTester
from zcbus.connectors.opensearch.connection import OpenSearchConnection
from zcbus.connectors.opensearch.image import ImageReader
from zcbus.connectors.opensearch.pull import OpenSearchPuller
from zcbus.connectors.opensearch.rows import Rows
from zcbus.connectors.opensearch.spec import SCHEMA, OpenSearchOptions
from zcbus.connectors.opensearch.types import map_columns
from zcbus.connectors.opensearch.writer import OpenSearchWriter
from zcbus.connectors.polling.source import PollingSource
from zcbus.connectors.reading import TableReader
from zcbus.connectors.roles import Connector, Side, Source
from zcbus.connectors.source_log import FIRST_LOG, SourceLog
from zcbus.connectors.writing.connector import WriterTarget
from zcbus.connectors.writing.reader import WriterTableReader


class OpenSearchConnector(Connector):
    """See Connector."""

    kind = "opensearch"

    def tester(self) -> OpenSearchTester:
        return OpenSearchTester()

    def discoverer(self, options: OpenSearchOptions) -> OpenSearchDiscoverer:
        return OpenSearchDiscoverer(_source(options))

    def source(self, options: OpenSearchOptions, log: SourceLog = FIRST_LOG) -> Source:
        return PollingSource(
            lambda: OpenSearchPuller(_source(options)),
            lambda: ImageReader(_source(options)),
            {"kind": options.kind, "address": options.address},
            options.interval,
            options.overlap,
        )

    def target(self, options: OpenSearchOptions) -> WriterTarget:
        return WriterTarget(self.kind, SCHEMA, lambda: OpenSearchWriter(options), map_columns)

    def reader(self, options: OpenSearchOptions, side: Side) -> TableReader:
        where = {"kind": options.kind, "address": options.address}
        if side == "source":
            return WriterTableReader(lambda: Rows(_source(options)), where)
        return WriterTableReader(lambda: OpenSearchWriter(options), where)


def _source(options: OpenSearchOptions) -> OpenSearchConnection:
    return OpenSearchConnection(options, side="source")


def connector() -> Connector:
    """Entry of the registry."""
    return OpenSearchConnector()
