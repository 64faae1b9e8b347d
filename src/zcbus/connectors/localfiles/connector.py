"""The connector of local files."""

from zcbus.connectors.files.catalog import FilesDiscoverer
from zcbus.connectors.files.check import FilesTester
from zcbus.connectors.files.rows import FilesReader
from zcbus.connectors.files.source import FilesSource
from zcbus.connectors.localfiles.spec import LocalFilesOptions
from zcbus.connectors.roles import Connector, Side
from zcbus.connectors.source_log import FIRST_LOG, SourceLog
from zcbus.connectors.stores import Store
from zcbus.connectors.stores.local import LocalStore


class LocalFilesConnector(Connector):
    """See Connector."""

    kind = "localfiles"

    def tester(self) -> FilesTester:
        return FilesTester(_store)

    def discoverer(self, options: LocalFilesOptions) -> FilesDiscoverer:
        return FilesDiscoverer(options, _store(options))

    def source(self, options: LocalFilesOptions, log: SourceLog = FIRST_LOG) -> FilesSource:
        return FilesSource(options, lambda: _store(options))

    def reader(self, options: LocalFilesOptions, side: Side) -> FilesReader:
        return FilesReader(options, _store(options))


def _store(options: LocalFilesOptions) -> Store:
    return LocalStore(options.tenant, options.folder, options.kind)


def connector() -> Connector:
    """Constructor for the registry."""
    return LocalFilesConnector()
