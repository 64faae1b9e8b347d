"""The NATS JetStream connector."""

from zcbus.connectors.consuming.catalog import ConsumingDiscoverer
from zcbus.connectors.consuming.source import ConsumingSource
from zcbus.connectors.nats.check import NatsTester
from zcbus.connectors.nats.consumer import NatsConsumer
from zcbus.connectors.nats.spec import NatsOptions
from zcbus.connectors.roles import Connector
from zcbus.connectors.source_log import FIRST_LOG, SourceLog


class NatsConnector(Connector):
    """See Connector."""

    kind = "nats"

    def tester(self) -> NatsTester:
        return NatsTester()

    def discoverer(self, options: NatsOptions) -> ConsumingDiscoverer:
        return ConsumingDiscoverer(options, NatsConsumer(options))

    def source(self, options: NatsOptions, log: SourceLog = FIRST_LOG) -> ConsumingSource:
        return ConsumingSource(options, lambda: NatsConsumer(options))


def connector() -> Connector:
    """Constructor for the registry."""
    return NatsConnector()
