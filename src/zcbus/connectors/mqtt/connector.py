"""The MQTT connector."""

from zcbus.connectors.consuming.acknowledging.source import AcknowledgingSource
from zcbus.connectors.consuming.catalog import ConsumingDiscoverer
from zcbus.connectors.mqtt.check import MqttTester
from zcbus.connectors.mqtt.reader import MqttReader
from zcbus.connectors.mqtt.spec import MqttOptions
from zcbus.connectors.roles import Connector
from zcbus.connectors.source_log import FIRST_LOG, SourceLog


class MqttConnector(Connector):
    """See Connector."""

    kind = "mqtt"

    def tester(self) -> MqttTester:
        return MqttTester()

    def discoverer(self, options: MqttOptions) -> ConsumingDiscoverer:
        return ConsumingDiscoverer(options, MqttReader(options))

    def source(self, options: MqttOptions, log: SourceLog = FIRST_LOG) -> AcknowledgingSource:
        return AcknowledgingSource(options, lambda node: MqttReader(options, node))


def connector() -> Connector:
    """Constructor for the registry."""
    return MqttConnector()
