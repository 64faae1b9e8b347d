"""Records behind a cursor; see polling.puller.Puller."""

import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

import pyarrow as pa

from zcbus.connectors.errors import TableMissing
from zcbus.connectors.http.client import Client
from zcbus.connectors.http.document import Resource
from zcbus.connectors.http.document_text import read
from zcbus.connectors.http.records import Records, behind, schema_of
from zcbus.connectors.http.rows import found
from zcbus.connectors.http.spec import HttpOptions
from zcbus.connectors.http.spool import Spool, SpoolFull
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.types import Kind

_EARLIER = {Kind.TIMESTAMP_TZ: timedelta(hours=1), Kind.TIMESTAMP: timedelta(hours=27)}
"""How far back a capture begins that never ran: clocks differ, and a time without a zone may be of any."""


class HttpPuller:
    """Watermarks are canonical texts of the cursor's column. A resource without a cursor is asked for whole."""

    def __init__(self, options: HttpOptions) -> None:
        self._options, self._interface = options, read(options.definition)
        self._client = Client(options, self._interface)
        self._records = Records(options, self._interface, self._client)

    def table_schemas(self, names: Sequence[TableName]) -> list[TableSchema]:
        schemas = []
        for name in names:
            resource = self._interface.resource(name.table)
            if resource is None:
                raise TableMissing(table=str(name), side="source")
            schemas.append(schema_of(resource, self._options.kind))
        return schemas

    def watermark(self, table: TableSchema) -> str:
        cursor = self._resource(table).cursor
        return cursor.column if cursor else ""

    def newest(self, table: TableSchema, column: str, behind: int) -> str | None:
        """The service is not asked: to find its newest records may be to read all. Times begin a while ago."""
        if not column:
            return None
        earlier = _EARLIER.get(table.column(column).type.kind)
        if earlier is None:
            return None
        moment = datetime.fromtimestamp(time.time(), UTC) - earlier - timedelta(seconds=self._options.overlap)
        zone = "+00" if table.column(column).type.kind is Kind.TIMESTAMP_TZ else ""
        return f"{moment:%Y-%m-%d %H:%M:%S}{zone}"

    def pull(
        self, table: TableSchema, column: str, after: str | None, rows: int
    ) -> Iterator[tuple[pa.RecordBatch, str]]:
        resource = self._resource(table)
        if not column:
            for batch in self._records.batches(resource):
                for start in range(0, batch.num_rows, rows):
                    yield batch.slice(start, rows), ""
            return
        spool = Spool(table, (column,))
        try:
            for batch in self._records.batches(resource, after):
                spool.add(_behind(batch, resource, after))
            for part, last in spool.read(None, rows):
                yield part, last[0]
        except SpoolFull as error:
            raise self._client.unavailable(f"{table.name}: {error}") from error
        finally:
            spool.close()

    def identity(self) -> str:
        return f"http:{self._options.url.rstrip('/')}:{self._options.parameters}"

    def __enter__(self) -> "HttpPuller":
        return self

    def __exit__(self, *details: object) -> None:
        self._client.close()

    def _resource(self, table: TableSchema) -> Resource:
        return found(self._interface.resource(table.name.table), table)


def _behind(batch: pa.RecordBatch, resource: Resource, after: str | None) -> pa.RecordBatch:
    """Services that filter by whole minutes, from a value on, or not at all give more than was asked for."""
    if after is None:
        return batch
    assert resource.cursor is not None
    column = resource.columns[resource.cursor.column]
    values = batch.column(resource.cursor.column).to_pylist()
    return batch.filter(pa.array([behind(column, value, after) for value in values], pa.bool_()))
