"""The NATS JetStream connector."""

from zcbus.connectors.consuming.catalog import ConsumingDiscoverer
from zcbus.connectors.consuming.source import ConsumingSource
from zcbus.connectors.emitting.connector import EmittingTarget, writer
from zcbus.connectors.emitting.kind import ROWS
from zcbus.connectors.emitting.writer import EmittingWriter
from zcbus.connectors.nats.check import NatsTester
from zcbus.connectors.nats.consumer import NatsConsumer
from zcbus.connectors.nats.emitter import NatsEmitter
from zcbus.connectors.nats.spec import NatsOptions
from zcbus.connectors.roles import Connector
from zcbus.connectors.source_log import FIRST_LOG, SourceLog
from zcbus.connectors.two_sided import TwoSidedDiscoverer
from zcbus.connectors.writing.connector import WriterDiscoverer


class NatsConnector(Connector):
    """See Connector."""

    kind = "nats"

    def tester(self) -> NatsTester:
        return NatsTester()

    def discoverer(self, options: NatsOptions) -> TwoSidedDiscoverer:
        streams = ConsumingDiscoverer(options, NatsConsumer(options))
        return TwoSidedDiscoverer(streams, WriterDiscoverer(self._writer(options), ROWS), ROWS)

    def source(self, options: NatsOptions, log: SourceLog = FIRST_LOG) -> ConsumingSource:
        return ConsumingSource(options, lambda: NatsConsumer(options))

    def target(self, options: NatsOptions) -> EmittingTarget:
        return EmittingTarget(self.kind, ROWS, lambda: self._writer(options))

    def _writer(self, options: NatsOptions) -> EmittingWriter:
        return writer(options, NatsEmitter(options))


def connector() -> Connector:
    """Constructor for the registry."""
    return NatsConnector()
