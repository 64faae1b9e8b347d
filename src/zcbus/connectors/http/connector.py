"""All that the connector of HTTP interfaces can do, behind one factory."""

from zcbus.connectors.emitting.connector import EmittingTarget, writer
from zcbus.connectors.emitting.writer import EmittingWriter
from zcbus.connectors.http.catalog import HttpDiscoverer
from zcbus.connectors.http.check import HttpTester
from zcbus.connectors.http.openapi.importer import OpenApiImporter
from zcbus.connectors.http.preview import HttpPreviewer
from zcbus.connectors.http.pull import HttpPuller
from zcbus.connectors.http.rows import HttpReader
from zcbus.connectors.http.spec import SCHEMA, HttpOptions
from zcbus.connectors.http.target.emitter import HttpEmitter
from zcbus.connectors.polling.source import PollingSource
from zcbus.connectors.roles import Connector, Side, Source
from zcbus.connectors.source_log import FIRST_LOG, SourceLog


class HttpConnector(Connector):
    """See Connector."""

    kind = "http"

    def tester(self) -> HttpTester:
        return HttpTester()

    def discoverer(self, options: HttpOptions) -> HttpDiscoverer:
        return HttpDiscoverer(options, lambda: self._writer(options))

    def previewer(self) -> HttpPreviewer:
        return HttpPreviewer()

    def document_importer(self) -> OpenApiImporter:
        return OpenApiImporter()

    def source(self, options: HttpOptions, log: SourceLog = FIRST_LOG) -> Source:
        where = {"kind": options.kind, "address": options.address}
        return PollingSource(
            lambda: HttpPuller(options), lambda: HttpReader(options), where, options.interval, options.overlap
        )

    def target(self, options: HttpOptions) -> EmittingTarget:
        return EmittingTarget(self.kind, SCHEMA, lambda: self._writer(options))

    def reader(self, options: HttpOptions, side: Side) -> HttpReader:
        return HttpReader(options, side)

    def _writer(self, options: HttpOptions) -> EmittingWriter:
        return writer(options, HttpEmitter(options))


def connector() -> Connector:
    """Entry of the registry."""
    return HttpConnector()
