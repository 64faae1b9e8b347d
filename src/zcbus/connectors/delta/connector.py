"""All that the Delta Lake connector can do, behind one factory."""

from collections.abc import Sequence

from zcbus.connectors.delta.check import DeltaTester
from zcbus.connectors.delta.spec import SCHEMA, DeltaOptions
from zcbus.connectors.delta.types import map_columns
from zcbus.connectors.delta.writer import DeltaWriter
from zcbus.connectors.errors import TableMissing
from zcbus.connectors.roles import Connector, MappingNote, Side
from zcbus.connectors.writing.reader import WriterTableReader
from zcbus.connectors.writing.session import WritingSession
from zcbus.model.arrow import ArrowArray
from zcbus.model.schema import TableName, TableSchema, TableSummary
from zcbus.model.types import DataType


class DeltaTarget:
    """See roles.Target."""

    def __init__(self, options: DeltaOptions) -> None:
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
        return WritingSession(DeltaWriter(self._options), self.dialect)


class DeltaDiscoverer:
    """See roles.Discoverer."""

    def __init__(self, options: DeltaOptions) -> None:
        self._writer = DeltaWriter(options)

    def schemas(self) -> list[str]:
        return [SCHEMA]

    def tables(self, schema: str | None = None) -> list[TableSummary]:
        found = self._writer.tables().values() if schema in (None, SCHEMA) else ()
        return [
            TableSummary(one.name, None, None, bool(one.primary_key), has_unique_key=False, comment=one.comment)
            for one in found
        ]

    def describe(self, names: Sequence[TableName]) -> list[TableSchema]:
        found = self._writer.tables(names)
        for name in names:
            if name not in found:
                raise TableMissing(table=str(name), side="target")
        return [found[name] for name in names]

    def __enter__(self) -> "DeltaDiscoverer":
        return self

    def __exit__(self, *details: object) -> None:
        self._writer.close()


class DeltaConnector(Connector):
    """See Connector."""

    kind = "delta"

    def tester(self) -> DeltaTester:
        return DeltaTester()

    def discoverer(self, options: DeltaOptions) -> DeltaDiscoverer:
        return DeltaDiscoverer(options)

    def target(self, options: DeltaOptions) -> DeltaTarget:
        return DeltaTarget(options)

    def reader(self, options: DeltaOptions, side: Side) -> WriterTableReader:
        return WriterTableReader(lambda: DeltaWriter(options), {"kind": options.kind, "address": options.place})


def connector() -> Connector:
    """What the registry calls."""
    return DeltaConnector()
