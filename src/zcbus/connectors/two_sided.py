"""Discovery for kinds whose sources are messages and whose targets are tables that the platform writes."""

from collections.abc import Sequence

from zcbus.connectors.consuming.catalog import ConsumingDiscoverer
from zcbus.connectors.consuming.options import SCHEMA
from zcbus.connectors.writing.connector import WriterDiscoverer
from zcbus.model.schema import TableName, TableSchema, TableSummary


class TwoSidedDiscoverer:
    """See roles.Discoverer: topics as messages, and the tables that the platform writes, each in a schema of their
    own."""

    def __init__(self, topics: ConsumingDiscoverer, rows: WriterDiscoverer, schema: str) -> None:
        """`schema`: of the written tables."""
        self._topics, self._rows, self._schema = topics, rows, schema

    def schemas(self) -> list[str]:
        return [SCHEMA, self._schema]

    def tables(self, schema: str | None = None) -> list[TableSummary]:
        if schema == self._schema:
            return self._rows.tables(schema)
        return self._topics.tables(schema)

    def describe(self, names: Sequence[TableName]) -> list[TableSchema]:
        ours = [name for name in names if name.schema == self._schema]
        others = [name for name in names if name.schema != self._schema]
        described = [*(self._rows.describe(ours) if ours else ()), *(self._topics.describe(others) if others else ())]
        found = {one.name: one for one in described}
        return [found[name] for name in names]

    def __enter__(self) -> "TwoSidedDiscoverer":
        return self

    def __exit__(self, *details: object) -> None:
        self._rows.__exit__(*details)
        self._topics.__exit__(*details)
