"""The connector of another product that speaks MySQL's protocol: a target, and a source by watermark."""

from zcbus.connectors.mysql.apply.target import MySQLTarget
from zcbus.connectors.mysql.catalog.discover import MySQLDiscoverer
from zcbus.connectors.mysql.check import MySQLTester
from zcbus.connectors.mysql.pull import MySQLPuller
from zcbus.connectors.mysql.snapshot.rows import MySQLTableReader
from zcbus.connectors.mysql.variant import VariantOptions
from zcbus.connectors.polling.source import PollingSource
from zcbus.connectors.reading import TableReader
from zcbus.connectors.roles import Connector, Discoverer, Side, Source, Target, Tester
from zcbus.connectors.source_log import FIRST_LOG, SourceLog


class MySQLVariantConnector(Connector):
    """See Connector. The options of a kind name what differs."""

    def tester(self) -> Tester:
        return MySQLTester()

    def discoverer(self, options: VariantOptions) -> Discoverer:
        return MySQLDiscoverer(options)

    def source(self, options: VariantOptions, log: SourceLog = FIRST_LOG) -> Source:
        return PollingSource(
            lambda: MySQLPuller(options),
            lambda: MySQLTableReader(options, "source"),
            {"kind": options.kind, "address": options.address},
            options.interval,
            options.overlap,
        )

    def target(self, options: VariantOptions) -> Target:
        return MySQLTarget(options)

    def reader(self, options: VariantOptions, side: Side) -> TableReader:
        return MySQLTableReader(options, side)
