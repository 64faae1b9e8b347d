"""The PostgreSQL connector."""

from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql.apply.target import PostgreSQLTarget
from zcbus.connectors.postgresql.capture.source import PostgreSQLSource
from zcbus.connectors.postgresql.catalog.discover import PostgreSQLDiscoverer
from zcbus.connectors.postgresql.check import PostgreSQLTester
from zcbus.connectors.postgresql.query import PostgreSQLQueryRunner
from zcbus.connectors.postgresql.snapshot.rows import PostgreSQLTableReader
from zcbus.connectors.postgresql.statement import PostgreSQLStatementRunner
from zcbus.connectors.roles import Connector, Side
from zcbus.connectors.source_log import FIRST_LOG, SourceLog


class PostgreSQLConnector(Connector):
    """See Connector."""

    kind = "postgresql"

    def tester(self) -> PostgreSQLTester:
        return PostgreSQLTester()

    def discoverer(self, options: ConnectionOptions) -> PostgreSQLDiscoverer:
        return PostgreSQLDiscoverer(options)

    def source(self, options: ConnectionOptions, log: SourceLog = FIRST_LOG) -> PostgreSQLSource:
        return PostgreSQLSource(options)

    def target(self, options: ConnectionOptions) -> PostgreSQLTarget:
        return PostgreSQLTarget(options)

    def reader(self, options: ConnectionOptions, side: Side) -> PostgreSQLTableReader:
        return PostgreSQLTableReader(options, side)

    def query_runner(self, options: ConnectionOptions) -> PostgreSQLQueryRunner:
        return PostgreSQLQueryRunner(options)

    def statement_runner(self, options: ConnectionOptions) -> PostgreSQLStatementRunner:
        return PostgreSQLStatementRunner(options)


def connector() -> Connector:
    """Constructor for the registry."""
    return PostgreSQLConnector()
