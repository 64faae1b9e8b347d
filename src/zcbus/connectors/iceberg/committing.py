"""Commits of a table that take some of its files away and add others, in one step.

The library's own overwrite finds rows by an expression and keeps each manifest for ever; this is little on
top of it.
"""

from collections.abc import Iterable

import pyarrow as pa
from pyiceberg.expressions import AlwaysTrue
from pyiceberg.io import FileIO
from pyiceberg.io.pyarrow import ArrowScan, _dataframe_to_data_files
from pyiceberg.manifest import DataFile, ManifestFile
from pyiceberg.table import FileScanTask, Table, TableProperties, Transaction
from pyiceberg.table.metadata import TableMetadata
from pyiceberg.table.snapshots import Operation
from pyiceberg.table.update.snapshot import _ManifestMergeManager, _OverwriteFiles

from zcbus.connectors.iceberg.types import plain

_MANIFEST_BYTES = 8 << 20
_DICTIONARY_BYTES = 256 << 10
_MANIFESTS = 20
"""From this many on they are merged."""


def replace_files(
    transaction: Transaction, table: Table, gone: Iterable[DataFile], added: Iterable[DataFile], **notes: str
) -> None:
    """Stage a snapshot without some files and with others; also one of neither, which makes the commit a fence: it is
    refused where another snapshot came first."""
    producer = _Replacing(Operation.OVERWRITE, transaction, table.io, None, notes)
    for file in gone:
        producer.delete_data_file(file)
    for file in added:
        producer.append_data_file(file)
    producer.commit()


def written(transaction: Transaction, table: Table, rows: pa.Table) -> list[DataFile]:
    """Write rows as files that belong to no snapshot yet."""
    return data_files(transaction.table_metadata, table.io, rows)


def data_files(metadata: TableMetadata, io: FileIO, rows: pa.Table) -> list[DataFile]:
    """As `written`, into a table with this metadata."""
    return list(_dataframe_to_data_files(_with_small_dictionaries(metadata), rows, io)) if rows.num_rows else []


def _with_small_dictionaries(metadata: TableMetadata) -> TableMetadata:
    """Unless the table says how large they may be. A column whose values repeat needs no larger one; of any other it is
    made in vain up to this size, and makes the file larger too."""
    name = TableProperties.PARQUET_DICT_SIZE_BYTES
    properties = {name: str(_DICTIONARY_BYTES), **metadata.properties}
    return metadata.model_copy(update={"properties": properties})


def read(table: Table, task: FileScanTask, names: Iterable[str] | None = None) -> pa.Table:
    """The rows of one file, in the newest structure. `names`: of columns; None: all."""
    schema = table.schema() if names is None else table.schema().select(*names)
    found = ArrowScan(table.metadata, table.io, schema, AlwaysTrue()).to_table([task])
    return found.cast(plain(found.schema))


class _Replacing(_OverwriteFiles):
    """See _OverwriteFiles."""

    def _existing_manifests(self) -> list[ManifestFile]:
        found = super()._existing_manifests()
        return [one for one in found if one.has_added_files() or one.has_existing_files()]

    def _process_manifests(self, manifests: list[ManifestFile]) -> list[ManifestFile]:
        manager = _ManifestMergeManager(_MANIFEST_BYTES, _MANIFESTS, True, self)
        return manager.merge_manifests(manifests)
