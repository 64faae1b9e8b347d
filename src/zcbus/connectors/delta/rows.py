"""Rows of a table's newest version, in the order of a key; see reading.TableReader."""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pyarrow as pa
from deltalake import DeltaTable

from zcbus.connectors.conditions import Condition
from zcbus.connectors.delta.folder import LakeFolder, batches, identifier, query
from zcbus.connectors.delta.tables import literal
from zcbus.connectors.delta.types import TYPES
from zcbus.connectors.errors import TableMissing
from zcbus.connectors.folder_names import folder_of
from zcbus.connectors.lakes.types import canonical_batch
from zcbus.connectors.writing.journal import keys_of
from zcbus.connectors.writing.order import key_of, texts
from zcbus.model.schema import TableSchema
from zcbus.model.types import Kind

_PAGE = 200_000
"""Rows that are sorted at once, so that memory does not grow with the table."""
_BYTES = 8 << 20
_Texts = tuple[str, ...]


class DeltaTableReader:
    """See TableReader. Each page of the key is read from the version that is the newest then."""

    def __init__(self, folder: LakeFolder) -> None:
        self._folder = folder
        self._ended = threading.Event()

    def read(
        self,
        table: TableSchema,
        key: tuple[str, ...],
        after: _Texts | None,
        rows: int,
        until: _Texts | None = None,
        where: Condition | None = None,
    ) -> Iterator[tuple[pa.RecordBatch, _Texts]]:
        while True:
            count = 0
            for part in self._page(table, key, after, until):
                for batch in _parts(part, rows):
                    whole = completed(table, batch)
                    count += batch.num_rows
                    after = _last(whole, key)
                    yield whole, after
            if not key or count < _PAGE:
                return

    def border(self, table: TableSchema, key: tuple[str, ...], after: _Texts | None, rows: int) -> _Texts | None:
        names = ", ".join(map(identifier, key))
        sql = f"SELECT {names} FROM t{_where(table, key, after, None)} ORDER BY {names} LIMIT 1 OFFSET {rows - 1}"
        with self._folder.translated(str(table.name)):
            found = [one for one in batches(self._open(table), sql) if one.num_rows] if key else []
        return _last(canonical_batch(found[0]), key) if found else None

    def estimate(self, table: TableSchema) -> int | None:
        return self.count(table)

    def count(self, table: TableSchema) -> int:
        with self._folder.translated(str(table.name)):
            ((found,),) = query(self._open(table), "SELECT count(*) FROM t")
        return int(found)

    def interrupt(self) -> None:
        self._ended.set()

    def __enter__(self) -> "DeltaTableReader":
        return self

    def __exit__(self, *details: object) -> None:
        """Nothing stays open between calls."""

    def _page(
        self, table: TableSchema, key: tuple[str, ...], after: _Texts | None, until: _Texts | None
    ) -> Iterator[pa.RecordBatch]:
        columns = ", ".join(identifier(one.name) for one in table.columns if one.type.kind is not Kind.UNSUPPORTED)
        names = ", ".join(map(identifier, key))
        ordered = f"{_where(table, key, after, until)} ORDER BY {names} LIMIT {_PAGE}" if key else ""
        with self._folder.translated(str(table.name)):
            for batch in batches(self._open(table), f"SELECT {columns} FROM t{ordered}"):
                if self._ended.is_set():
                    raise self._folder.unavailable("interrupted")
                yield canonical_batch(batch)

    def _open(self, table: TableSchema) -> DeltaTable:
        found = self._folder.open(folder_of(table.name.table))
        if found is None:
            raise TableMissing(table=str(table.name), side="source")
        return found


def completed(table: TableSchema, read: pa.RecordBatch) -> pa.RecordBatch:
    """All columns of a table; those of types that are not supported are null."""
    arrays = [
        read.column(one.name) if one.name in read.schema.names else pa.nulls(read.num_rows, pa.string())
        for one in table.columns
    ]
    return pa.RecordBatch.from_arrays(arrays, names=list(table.names))


def _where(table: TableSchema, key: Sequence[str], after: _Texts | None, until: _Texts | None) -> str:
    found = [f"({_beyond(table, key, after)})"] if after is not None else []
    if until is not None:
        found.append(f"NOT ({_beyond(table, key, until)})")
    return f" WHERE {' AND '.join(found)}" if found else ""


def _beyond(table: TableSchema, key: Sequence[str], bound: _Texts) -> str:
    """Whether a row's key comes after another one."""
    columns = [table.column(name) for name in key]
    (values,) = TYPES.typed_keys(replace(table, primary_key=tuple(key)), [key_of(columns, bound)])
    assert values is not None
    literals = [literal(value, one.type) for value, one in zip(values, columns, strict=True)]
    steps = []
    for place, name in enumerate(key):
        same = [f"{identifier(one)} = {text}" for one, text in zip(key[:place], literals, strict=False)]
        steps.append(" AND ".join([*same, f"{identifier(name)} > {literals[place]}"]))
    return " OR ".join(f"({step})" for step in steps)


def _last(rows: pa.RecordBatch, key: Sequence[str]) -> _Texts:
    return texts(keys_of(rows.slice(rows.num_rows - 1).select(list(key)))[0]) if key and rows.num_rows else ()


def _parts(batch: pa.RecordBatch, rows: int) -> Iterator[pa.RecordBatch]:
    """A batch in parts of at most so many rows and about 8 MiB."""
    step = max(1, min(rows, batch.num_rows * _BYTES // max(batch.nbytes, _BYTES)))
    for begin in range(0, batch.num_rows, step):
        yield batch.slice(begin, step)
