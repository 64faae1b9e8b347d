"""Discovery for kinds whose sources are messages or files and whose targets are tables that the platform writes."""

from collections.abc import Sequence

from zcbus.connectors.roles import Discoverer
from zcbus.connectors.writing.connector import WriterDiscoverer
from zcbus.model.schema import TableName, TableSchema, TableSummary


class TwoSidedDiscoverer:
    """See roles.Discoverer: what a source reads, and the tables that the platform writes, each in a schema of their
    own."""

    def __init__(self, read: Discoverer, rows: WriterDiscoverer, schema: str) -> None:
        """`schema`: of the written tables."""
        self._read, self._rows, self._schema = read, rows, schema

    def schemas(self) -> list[str]:
        return [*self._read.schemas(), self._schema]

    def tables(self, schema: str | None = None) -> list[TableSummary]:
        if schema == self._schema:
            return self._rows.tables(schema)
        return self._read.tables(schema)

    def describe(self, names: Sequence[TableName]) -> list[TableSchema]:
        ours = [name for name in names if name.schema == self._schema]
        others = [name for name in names if name.schema != self._schema]
        described = [*(self._rows.describe(ours) if ours else ()), *(self._read.describe(others) if others else ())]
        found = {one.name: one for one in described}
        return [found[name] for name in names]

    def __enter__(self) -> "TwoSidedDiscoverer":
        return self

    def __exit__(self, *details: object) -> None:
        self._rows.__exit__(*details)
        self._read.__exit__(*details)
