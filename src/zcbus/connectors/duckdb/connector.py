"""The DuckDB connector."""

from zcbus.connectors.duckdb.catalog import DuckDBDiscoverer
from zcbus.connectors.duckdb.check import DuckDBTester
from zcbus.connectors.duckdb.pull import DuckDBPuller
from zcbus.connectors.duckdb.rows import DuckDBTableReader
from zcbus.connectors.duckdb.session import DuckDBSession
from zcbus.connectors.duckdb.spec import SCHEMA, DuckDBOptions
from zcbus.connectors.duckdb.types import map_columns, stored_form
from zcbus.connectors.polling.source import PollingSource
from zcbus.connectors.roles import Connector, MappingNote, Side, Source
from zcbus.connectors.source_log import FIRST_LOG, SourceLog
from zcbus.model.arrow import ArrowArray
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.types import DataType


class DuckDBTarget:
    """See roles.Target."""

    def __init__(self, options: DuckDBOptions) -> None:
        self._options = options

    @property
    def dialect(self) -> str:
        return "duckdb"

    def map_columns(self, schema: TableSchema, key: tuple[str, ...]) -> list[MappingNote]:
        return map_columns(schema)

    def stored_form(self, values: ArrowArray, source: DataType, target: DataType) -> ArrowArray:
        return stored_form(values, source, target)

    def default_schema(self, source: TableName, source_dialect: str) -> str:
        return SCHEMA

    def open(self) -> DuckDBSession:
        return DuckDBSession(self._options)


class DuckDBConnector(Connector):
    """See Connector."""

    kind = "duckdb"

    def tester(self) -> DuckDBTester:
        return DuckDBTester()

    def discoverer(self, options: DuckDBOptions) -> DuckDBDiscoverer:
        return DuckDBDiscoverer(options)

    def source(self, options: DuckDBOptions, log: SourceLog = FIRST_LOG) -> Source:
        where = {"kind": options.kind, "address": options.address}
        return PollingSource(
            lambda: DuckDBPuller(options),
            lambda: DuckDBTableReader(options, "source"),
            where,
            options.interval,
            options.overlap,
        )

    def target(self, options: DuckDBOptions) -> DuckDBTarget:
        return DuckDBTarget(options)

    def reader(self, options: DuckDBOptions, side: Side) -> DuckDBTableReader:
        return DuckDBTableReader(options, side)


def connector() -> Connector:
    """Constructor for the registry."""
    return DuckDBConnector()
