"""The SFTP connector."""

from zcbus.connectors.files.catalog import FilesDiscoverer
from zcbus.connectors.files.check import FilesTester
from zcbus.connectors.files.rows import FilesReader
from zcbus.connectors.files.source import FilesSource
from zcbus.connectors.roles import Connector, Side
from zcbus.connectors.sftp.spec import SftpOptions
from zcbus.connectors.source_log import FIRST_LOG, SourceLog
from zcbus.connectors.stores import Store
from zcbus.connectors.stores.sftp import SftpAccess, SftpStore


class SftpConnector(Connector):
    """See Connector."""

    kind = "sftp"

    def tester(self) -> FilesTester:
        return FilesTester(_store)

    def discoverer(self, options: SftpOptions) -> FilesDiscoverer:
        return FilesDiscoverer(options, _store(options))

    def source(self, options: SftpOptions, log: SourceLog = FIRST_LOG) -> FilesSource:
        return FilesSource(options, lambda: _store(options))

    def reader(self, options: SftpOptions, side: Side) -> FilesReader:
        return FilesReader(options, _store(options))


def _store(options: SftpOptions) -> Store:
    access = SftpAccess(
        options.kind,
        options.host,
        options.port,
        options.user,
        options.password,
        options.key,
        options.hostkey,
        options.way,
    )
    return SftpStore(access, options.folder)


def connector() -> Connector:
    """Constructor for the registry."""
    return SftpConnector()
