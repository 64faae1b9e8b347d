"""Connector of a kind that is only a target with a Writer, except for tests of connections."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Protocol

from zcbus.connectors.errors import TableMissing
from zcbus.connectors.reading import TableReader
from zcbus.connectors.roles import Connector, MappingNote, Side
from zcbus.connectors.roles.writer import Writer
from zcbus.connectors.writing import mapping
from zcbus.connectors.writing.reader import WriterTableReader
from zcbus.connectors.writing.session import WritingSession
from zcbus.model.arrow import ArrowArray
from zcbus.model.schema import TableName, TableSchema, TableSummary
from zcbus.model.types import DataType


class WriterConnector(Connector):
    """See Connector. A kind says where its tables are, and how a writer is made."""

    schema: ClassVar[str]
    """Where all tables are: there are no schemas."""

    @abstractmethod
    def writer(self, options: Any) -> Writer:
        """A new one. Connects when it is used."""

    def map_columns(self, schema: TableSchema) -> list[MappingNote]:
        """As Target.map_columns; of a kind that keeps canonical texts, unless it says otherwise."""
        return mapping.map_columns(schema)

    def discoverer(self, options: Any) -> "WriterDiscoverer":
        return WriterDiscoverer(self.writer(options), self.schema)

    def target(self, options: Any) -> "WriterTarget":
        return WriterTarget(self.kind, self.schema, lambda: self.writer(options), self.map_columns)

    def reader(self, options: Any, side: Side) -> TableReader:
        return WriterTableReader(lambda: self.writer(options), {"kind": self.kind, "address": options.address})


class WriterTarget:
    """See roles.Target."""

    def __init__(
        self,
        dialect: str,
        schema: str,
        open_writer: Callable[[], Writer],
        map_columns: Callable[[TableSchema], list[MappingNote]],
    ) -> None:
        """`dialect`: the kind."""
        self._dialect, self._schema = dialect, schema
        self._open_writer, self._map_columns = open_writer, map_columns

    @property
    def dialect(self) -> str:
        return self._dialect

    def map_columns(self, schema: TableSchema, key: tuple[str, ...]) -> list[MappingNote]:
        return self._map_columns(schema)

    def stored_form(self, values: ArrowArray, source: DataType, target: DataType) -> ArrowArray:
        return values

    def default_schema(self, source: TableName, source_dialect: str) -> str:
        return self._schema

    def open(self) -> WritingSession:
        return WritingSession(self._open_writer(), self._dialect)


class TableLister(Protocol):
    """What a discoverer needs of a writer."""

    def tables(self, names: Sequence[TableName] | None = None) -> dict[TableName, TableSchema]:
        """As Writer.tables."""

    def close(self) -> None:
        """As Writer.close."""


class WriterDiscoverer:
    """See roles.Discoverer: the tables that the writer lists."""

    def __init__(self, writer: TableLister, schema: str) -> None:
        self._writer, self._schema = writer, schema

    def schemas(self) -> list[str]:
        return [self._schema]

    def tables(self, schema: str | None = None) -> list[TableSummary]:
        found = self._writer.tables().values() if schema in (None, self._schema) else ()
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

    def __enter__(self) -> "WriterDiscoverer":
        return self

    def __exit__(self, *details: object) -> None:
        self._writer.close()
