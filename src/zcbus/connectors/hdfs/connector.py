"""The HDFS connector."""

from zcbus.connectors.files.check import FilesTester
from zcbus.connectors.files.connector import FilesConnector
from zcbus.connectors.hdfs.spec import HdfsOptions
from zcbus.connectors.reachability import reachable
from zcbus.connectors.roles import CheckResult, Connector, Side
from zcbus.connectors.stores import WritableStore
from zcbus.connectors.stores.hdfs import HdfsAccess, HdfsStore

_SECONDS = 10.0


class HdfsConnector(FilesConnector):
    """See FilesConnector."""

    kind = "hdfs"

    def tester(self) -> "HdfsTester":
        return HdfsTester()

    def store(self, options: HdfsOptions) -> WritableStore:
        return _store(options)


class HdfsTester:
    """See Tester."""

    def test(self, options: HdfsOptions, side: Side) -> list[CheckResult]:
        found = [reachable(options.host, options.port, options.way, _SECONDS)]
        if found[-1].ok:
            found += FilesTester(lambda one: _store(one, _SECONDS), "permissions").test(options, side)
        return found


def _store(options: HdfsOptions, seconds: float = 60.0) -> HdfsStore:
    access = HdfsAccess(options.kind, options.host, options.port, options.user, options.tls, options.way)
    return HdfsStore(access, options.folder, seconds)


def connector() -> Connector:
    """Constructor for the registry."""
    return HdfsConnector()
