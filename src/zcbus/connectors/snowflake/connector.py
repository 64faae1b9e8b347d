"""The connector: a source by watermark."""

from functools import partial

from zcbus.connectors.jdbc.pull import JdbcPuller
from zcbus.connectors.jdbc.rows import JdbcTableReader
from zcbus.connectors.polling.source import PollingSource
from zcbus.connectors.roles import Connector, Side, Source
from zcbus.connectors.snowflake.catalog import SnowflakeDiscoverer, describe
from zcbus.connectors.snowflake.check import SnowflakeTester
from zcbus.connectors.snowflake.connection import SnowflakeConnection
from zcbus.connectors.snowflake.spec import SnowflakeOptions
from zcbus.connectors.source_log import FIRST_LOG, SourceLog


class SnowflakeConnector(Connector):
    """See Connector."""

    kind = "snowflake"

    def tester(self) -> SnowflakeTester:
        return SnowflakeTester()

    def discoverer(self, options: SnowflakeOptions) -> SnowflakeDiscoverer:
        return SnowflakeDiscoverer(SnowflakeConnection(options, "source"))

    def source(self, options: SnowflakeOptions, log: SourceLog = FIRST_LOG) -> Source:
        return PollingSource(
            lambda: _puller(options),
            lambda: self.reader(options, "source"),
            {"kind": options.kind, "address": options.address},
            options.interval,
            options.overlap,
        )

    def reader(self, options: SnowflakeOptions, side: Side) -> JdbcTableReader:
        return JdbcTableReader(SnowflakeConnection(options, side))


def _puller(options: SnowflakeOptions) -> JdbcPuller:
    connection = SnowflakeConnection(options, "source")
    return JdbcPuller(connection, partial(describe, connection))


def connector() -> Connector:
    """Constructor for the registry."""
    return SnowflakeConnector()
