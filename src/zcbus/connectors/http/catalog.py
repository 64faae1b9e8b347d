"""Catalog of an interface: the resources and targets of its document."""

from collections.abc import Callable, Sequence

from zcbus.connectors.emitting.writer import EmittingWriter
from zcbus.connectors.errors import TableMissing
from zcbus.connectors.http.document_text import read
from zcbus.connectors.http.records import schema_of
from zcbus.connectors.http.spec import SCHEMA, HttpOptions
from zcbus.model.schema import TableName, TableSchema, TableSummary


class HttpDiscoverer:
    """See roles.Discoverer. The document says it all, but for tables of webhooks: nothing is asked of the service."""

    def __init__(self, options: HttpOptions, open_writer: Callable[[], EmittingWriter]) -> None:
        """`open_writer`: for what was sent."""
        self._options, self._interface, self._open_writer = options, read(options.definition), open_writer

    def schemas(self) -> list[str]:
        return [SCHEMA]

    def tables(self, schema: str | None = None) -> list[TableSummary]:
        if schema not in (None, SCHEMA):
            return []
        sent = (one.name.table for one in self._sent().values())
        names = sorted({*(resource.name for resource in self._interface.resources), *sent})
        return [TableSummary(TableName(SCHEMA, name), None, None, True, False) for name in names]

    def describe(self, names: Sequence[TableName]) -> list[TableSchema]:
        resources = {one.name: one for one in self._interface.resources}
        own = all(name.schema == SCHEMA and name.table in resources for name in names)
        sent = {} if own else self._sent()
        schemas = []
        for name in names:
            resource = resources.get(name.table) if name.schema == SCHEMA else None
            if resource is None and name not in sent:
                raise TableMissing(table=str(name), side="source")
            schemas.append(sent[name] if resource is None else schema_of(resource, self._options.kind))
        return schemas

    def __enter__(self) -> "HttpDiscoverer":
        return self

    def __exit__(self, *details: object) -> None:
        pass

    def _sent(self) -> dict[TableName, TableSchema]:
        if not self._interface.targets:
            return {}
        writer = self._open_writer()
        try:
            return writer.tables()
        finally:
            writer.close()
