"""The connector: a source by watermark."""

from functools import partial

from zcbus.connectors.doris.catalog import DorisDiscoverer, describe
from zcbus.connectors.doris.check import DorisTester
from zcbus.connectors.doris.connection import DorisConnection
from zcbus.connectors.doris.spec import DorisOptions
from zcbus.connectors.jdbc.pull import JdbcPuller
from zcbus.connectors.jdbc.rows import JdbcTableReader
from zcbus.connectors.polling.source import PollingSource
from zcbus.connectors.roles import Connector, Side, Source
from zcbus.connectors.source_log import FIRST_LOG, SourceLog


class DorisConnector(Connector):
    """See Connector."""

    kind = "doris"

    def tester(self) -> DorisTester:
        return DorisTester()

    def discoverer(self, options: DorisOptions) -> DorisDiscoverer:
        return DorisDiscoverer(DorisConnection(options, "source"))

    def source(self, options: DorisOptions, log: SourceLog = FIRST_LOG) -> Source:
        return PollingSource(
            lambda: _puller(options),
            lambda: self.reader(options, "source"),
            {"kind": options.kind, "address": options.address},
            options.interval,
            options.overlap,
        )

    def reader(self, options: DorisOptions, side: Side) -> JdbcTableReader:
        return JdbcTableReader(DorisConnection(options, side))


def _puller(options: DorisOptions) -> JdbcPuller:
    connection = DorisConnection(options, "source")
    return JdbcPuller(connection, partial(describe, connection))


def connector() -> Connector:
    """Constructor for the registry."""
    return DorisConnector()
