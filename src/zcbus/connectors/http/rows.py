"""Records of a resource as they are now; see reading.TableReader."""

import threading
from collections.abc import Iterator

import pyarrow as pa

from zcbus.connectors.conditions import Condition
from zcbus.connectors.errors import SourceUnavailable, TableMissing, TableRefused
from zcbus.connectors.http.client import Client
from zcbus.connectors.http.document import Resource
from zcbus.connectors.http.document_text import read
from zcbus.connectors.http.records import Records
from zcbus.connectors.http.spec import HttpOptions
from zcbus.connectors.http.spool import Key, Spool, SpoolFull
from zcbus.connectors.roles import Side
from zcbus.model.schema import TableSchema
from zcbus.model.types import Kind


class HttpReader:
    """Requests all records, and keeps them on disk in the order of the key. A call that resumes where an earlier one
    ended uses the rows of that one, since a part costs as many requests as all."""

    def __init__(self, options: HttpOptions, side: Side = "source") -> None:
        """`side`: of the tables. Those of a target are read by the resource of their name."""
        self._options, self._interface, self._side = options, read(options.definition), side
        self._client = Client(options, self._interface)
        self._records = Records(options, self._interface, self._client)
        self._spool: tuple[str, Key, Spool] | None = None
        self._interrupted = threading.Event()

    def read(
        self,
        table: TableSchema,
        key: tuple[str, ...],
        after: Key | None,
        rows: int,
        until: Key | None = None,
        where: Condition | None = None,
    ) -> Iterator[tuple[pa.RecordBatch, Key]]:
        if not key:
            for batch in self._batches(table):
                for start in range(0, batch.num_rows, rows):
                    yield batch.slice(start, rows), ()
            return
        spool = self._spooled(table, key, again=after is not None or until is not None)
        yield from spool.read(after, rows, until, where)

    def border(self, table: TableSchema, key: tuple[str, ...], after: Key | None, rows: int) -> Key | None:
        return self._spooled(table, key, again=after is not None).border(after, rows)

    def estimate(self, table: TableSchema) -> int | None:
        return None

    def count(self, table: TableSchema) -> int:
        return self._spooled(table, table.key(), again=False).count()

    def interrupt(self) -> None:
        self._interrupted.set()

    def __enter__(self) -> "HttpReader":
        return self

    def __exit__(self, *details: object) -> None:
        self._forget()
        self._client.close()

    def _forget(self) -> None:
        if self._spool is not None:
            self._spool[2].close()
            self._spool = None

    def _spooled(self, table: TableSchema, key: Key, *, again: bool) -> Spool:
        """`again`: the rows of the last call do."""
        if again and self._spool is not None and self._spool[:2] == (table.name.table, key):
            return self._spool[2]
        self._forget()
        for name in key:
            if table.column(name).type.kind not in (Kind.INT64, Kind.TEXT):
                raise TableRefused(table=str(table.name), column=name, reason="http-key")
        spool = Spool(table, key)
        try:
            for batch in self._batches(table):
                spool.add(batch)
        except SpoolFull as error:
            spool.close()
            raise self._client.unavailable(f"{table.name}: {error}") from error
        except BaseException:
            spool.close()
            raise
        self._spool = (table.name.table, key, spool)
        return spool

    def _batches(self, table: TableSchema) -> Iterator[pa.RecordBatch]:
        declared = self._interface.resource(table.name.table)
        if declared is None and self._side == "target":
            raise TableRefused(table=str(table.name), column="", reason="target-not-readable")
        resource = found(declared, table)
        for batch in self._records.batches(resource):
            if self._interrupted.is_set():
                raise SourceUnavailable(kind=self._options.kind, address=self._options.address, detail="interrupted")
            if not set(table.names) <= set(batch.schema.names):
                raise TableRefused(table=str(table.name), column="", reason="schema-changed")
            yield batch.select(list(table.names))


def found(resource: Resource | None, table: TableSchema) -> Resource:
    """Raises TableMissing."""
    if resource is None:
        raise TableMissing(table=str(table.name), side="source")
    return resource
