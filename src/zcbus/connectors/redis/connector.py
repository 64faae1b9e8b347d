"""The Redis connector."""

from collections.abc import Sequence

from zcbus.connectors.errors import TableMissing
from zcbus.connectors.redis.check import RedisTester
from zcbus.connectors.redis.spec import SCHEMA, RedisOptions
from zcbus.connectors.redis.writer import RedisWriter
from zcbus.connectors.roles import Connector, MappingNote, Side
from zcbus.connectors.writing.mapping import map_columns
from zcbus.connectors.writing.reader import WriterTableReader
from zcbus.connectors.writing.session import WritingSession
from zcbus.model.arrow import ArrowArray
from zcbus.model.schema import TableName, TableSchema, TableSummary
from zcbus.model.types import DataType


class RedisTarget:
    """See roles.Target."""

    def __init__(self, options: RedisOptions) -> None:
        self._options = options

    @property
    def dialect(self) -> str:
        return self._options.kind

    def map_columns(self, schema: TableSchema, key: tuple[str, ...]) -> list[MappingNote]:
        return map_columns(schema)

    def stored_form(self, values: ArrowArray, source: DataType, target: DataType) -> ArrowArray:
        return values

    def default_schema(self, source: TableName, source_dialect: str) -> str:
        return SCHEMA

    def open(self) -> WritingSession:
        return WritingSession(RedisWriter(self._options), self.dialect)


class RedisDiscoverer:
    """See roles.Discoverer: the tables that were written with these options."""

    def __init__(self, options: RedisOptions) -> None:
        self._writer = RedisWriter(options)

    def schemas(self) -> list[str]:
        return [SCHEMA]

    def tables(self, schema: str | None = None) -> list[TableSummary]:
        found = self._writer.tables().values() if schema in (None, SCHEMA) else ()
        return [
            TableSummary(table.name, None, None, has_primary_key=True, has_unique_key=False, comment=table.comment)
            for table in found
        ]

    def describe(self, names: Sequence[TableName]) -> list[TableSchema]:
        found = self._writer.tables(names)
        for name in names:
            if name not in found:
                raise TableMissing(table=str(name), side="target")
        return [found[name] for name in names]

    def __enter__(self) -> "RedisDiscoverer":
        return self

    def __exit__(self, *details: object) -> None:
        self._writer.close()


class RedisConnector(Connector):
    """See Connector."""

    kind = "redis"

    def tester(self) -> RedisTester:
        return RedisTester()

    def discoverer(self, options: RedisOptions) -> RedisDiscoverer:
        return RedisDiscoverer(options)

    def target(self, options: RedisOptions) -> RedisTarget:
        return RedisTarget(options)

    def reader(self, options: RedisOptions, side: Side) -> WriterTableReader:
        return WriterTableReader(lambda: RedisWriter(options), {"kind": options.kind, "address": options.address})


def connector() -> Connector:
    """Constructor for the registry."""
    return RedisConnector()
