"""The SQLite connector."""

from zcbus.connectors.polling.source import PollingSource
from zcbus.connectors.roles import Connector, MappingNote, Side, Source
from zcbus.connectors.source_log import FIRST_LOG, SourceLog
from zcbus.connectors.sqlite.catalog import SQLiteDiscoverer
from zcbus.connectors.sqlite.check import SQLiteTester
from zcbus.connectors.sqlite.pull import SQLitePuller
from zcbus.connectors.sqlite.rows import SQLiteTableReader
from zcbus.connectors.sqlite.session import SQLiteSession
from zcbus.connectors.sqlite.spec import SCHEMA, SQLiteOptions
from zcbus.connectors.sqlite.types import map_columns, stored_form
from zcbus.model.arrow import ArrowArray
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.types import DataType


class SQLiteTarget:
    """See roles.Target."""

    def __init__(self, options: SQLiteOptions) -> None:
        self._options = options

    @property
    def dialect(self) -> str:
        return "sqlite"

    def map_columns(self, schema: TableSchema, key: tuple[str, ...]) -> list[MappingNote]:
        return map_columns(schema)

    def stored_form(self, values: ArrowArray, source: DataType, target: DataType) -> ArrowArray:
        return stored_form(values, source, target)

    def default_schema(self, source: TableName, source_dialect: str) -> str:
        return SCHEMA

    def open(self) -> SQLiteSession:
        return SQLiteSession(self._options)


class SQLiteConnector(Connector):
    """See Connector."""

    kind = "sqlite"

    def tester(self) -> SQLiteTester:
        return SQLiteTester()

    def discoverer(self, options: SQLiteOptions) -> SQLiteDiscoverer:
        return SQLiteDiscoverer(options)

    def source(self, options: SQLiteOptions, log: SourceLog = FIRST_LOG) -> Source:
        where = {"kind": options.kind, "address": options.address}
        return PollingSource(
            lambda: SQLitePuller(options),
            lambda: SQLiteTableReader(options, "source"),
            where,
            options.interval,
            options.overlap,
        )

    def target(self, options: SQLiteOptions) -> SQLiteTarget:
        return SQLiteTarget(options)

    def reader(self, options: SQLiteOptions, side: Side) -> SQLiteTableReader:
        return SQLiteTableReader(options, side)


def connector() -> Connector:
    """Constructor for the registry."""
    return SQLiteConnector()
