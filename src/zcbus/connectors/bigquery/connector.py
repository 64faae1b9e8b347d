"""The connector: a source by watermark."""

from functools import partial

from zcbus.connectors.bigquery.catalog import BigQueryDiscoverer, describe
from zcbus.connectors.bigquery.check import BigQueryTester
from zcbus.connectors.bigquery.connection import BigQueryConnection
from zcbus.connectors.bigquery.spec import BigQueryOptions
from zcbus.connectors.jdbc.pull import JdbcPuller
from zcbus.connectors.jdbc.rows import JdbcTableReader
from zcbus.connectors.polling.source import PollingSource
from zcbus.connectors.roles import Connector, Side, Source
from zcbus.connectors.source_log import FIRST_LOG, SourceLog


class BigQueryConnector(Connector):
    """See Connector."""

    kind = "bigquery"

    def tester(self) -> BigQueryTester:
        return BigQueryTester()

    def discoverer(self, options: BigQueryOptions) -> BigQueryDiscoverer:
        return BigQueryDiscoverer(BigQueryConnection(options, "source"))

    def source(self, options: BigQueryOptions, log: SourceLog = FIRST_LOG) -> Source:
        return PollingSource(
            lambda: _puller(options),
            lambda: self.reader(options, "source"),
            {"kind": options.kind, "address": options.address},
            options.interval,
            options.overlap,
        )

    def reader(self, options: BigQueryOptions, side: Side) -> JdbcTableReader:
        return JdbcTableReader(BigQueryConnection(options, side))


def _puller(options: BigQueryOptions) -> JdbcPuller:
    connection = BigQueryConnection(options, "source")
    return JdbcPuller(connection, partial(describe, connection))


def connector() -> Connector:
    """Constructor for the registry."""
    return BigQueryConnector()
