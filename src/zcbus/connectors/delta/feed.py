"""The change data feed of one table, version by version
(https://github.com/delta-io/delta/blob/master/PROTOCOL.md#add-cdc-file).

The files are read here: the library holds Python's lock while it fetches a feed, and the way to a bucket is led through
Python (lakes.relay).
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

import pyarrow as pa
from deltalake import DeltaTable
from pyarrow import parquet

from zcbus.connectors.delta.folder import LakeFolder
from zcbus.connectors.delta.types import TYPES
from zcbus.connectors.errors import TableMissing, TableRefused
from zcbus.connectors.folder_names import folder_of
from zcbus.connectors.lakes.parts import without_keys
from zcbus.connectors.typed_arrow import nulls
from zcbus.model.kernels import compute
from zcbus.model.schema import Column, TableName

_PROPERTY = "delta.enableChangeDataFeed"
_MAPPING = "delta.columnMapping.mode"
_TYPE = "_change_type"
_PUT = pa.array(["insert", "update_postimage"])
_ROWS = 10_000


@dataclass(frozen=True, slots=True)
class Version:
    """What one commit changed."""

    committed_ms: int
    """Milliseconds since 1970-01-01 UTC; 0: unknown."""
    gone: pa.Table
    """Keys of rows that are not there any more."""
    put: Iterator[pa.RecordBatch]
    """Rows that are new or changed."""


@dataclass(frozen=True, slots=True)
class _File:
    """A file with changes. `what`: cdc, of which each row says what it is; add, of new rows; remove, of former ones."""

    what: str
    path: str
    partition: Mapping[str, str | None] = field(default_factory=dict)
    """Values that all rows have, and the file lacks."""


class Feed:
    """Raises TableMissing; TableRefused with the reasons feed-missing, feed-lost and feed-unreadable; errors as
    LakeFolder's."""

    def __init__(self, folder: LakeFolder, name: TableName, key: Sequence[str]) -> None:
        self._folder, self._name, self._key = folder, name, list(key)

    def open(self) -> DeltaTable:
        """The table in its newest version."""
        found = self._folder.open(folder_of(self._name.table))
        if found is None:
            raise TableMissing(table=str(self._name), side="source")
        settings = found.metadata().configuration
        if (settings.get(_PROPERTY) or "").lower() != "true":
            raise self.refused("feed-missing")
        if (settings.get(_MAPPING) or "none") != "none":
            raise self.refused("feed-unreadable", _MAPPING)
        return found

    def version(self, number: int, columns: Sequence[Column]) -> Version:
        """The changes of a version, with these columns. That the feed was kept is proved for each: a gap would be a
        silent loss."""
        actions = self._actions(number)
        for action in actions:
            settings = action.get("metaData", {}).get("configuration")
            if settings is not None and settings.get(_PROPERTY, "").lower() != "true":
                raise self.refused("feed-lost", f"version {number}: {_PROPERTY} = false")
        moment = next((one["commitInfo"].get("timestamp", 0) for one in actions if "commitInfo" in one), 0)
        files = self._files(actions)
        key = [one for one in columns if one.name in self._key]
        return Version(int(moment), self._gone(files, key), self._read(files, columns, put=True))

    def refused(self, reason: str, detail: str = "") -> TableRefused:
        """The error for a table that can not be captured, or not any more."""
        return TableRefused(table=str(self._name), column="", reason=reason, detail=detail)

    def _gone(self, files: Sequence[_File], key: Sequence[Column]) -> pa.Table:
        removed = list(self._read(files, key, put=False))
        if not removed:
            return pa.table([pa.nulls(0) for _ in key], names=[one.name for one in key])
        gone = pa.Table.from_batches(removed)
        there = list(self._read(files, key, put=True))
        return without_keys(gone, pa.Table.from_batches(there), self._key) if there else gone

    def _read(self, files: Sequence[_File], columns: Sequence[Column], *, put: bool) -> Iterator[pa.RecordBatch]:
        for file in files:
            if file.what == ("remove" if put else "add"):
                continue
            try:
                with self._folder.translated(str(self._name)):
                    yield from _rows(self._folder, file, columns, put=put)
            except _Missing as error:
                raise self.refused("feed-lost", str(error)[:500]) from error

    def _files(self, actions: Sequence[Mapping[str, Any]]) -> list[_File]:
        """As the protocol says: what files of changes do not have, new and removed files do."""
        found = []
        for action in actions:
            for what in ("cdc", "add", "remove"):
                if what not in action or (what != "cdc" and not action[what].get("dataChange", True)):
                    continue
                body = action[what]
                if body.get("deletionVector") or "://" in body["path"]:
                    raise self.refused("feed-unreadable", body["path"][:500])
                path = f"{folder_of(self._name.table)}/{unquote(body['path'])}"
                found.append(_File(what, path, body.get("partitionValues") or {}))
        of_changes = [one for one in found if one.what == "cdc"]
        return of_changes or found

    def _actions(self, number: int) -> list[dict[str, Any]]:
        text = self._folder.read(f"{folder_of(self._name.table)}/_delta_log/{number:020}.json")
        if text is None:
            raise self.refused("feed-lost", f"version {number}")
        return [json.loads(line) for line in text.decode().splitlines() if line.strip()]


class _Missing(Exception):
    """A file of a version is not there any more."""


def _rows(folder: LakeFolder, file: _File, columns: Sequence[Column], *, put: bool) -> Iterator[pa.RecordBatch]:
    try:
        opened = parquet.ParquetFile(folder.file(file.path))
    except FileNotFoundError as error:
        raise _Missing(file.path) from error
    wanted = {*(one.name for one in columns), _TYPE}
    for batch in opened.iter_batches(_ROWS, columns=[name for name in opened.schema_arrow.names if name in wanted]):
        arrays = [_column(batch, one, file.partition) for one in columns]
        rows = pa.RecordBatch.from_arrays(arrays, names=[one.name for one in columns])
        if file.what == "cdc":
            is_put = compute.is_in(batch.column(_TYPE).cast(pa.string()), value_set=_PUT)
            rows = rows.filter(is_put if put else compute.invert(is_put))
        if rows.num_rows:
            yield rows


def _column(read: pa.RecordBatch, column: Column, partition: Mapping[str, str | None]) -> Any:
    wanted = TYPES.arrow_type(column.type)
    if column.name in partition:
        value = pa.array([partition[column.name] or None], pa.string())
        naive: Any = value.cast(pa.timestamp("us")) if pa.types.is_timestamp(wanted) else value
        return pa.chunked_array([naive.cast(wanted)] * read.num_rows).combine_chunks()
    if column.name not in read.schema.names:
        return nulls(read.num_rows, wanted)
    values: Any = read.column(column.name)
    # Other writers keep times in nanoseconds, of which Delta has none.
    return compute.cast(values, options=pa.compute.CastOptions(wanted, allow_time_truncate=True))
