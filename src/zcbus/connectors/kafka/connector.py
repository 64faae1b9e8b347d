"""The Kafka connector."""

from zcbus.connectors.consuming.catalog import ConsumingDiscoverer
from zcbus.connectors.consuming.source import ConsumingSource
from zcbus.connectors.kafka.check import KafkaTester
from zcbus.connectors.kafka.consumer import KafkaConsumer
from zcbus.connectors.kafka.spec import KafkaOptions
from zcbus.connectors.roles import Connector
from zcbus.connectors.source_log import FIRST_LOG, SourceLog


class KafkaConnector(Connector):
    """See Connector."""

    kind = "kafka"

    def tester(self) -> KafkaTester:
        return KafkaTester()

    def discoverer(self, options: KafkaOptions) -> ConsumingDiscoverer:
        return ConsumingDiscoverer(options, KafkaConsumer(options))

    def source(self, options: KafkaOptions, log: SourceLog = FIRST_LOG) -> ConsumingSource:
        return ConsumingSource(options, lambda: KafkaConsumer(options))


def connector() -> Connector:
    """Constructor for the registry."""
    return KafkaConnector()
