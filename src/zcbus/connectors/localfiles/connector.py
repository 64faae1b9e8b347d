"""The connector of local files."""

from zcbus.connectors.files.check import FilesTester
from zcbus.connectors.files.connector import FilesConnector
from zcbus.connectors.localfiles.spec import LocalFilesOptions
from zcbus.connectors.roles import Connector
from zcbus.connectors.stores import WritableStore
from zcbus.connectors.stores.local import LocalStore


class LocalFilesConnector(FilesConnector):
    """See FilesConnector."""

    kind = "localfiles"

    def tester(self) -> FilesTester:
        return FilesTester(_store)

    def store(self, options: LocalFilesOptions) -> WritableStore:
        return _store(options)


def _store(options: LocalFilesOptions) -> WritableStore:
    return LocalStore(options.tenant, options.folder, options.kind)


def connector() -> Connector:
    """Constructor for the registry."""
    return LocalFilesConnector()
