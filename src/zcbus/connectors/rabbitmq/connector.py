"""The RabbitMQ connector."""

from zcbus.connectors.consuming.acknowledging.source import AcknowledgingSource
from zcbus.connectors.consuming.catalog import ConsumingDiscoverer
from zcbus.connectors.consuming.source import ConsumingSource
from zcbus.connectors.emitting.connector import EmittingTarget, writer
from zcbus.connectors.emitting.kind import ROWS
from zcbus.connectors.emitting.writer import EmittingWriter
from zcbus.connectors.rabbitmq.check import RabbitTester
from zcbus.connectors.rabbitmq.emitter import RabbitEmitter
from zcbus.connectors.rabbitmq.reader import RabbitReader
from zcbus.connectors.rabbitmq.spec import RabbitOptions
from zcbus.connectors.rabbitmq.streams import RabbitStreams
from zcbus.connectors.roles import Connector, Source
from zcbus.connectors.source_log import FIRST_LOG, SourceLog
from zcbus.connectors.two_sided import TwoSidedDiscoverer
from zcbus.connectors.writing.connector import WriterDiscoverer


class RabbitConnector(Connector):
    """See Connector."""

    kind = "rabbitmq"

    def tester(self) -> RabbitTester:
        return RabbitTester()

    def discoverer(self, options: RabbitOptions) -> TwoSidedDiscoverer:
        lister = RabbitStreams(options) if options.has_streams else RabbitReader(options)
        queues = ConsumingDiscoverer(options, lister)
        return TwoSidedDiscoverer(queues, WriterDiscoverer(self._writer(options), ROWS), ROWS)

    def source(self, options: RabbitOptions, log: SourceLog = FIRST_LOG) -> Source:
        if options.has_streams:
            return ConsumingSource(options, lambda: RabbitStreams(options))
        return AcknowledgingSource(options, lambda node: RabbitReader(options, node))

    def target(self, options: RabbitOptions) -> EmittingTarget:
        return EmittingTarget(self.kind, ROWS, lambda: self._writer(options))

    def _writer(self, options: RabbitOptions) -> EmittingWriter:
        return writer(options, RabbitEmitter(options))


def connector() -> Connector:
    """Constructor for the registry."""
    return RabbitConnector()
