"""All that the Cassandra connector can do, behind one factory."""

from zcbus.connectors.cassandra.catalog import CassandraDiscoverer
from zcbus.connectors.cassandra.check import CassandraTester
from zcbus.connectors.cassandra.connection import CassandraConnection
from zcbus.connectors.cassandra.image import ImageReader
from zcbus.connectors.cassandra.pull import CassandraPuller
from zcbus.connectors.cassandra.rows import Rows
from zcbus.connectors.cassandra.spec import SCHEMA, CassandraOptions
from zcbus.connectors.cassandra.types import map_columns
from zcbus.connectors.cassandra.writer import CassandraWriter
from zcbus.connectors.polling.source import PollingSource
from zcbus.connectors.reading import TableReader
from zcbus.connectors.roles import Connector, Side, Source
from zcbus.connectors.source_log import FIRST_LOG, SourceLog
from zcbus.connectors.writing.connector import WriterTarget
from zcbus.connectors.writing.reader import WriterTableReader


class CassandraConnector(Connector):
    """See Connector."""

    kind = "cassandra"

    def tester(self) -> CassandraTester:
        return CassandraTester()

    def discoverer(self, options: CassandraOptions) -> CassandraDiscoverer:
        return CassandraDiscoverer(CassandraConnection(options, "source"))

    def source(self, options: CassandraOptions, log: SourceLog = FIRST_LOG) -> Source:
        return PollingSource(
            lambda: CassandraPuller(CassandraConnection(options, "source")),
            lambda: ImageReader(CassandraConnection(options, "source")),
            {"kind": options.kind, "address": options.address},
            options.interval,
            options.overlap,
        )

    def target(self, options: CassandraOptions) -> WriterTarget:
        return WriterTarget(self.kind, SCHEMA, lambda: CassandraWriter(options), map_columns)

    def reader(self, options: CassandraOptions, side: Side) -> TableReader:
        where = {"kind": options.kind, "address": options.address}
        return WriterTableReader(lambda: Rows(CassandraConnection(options, side)), where)


def connector() -> Connector:
    """Entry of the registry."""
    return CassandraConnector()
