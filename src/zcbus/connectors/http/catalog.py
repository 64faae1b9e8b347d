"""Catalog of an interface: the resources of its document."""

from collections.abc import Sequence

from zcbus.connectors.errors import TableMissing
from zcbus.connectors.http.document_text import read
from zcbus.connectors.http.records import schema_of
from zcbus.connectors.http.spec import SCHEMA, HttpOptions
from zcbus.model.schema import TableName, TableSchema, TableSummary


class HttpDiscoverer:
    """See roles.Discoverer. The document says it all: nothing is asked."""

    def __init__(self, options: HttpOptions) -> None:
        self._options, self._interface = options, read(options.definition)

    def schemas(self) -> list[str]:
        return [SCHEMA]

    def tables(self, schema: str | None = None) -> list[TableSummary]:
        if schema not in (None, SCHEMA):
            return []
        names = sorted(resource.name for resource in self._interface.resources)
        return [TableSummary(TableName(SCHEMA, name), None, None, True, False) for name in names]

    def describe(self, names: Sequence[TableName]) -> list[TableSchema]:
        schemas = []
        for name in names:
            resource = self._interface.resource(name.table) if name.schema == SCHEMA else None
            if resource is None:
                raise TableMissing(table=str(name), side="source")
            schemas.append(schema_of(resource, self._options.kind))
        return schemas

    def __enter__(self) -> "HttpDiscoverer":
        return self

    def __exit__(self, *details: object) -> None:
        pass
