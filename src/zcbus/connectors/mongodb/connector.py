"""All that the MongoDB connector can do, behind one factory."""

from zcbus.connectors.mongodb.catalog import MongoDBDiscoverer
from zcbus.connectors.mongodb.check import MongoDBTester
from zcbus.connectors.mongodb.connection import MongoDBConnection
from zcbus.connectors.mongodb.image import ImageReader
from zcbus.connectors.mongodb.pull import MongoDBPuller
from zcbus.connectors.mongodb.rows import Rows
from zcbus.connectors.mongodb.spec import SCHEMA, MongoDBOptions
from zcbus.connectors.mongodb.types import map_columns
from zcbus.connectors.mongodb.writer import MongoDBWriter
from zcbus.connectors.polling.source import PollingSource
from zcbus.connectors.reading import TableReader
from zcbus.connectors.roles import Connector, Side, Source
from zcbus.connectors.source_log import FIRST_LOG, SourceLog
from zcbus.connectors.writing.connector import WriterTarget
from zcbus.connectors.writing.reader import WriterTableReader


class MongoDBConnector(Connector):
    """See Connector."""

    kind = "mongodb"

    def tester(self) -> MongoDBTester:
        return MongoDBTester()

    def discoverer(self, options: MongoDBOptions) -> MongoDBDiscoverer:
        return MongoDBDiscoverer(MongoDBConnection(options, "source"))

    def source(self, options: MongoDBOptions, log: SourceLog = FIRST_LOG) -> Source:
        return PollingSource(
            lambda: MongoDBPuller(MongoDBConnection(options, "source")),
            lambda: ImageReader(MongoDBConnection(options, "source")),
            {"kind": options.kind, "address": options.address},
            options.interval,
            options.overlap,
        )

    def target(self, options: MongoDBOptions) -> WriterTarget:
        return WriterTarget(self.kind, SCHEMA, lambda: MongoDBWriter(options), map_columns)

    def reader(self, options: MongoDBOptions, side: Side) -> TableReader:
        where = {"kind": options.kind, "address": options.address}
        return WriterTableReader(lambda: Rows(MongoDBConnection(options, side)), where)


def connector() -> Connector:
    """Entry of the registry."""
    return MongoDBConnector()
