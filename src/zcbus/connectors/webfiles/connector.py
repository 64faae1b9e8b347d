"""The connector of files behind HTTP."""

from zcbus.connectors.files.catalog import FilesDiscoverer
from zcbus.connectors.files.rows import FilesReader
from zcbus.connectors.files.source import FilesSource
from zcbus.connectors.roles import Connector, Side
from zcbus.connectors.source_log import FIRST_LOG, SourceLog
from zcbus.connectors.webfiles.access import store_of
from zcbus.connectors.webfiles.check import WebFilesTester
from zcbus.connectors.webfiles.spec import WebFilesOptions


class WebFilesConnector(Connector):
    """See Connector."""

    kind = "webfiles"

    def tester(self) -> WebFilesTester:
        return WebFilesTester()

    def discoverer(self, options: WebFilesOptions) -> FilesDiscoverer:
        return FilesDiscoverer(options, store_of(options))

    def source(self, options: WebFilesOptions, log: SourceLog = FIRST_LOG) -> FilesSource:
        return FilesSource(options, lambda: store_of(options))

    def reader(self, options: WebFilesOptions, side: Side) -> FilesReader:
        return FilesReader(options, store_of(options))


def connector() -> Connector:
    """Constructor for the registry."""
    return WebFilesConnector()
