"""The Kafka connector."""

from zcbus.connectors.consuming.catalog import ConsumingDiscoverer
from zcbus.connectors.consuming.source import ConsumingSource
from zcbus.connectors.errors import RoleMissing
from zcbus.connectors.kafka.check import KafkaTester
from zcbus.connectors.kafka.consumer import KafkaConsumer
from zcbus.connectors.kafka.schema_registry import SchemaRegistry
from zcbus.connectors.kafka.spec import ROWS, KafkaOptions
from zcbus.connectors.kafka.writer import KafkaWriter
from zcbus.connectors.roles import Connector, Side
from zcbus.connectors.source_log import FIRST_LOG, SourceLog
from zcbus.connectors.two_sided import TwoSidedDiscoverer
from zcbus.connectors.writing.connector import WriterDiscoverer, WriterTarget
from zcbus.connectors.writing.mapping import map_columns
from zcbus.connectors.writing.reader import WriterTableReader


class KafkaConnector(Connector):
    """See Connector."""

    kind = "kafka"

    def tester(self) -> KafkaTester:
        return KafkaTester()

    def discoverer(self, options: KafkaOptions) -> TwoSidedDiscoverer:
        topics = ConsumingDiscoverer(options, KafkaConsumer(options))
        return TwoSidedDiscoverer(topics, WriterDiscoverer(KafkaWriter(options), ROWS), ROWS)

    def source(self, options: KafkaOptions, log: SourceLog = FIRST_LOG) -> ConsumingSource:
        decode = SchemaRegistry(options).json_of if options.registry else None
        return ConsumingSource(options, lambda: KafkaConsumer(options), decode)

    def target(self, options: KafkaOptions) -> WriterTarget:
        return WriterTarget(self.kind, ROWS, lambda: KafkaWriter(options), map_columns)

    def reader(self, options: KafkaOptions, side: Side) -> WriterTableReader:
        if side == "source":
            raise RoleMissing(kind=self.kind, role="reader")
        return WriterTableReader(lambda: KafkaWriter(options), {"kind": self.kind, "address": options.address})


def connector() -> Connector:
    """Constructor for the registry."""
    return KafkaConnector()
