"""The RabbitMQ connector."""

from zcbus.connectors.consuming.acknowledging.source import AcknowledgingSource
from zcbus.connectors.consuming.catalog import ConsumingDiscoverer
from zcbus.connectors.rabbitmq.check import RabbitTester
from zcbus.connectors.rabbitmq.reader import RabbitReader
from zcbus.connectors.rabbitmq.spec import RabbitOptions
from zcbus.connectors.roles import Connector
from zcbus.connectors.source_log import FIRST_LOG, SourceLog


class RabbitConnector(Connector):
    """See Connector."""

    kind = "rabbitmq"

    def tester(self) -> RabbitTester:
        return RabbitTester()

    def discoverer(self, options: RabbitOptions) -> ConsumingDiscoverer:
        return ConsumingDiscoverer(options, RabbitReader(options))

    def source(self, options: RabbitOptions, log: SourceLog = FIRST_LOG) -> AcknowledgingSource:
        return AcknowledgingSource(options, lambda node: RabbitReader(options, node))


def connector() -> Connector:
    """Constructor for the registry."""
    return RabbitConnector()
