"""A folder of Delta tables, and what the library says in the platform's errors."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pyarrow as pa
from deltalake import CommitProperties, DeltaTable, QueryBuilder, Transaction
from deltalake.exceptions import CommitFailedError, DeltaError, TableNotFoundError
from obstore.exceptions import BaseError as StoreError
from obstore.exceptions import PermissionDeniedError, UnauthenticatedError
from obstore.store import LocalStore, S3Store

from zcbus.connectors.delta.spec import DeltaOptions
from zcbus.connectors.errors import AccessDenied, DatabaseFailed, TargetUnavailable
from zcbus.connectors.lakes.bucket import bucket_of
from zcbus.connectors.writing.decided import ConcurrentCommit
from zcbus.kit.file_folder import FileOutside, confined
from zcbus.kit.network import AddressRefused

OWN = "_zcbus"
"""The folder that keeps positions; a table's never begins with an underscore."""
_SAFE = re.compile(r"[\w\- ]")
_OF_CLIENT = ("allow_invalid_certificates", "aws_allow_http", "proxy_url", "retry_timeout")
"""Options that the store of files takes apart from those of the bucket."""
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_DENIED = ("AccessDenied", "InvalidAccessKeyId", "SignatureDoesNotMatch", "403", "401", "Permission denied")


class LakeFolder:
    """Where the tables lie. Errors: TargetUnavailable, AccessDenied, DatabaseFailed, ConcurrentCommit."""

    def __init__(self, options: DeltaOptions) -> None:
        """Makes the local folder where it is missing."""
        self._options = options
        self._storage: dict[str, str] = {}
        bucket = bucket_of(options)
        with self.translated():
            if bucket is not None:
                bucket.require_permitted()
                self._relay = bucket.relay()
                self._storage = bucket.storage_options(self._relay)
                self._root = f"s3://{bucket.name}/{options.folder.rstrip('/')}"
                self._files: Any = S3Store(
                    bucket.name,
                    prefix=options.folder,
                    config=_config(self._storage),
                    client_options={
                        "allow_http": bucket.endpoint.startswith("http://"),
                        "allow_invalid_certificates": not bucket.verify,
                        "proxy_url": self._relay.url,
                    },
                )
            else:
                path = confined(options.tenant, options.folder)
                path.mkdir(parents=True, exist_ok=True)
                self._root = str(path)
                self._files = LocalStore(path, automatic_cleanup=True)

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
            listed = [str(one["path"]) for part in self._files.list(f"{folder}/") for one in part]
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
            raise self._denied(error) from error
        except (OSError, StoreError) as error:
            denied = any(word in str(error) for word in _DENIED)
            raise (self._denied(error) if denied else self.unavailable(_short(error))) from error
        except (DeltaError, pa.ArrowException) as error:
            if any(word in str(error) for word in _DENIED):
                raise self._denied(error) from error
            raise DatabaseFailed(kind=self._options.kind, detail=_short(error), table=table) from error

    def unavailable(self, detail: str) -> TargetUnavailable:
        """The error for what passes."""
        return TargetUnavailable(kind=self._options.kind, address=self._options.place, detail=detail)

    def _denied(self, error: Exception) -> AccessDenied:
        options = self._options
        return AccessDenied(kind=options.kind, address=options.place, user=options.accesskey, detail=_short(error))


def folder_of(table: str) -> str:
    """The folder of a table's name: what file systems or the library would read as something else is spelled
    otherwise."""
    kept = "".join(one if _SAFE.fullmatch(one) else "".join(f"={byte:02X}" for byte in one.encode()) for one in table)
    return f"=5F{kept[1:]}" if kept.startswith("_") else kept


def table_of(folder: str) -> str:
    """Inverse of folder_of."""
    return re.sub(
        r"(?:=[0-9A-F]{2})+", lambda found: bytes.fromhex(found[0].replace("=", "")).decode(errors="replace"), folder
    )


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


def _config(options: dict[str, str]) -> Any:
    return {name: value for name, value in options.items() if name not in _OF_CLIENT}


def _short(error: Exception) -> str:
    text = " ".join(_COLOUR.sub("", str(error)).split())
    return text[:300] or type(error).__name__
