"""The S3 connector."""

from zcbus.connectors.files.catalog import FilesDiscoverer
from zcbus.connectors.files.rows import FilesReader
from zcbus.connectors.files.source import FilesSource
from zcbus.connectors.roles import Connector, Side
from zcbus.connectors.s3.access import access_of
from zcbus.connectors.s3.check import S3Tester
from zcbus.connectors.s3.spec import S3Options
from zcbus.connectors.source_log import FIRST_LOG, SourceLog
from zcbus.connectors.stores import Store
from zcbus.connectors.stores.s3 import S3Store


class S3Connector(Connector):
    """See Connector."""

    kind = "s3"

    def tester(self) -> S3Tester:
        return S3Tester()

    def discoverer(self, options: S3Options) -> FilesDiscoverer:
        return FilesDiscoverer(options, _store(options))

    def source(self, options: S3Options, log: SourceLog = FIRST_LOG) -> FilesSource:
        return FilesSource(options, lambda: _store(options))

    def reader(self, options: S3Options, side: Side) -> FilesReader:
        return FilesReader(options, _store(options))


def _store(options: S3Options) -> Store:
    return S3Store(access_of(options), options.folder)


def connector() -> Connector:
    """Constructor for the registry."""
    return S3Connector()
