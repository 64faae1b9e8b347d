"""The FTP connector."""

from zcbus.connectors.files.catalog import FilesDiscoverer
from zcbus.connectors.files.rows import FilesReader
from zcbus.connectors.files.source import FilesSource
from zcbus.connectors.ftp.access import store_of
from zcbus.connectors.ftp.check import FtpTester
from zcbus.connectors.ftp.spec import FtpOptions
from zcbus.connectors.roles import Connector, Side
from zcbus.connectors.source_log import FIRST_LOG, SourceLog


class FtpConnector(Connector):
    """See Connector."""

    kind = "ftp"

    def tester(self) -> FtpTester:
        return FtpTester()

    def discoverer(self, options: FtpOptions) -> FilesDiscoverer:
        return FilesDiscoverer(options, store_of(options))

    def source(self, options: FtpOptions, log: SourceLog = FIRST_LOG) -> FilesSource:
        return FilesSource(options, lambda: store_of(options))

    def reader(self, options: FtpOptions, side: Side) -> FilesReader:
        return FilesReader(options, store_of(options))


def connector() -> Connector:
    """Constructor for the registry."""
    return FtpConnector()
