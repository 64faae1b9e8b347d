"""The S3 connector."""

from zcbus.connectors.files.connector import FilesConnector
from zcbus.connectors.roles import Connector
from zcbus.connectors.s3.access import access_of
from zcbus.connectors.s3.check import S3Tester
from zcbus.connectors.s3.spec import S3Options
from zcbus.connectors.stores import WritableStore
from zcbus.connectors.stores.s3 import S3Store


class S3Connector(FilesConnector):
    """See FilesConnector."""

    kind = "s3"

    def tester(self) -> S3Tester:
        return S3Tester()

    def store(self, options: S3Options) -> WritableStore:
        return _store(options)


def _store(options: S3Options) -> WritableStore:
    return S3Store(access_of(options), options.folder)


def connector() -> Connector:
    """Constructor for the registry."""
    return S3Connector()
