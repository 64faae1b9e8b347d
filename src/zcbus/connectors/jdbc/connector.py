"""The connector of a database with a JDBC driver; each kind gives its dialect."""

from functools import partial

from zcbus.connectors.jdbc.catalog import JdbcDiscoverer, describe
from zcbus.connectors.jdbc.check import JdbcTester
from zcbus.connectors.jdbc.connection import Connection
from zcbus.connectors.jdbc.dialect import Dialect
from zcbus.connectors.jdbc.options import JdbcOptions
from zcbus.connectors.jdbc.pull import JdbcPuller
from zcbus.connectors.jdbc.rows import JdbcTableReader
from zcbus.connectors.jdbc.session import JdbcSession
from zcbus.connectors.jdbc.types import map_columns, stored_form
from zcbus.connectors.polling.source import PollingSource
from zcbus.connectors.roles import Connector, MappingNote, Side, Source
from zcbus.connectors.source_log import FIRST_LOG, SourceLog
from zcbus.model.arrow import ArrowArray
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.types import DataType


class JdbcTarget:
    """See roles.Target."""

    def __init__(self, dialect: Dialect, options: JdbcOptions) -> None:
        self._dialect, self._options = dialect, options

    @property
    def dialect(self) -> str:
        return self._dialect.kind

    def map_columns(self, schema: TableSchema, key: tuple[str, ...]) -> list[MappingNote]:
        return map_columns(self._dialect, schema, key)

    def stored_form(self, values: ArrowArray, source: DataType, target: DataType) -> ArrowArray:
        return stored_form(values, source, target)

    def default_schema(self, source: TableName, source_dialect: str) -> str:
        return source.schema if source_dialect == self._dialect.kind else self._dialect.schema

    def open(self) -> JdbcSession:
        return JdbcSession(Connection(self._dialect, self._options, "target"))


class JdbcConnector(Connector):
    """See Connector."""

    dialect: Dialect

    def tester(self) -> JdbcTester:
        return JdbcTester(self.dialect)

    def discoverer(self, options: JdbcOptions) -> JdbcDiscoverer:
        return JdbcDiscoverer(Connection(self.dialect, options, "target"))

    def source(self, options: JdbcOptions, log: SourceLog = FIRST_LOG) -> Source:
        return PollingSource(
            lambda: self._puller(options),
            lambda: JdbcTableReader(Connection(self.dialect, options, "source")),
            {"kind": options.kind, "address": options.address},
            options.interval,
            options.overlap,
        )

    def reader(self, options: JdbcOptions, side: Side) -> JdbcTableReader:
        return JdbcTableReader(Connection(self.dialect, options, side))

    def _puller(self, options: JdbcOptions) -> JdbcPuller:
        connection = Connection(self.dialect, options, "source")
        return JdbcPuller(connection, partial(describe, connection))


class JdbcTargetConnector(JdbcConnector):
    """Of a kind that is a target too."""

    def target(self, options: JdbcOptions) -> JdbcTarget:
        return JdbcTarget(self.dialect, options)
