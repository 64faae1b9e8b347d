"""The role of a format of written files."""

from collections.abc import Sequence
from typing import Protocol

import pyarrow as pa

from zcbus.connectors.roles import MappingNote
from zcbus.connectors.roles.writer import Key
from zcbus.connectors.typed_arrow import nulls
from zcbus.model.arrow import ArrowArray
from zcbus.model.schema import Column, TableSchema
from zcbus.model.types import DataType, Kind


class WrittenFormat(Protocol):
    """Columns in canonical form to the bytes of a file, and back. Raises RowRefused for what the format cannot hold."""

    @property
    def suffix(self) -> str:
        """End of a file's name."""

    def declared(self, data: DataType) -> DataType:
        """The type that a column of a source's type has in files."""

    def map_columns(self, schema: TableSchema) -> list[MappingNote]:
        """As roles.Target."""

    def check(self, table: TableSchema, rows: pa.RecordBatch) -> pa.RecordBatch | None:
        """Raise RowRefused unless files can hold these values. `table`: with declared types. Returns them in the types
        of the file, if `encode` takes those."""

    def normal_keys(self, table: TableSchema, keys: Sequence[Key]) -> list[Key | None]:
        """Keys as they are read back; None: no file can hold it."""

    def encode(self, table: TableSchema, batches: Sequence[pa.RecordBatch]) -> bytes:
        """A file with these rows, at least one, which have the table's columns, in canonical form or as `check` returns
        them."""

    def decode(self, columns: Sequence[Column], data: bytes) -> pa.RecordBatch:
        """The rows of a file. Columns that it lacks are null. Raises ValueError for a file of others."""


def empty(column: Column, count: int) -> ArrowArray:
    """Canonical values of a column, all of them null."""
    return nulls(count, canonical_type(column))


def canonical_type(column: Column) -> pa.DataType:
    """Arrow type of canonical values."""
    return pa.binary() if column.type.kind is Kind.BINARY else pa.string()
