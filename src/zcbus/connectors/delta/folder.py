"""A folder of Delta tables, and what the library says in the platform's errors."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, BinaryIO

import pyarrow as pa
from deltalake import CommitProperties, DeltaTable, QueryBuilder, Transaction
from deltalake.exceptions import CommitFailedError, DeltaError, TableNotFoundError
from obstore.exceptions import BaseError as StoreError
from obstore.exceptions import PermissionDeniedError, UnauthenticatedError

from zcbus.connectors.delta.spec import DeltaOptions
from zcbus.connectors.errors import DatabaseFailed, TargetUnavailable
from zcbus.connectors.lakes.place import LakePlace, denied, says_denied, short, unavailable
from zcbus.connectors.lakes.reader import open_file
from zcbus.connectors.writing.decided import ConcurrentCommit
from zcbus.kit.file_folder import FileOutside
from zcbus.kit.network import AddressRefused

OWN = "_zcbus"
"""The folder that keeps positions; a table's never begins with an underscore."""


class LakeFolder:
    """Where the tables lie. Errors: TargetUnavailable, AccessDenied, DatabaseFailed, ConcurrentCommit."""

    def __init__(self, options: DeltaOptions) -> None:
        """Makes the local folder where it is missing."""
        self._options = options
        with self.translated():
            self._place = LakePlace(options, options.folder)
        self._storage, self._root, self._files = self._place.storage, self._place.root, self._place.files

    @property
    def kind(self) -> str:
        return self._options.kind

    @property
    def root(self) -> str:
        """Id of the folder, unique in this process."""
        return self._root

    def open(self, folder: str) -> DeltaTable | None:
        """A table as it is now; None: there is none."""
        with self.translated():
            try:
                return DeltaTable(self.uri(folder), storage_options=self._storage)
            except TableNotFoundError:
                return None

    def create(self, folder: str, schema: pa.Schema, **given: Any) -> DeltaTable:
        """A table that is there from now on; one that is there already stays as it is."""
        with self.translated():
            return DeltaTable.create(
                self.uri(folder),
                schema,
                mode="ignore",
                storage_options=self._storage,
                raise_if_key_not_exists=False,
                **given,
            )

    def read(self, path: str) -> bytes | None:
        """A file; None: there is none."""
        with self.translated():
            try:
                return bytes(self._files.get(path).bytes())
            except FileNotFoundError:
                return None

    def write(self, path: str, data: bytes) -> None:
        """A new file of these bytes, there whole or not at all."""
        with self.translated():
            self._files.put(path, data)

    def delete(self, path: str) -> None:
        """Delete a file. Raises FileNotFoundError."""
        self._files.delete(path)

    def listed(self, folder: str) -> list[tuple[str, datetime]]:
        """Files of a folder, with the times at which they were written."""
        with self.translated():
            return [(str(one["path"]), one["last_modified"]) for part in self._files.list(f"{folder}/") for one in part]

    def file(self, path: str) -> BinaryIO:
        """A file, parts of which are read. Raises FileNotFoundError."""
        return open_file(self._files, path)

    def uri(self, folder: str) -> str:
        return f"{self._root}/{folder}"

    def folders(self) -> list[str]:
        """Names of folders in this one, sorted, but for our own."""
        with self.translated():
            found = self._files.list_with_delimiter()
        names = [str(one).rstrip("/").rpartition("/")[2] for one in found["common_prefixes"]]
        return sorted(name for name in names if not name.startswith(("_", ".")))

    def remove(self, folder: str) -> None:
        """Delete a table with all of its files. Idempotent."""
        with self.translated():
            listed = [path for path, _ in self.listed(folder)]
            # Its log goes last: what is half deleted is still found.
            for path in sorted(listed, key=lambda one: "/_delta_log/" in one):
                self._files.delete(path)

    @contextmanager
    def translated(self, table: str = "") -> Iterator[None]:
        """Raise what the libraries raise inside as a connector error."""
        try:
            yield
        except CommitFailedError as error:
            raise ConcurrentCommit(str(error)) from error
        except TableNotFoundError:
            raise
        except (PermissionDeniedError, UnauthenticatedError, FileOutside, AddressRefused, PermissionError) as error:
            raise denied(self._options, error) from error
        except (OSError, StoreError) as error:
            raise (denied(self._options, error) if says_denied(error) else self.unavailable(short(error))) from error
        except (DeltaError, pa.ArrowException) as error:
            if says_denied(error):
                raise denied(self._options, error) from error
            raise DatabaseFailed(kind=self._options.kind, detail=short(error), table=table) from error

    def unavailable(self, detail: str) -> TargetUnavailable:
        """The error for what passes."""
        return unavailable(self._options, detail)


def commit(application: str, version: int) -> CommitProperties:
    """A commit that is refused, without another attempt, if the table changed since it was read."""
    return CommitProperties(max_commit_retries=0, app_transactions=[Transaction(application, version)])


def schema_of(table: DeltaTable) -> pa.Schema:
    """The columns of a table."""
    made: Any = pa.schema
    found: pa.Schema = made(table.schema())
    return found


def batches(table: DeltaTable, sql: str) -> Iterator[pa.RecordBatch]:
    """The rows of a query over the table `t`, a part at a time: a table need not fit into memory. The query begins at
    once, so that what the library calls may read the parts."""
    found: Any = QueryBuilder().register("t", table).execute(sql)
    made: Any = pa.RecordBatchReader.from_stream
    reader: pa.RecordBatchReader = made(found)
    schema = pa.schema([pa.field(one.name, _plain(one.type)) for one in reader.schema])
    return (_cast(batch, schema) for batch in reader)


def query(table: DeltaTable, sql: str) -> list[tuple[Any, ...]]:
    """As `batches`, of a few rows: their values."""
    return [
        row
        for batch in batches(table, sql)
        for row in zip(*(column.to_pylist() for column in batch.columns), strict=True)
    ]


def identifier(name: str) -> str:
    """A quoted name."""
    return '"' + name.replace('"', '""') + '"'


def _cast(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    arrays = [column.cast(one.type) for column, one in zip(batch.columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _plain(data: pa.DataType) -> pa.DataType:
    """The library reads texts and bytes as views, which few kernels take."""
    if pa.types.is_string_view(data):
        return pa.string()
    return pa.binary() if pa.types.is_binary_view(data) else data
