"""The MQTT connector."""

from zcbus.connectors.consuming.acknowledging.source import AcknowledgingSource
from zcbus.connectors.consuming.catalog import ConsumingDiscoverer
from zcbus.connectors.emitting.connector import EmittingTarget, writer
from zcbus.connectors.emitting.kind import ROWS
from zcbus.connectors.emitting.writer import EmittingWriter
from zcbus.connectors.mqtt.check import MqttTester
from zcbus.connectors.mqtt.emitter import MqttEmitter
from zcbus.connectors.mqtt.reader import MqttReader
from zcbus.connectors.mqtt.spec import MqttOptions
from zcbus.connectors.roles import Connector
from zcbus.connectors.source_log import FIRST_LOG, SourceLog
from zcbus.connectors.two_sided import TwoSidedDiscoverer
from zcbus.connectors.writing.connector import WriterDiscoverer


class MqttConnector(Connector):
    """See Connector."""

    kind = "mqtt"

    def tester(self) -> MqttTester:
        return MqttTester()

    def discoverer(self, options: MqttOptions) -> TwoSidedDiscoverer:
        topics = ConsumingDiscoverer(options, MqttReader(options))
        return TwoSidedDiscoverer(topics, WriterDiscoverer(self._writer(options), ROWS), ROWS)

    def source(self, options: MqttOptions, log: SourceLog = FIRST_LOG) -> AcknowledgingSource:
        return AcknowledgingSource(options, lambda node: MqttReader(options, node))

    def target(self, options: MqttOptions) -> EmittingTarget:
        return EmittingTarget(self.kind, ROWS, lambda: self._writer(options))

    def _writer(self, options: MqttOptions) -> EmittingWriter:
        return writer(options, MqttEmitter(options))


def connector() -> Connector:
    """Constructor for the registry."""
    return MqttConnector()
