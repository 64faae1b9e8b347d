"""The SFTP connector."""

from zcbus.connectors.files.check import FilesTester
from zcbus.connectors.files.connector import FilesConnector
from zcbus.connectors.roles import Connector
from zcbus.connectors.sftp.spec import SftpOptions
from zcbus.connectors.stores import WritableStore
from zcbus.connectors.stores.sftp import SftpAccess, SftpStore


class SftpConnector(FilesConnector):
    """See FilesConnector."""

    kind = "sftp"

    def tester(self) -> FilesTester:
        return FilesTester(_store)

    def store(self, options: SftpOptions) -> WritableStore:
        return _store(options)


def _store(options: SftpOptions) -> WritableStore:
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
