"""The webhook connector."""

from zcbus.connectors.consuming.acknowledging.source import AcknowledgingSource
from zcbus.connectors.consuming.catalog import ConsumingDiscoverer
from zcbus.connectors.roles import Connector
from zcbus.connectors.source_log import FIRST_LOG, SourceLog
from zcbus.connectors.webhook.check import WebhookTester
from zcbus.connectors.webhook.reader import WebhookReader
from zcbus.connectors.webhook.spec import WebhookOptions


class WebhookConnector(Connector):
    """See Connector."""

    kind = "webhook"

    def tester(self) -> WebhookTester:
        return WebhookTester()

    def discoverer(self, options: WebhookOptions) -> ConsumingDiscoverer:
        return ConsumingDiscoverer(options, WebhookReader(options))

    def source(self, options: WebhookOptions, log: SourceLog = FIRST_LOG) -> AcknowledgingSource:
        return AcknowledgingSource(options, lambda node: WebhookReader(options))


def connector() -> Connector:
    """Constructor for the registry."""
    return WebhookConnector()
