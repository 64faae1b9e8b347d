"""MySQL and MariaDB as the registry gets them."""

from zcbus.connectors.mysql.apply.target import MySQLTarget
from zcbus.connectors.mysql.capture.source import MySQLSource
from zcbus.connectors.mysql.catalog.discover import MySQLDiscoverer
from zcbus.connectors.mysql.check import MySQLTester
from zcbus.connectors.mysql.query import MySQLQueryRunner
from zcbus.connectors.mysql.snapshot.rows import MySQLTableReader
from zcbus.connectors.mysql.statement import MySQLStatementRunner
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.queries import QueryRunner
from zcbus.connectors.reading import TableReader
from zcbus.connectors.roles import Connector, Discoverer, Side, Source, Target, Tester
from zcbus.connectors.source_log import FIRST_LOG, SourceLog
from zcbus.connectors.statements import StatementRunner


class MySQLConnector(Connector):
    """See Connector."""

    kind = "mysql"

    def tester(self) -> Tester:
        return MySQLTester()

    def discoverer(self, options: ConnectionOptions) -> Discoverer:
        return MySQLDiscoverer(options)

    def source(self, options: ConnectionOptions, log: SourceLog = FIRST_LOG) -> Source:
        return MySQLSource(options, log)

    def target(self, options: ConnectionOptions) -> Target:
        return MySQLTarget(options)

    def reader(self, options: ConnectionOptions, side: Side) -> TableReader:
        return MySQLTableReader(options, side)

    def query_runner(self, options: ConnectionOptions) -> QueryRunner:
        return MySQLQueryRunner(options)

    def statement_runner(self, options: ConnectionOptions) -> StatementRunner:
        return MySQLStatementRunner(options)


def connector() -> Connector:
    """Called by the registry."""
    return MySQLConnector()
