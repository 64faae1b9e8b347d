"""Folders of files in every store, and tables of lakes. As a source ten rows that follow each other are a file."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pyarrow as pa
from deltalake import write_deltalake
from tests.integration.engine.matrix.rows import COLUMNS, TEN, Row, Rows, texts
from tests.integration.engine.matrix.sides import TABLE, Destination, Origin, Read, Run
from tests.servers.hdfs import opened


class _Folder(Origin):
    """CSV."""

    key = ("_file", "_record")
    deletes = True

    def given(self, options: Callable[..., Any]) -> Callable[..., Any]:
        types = "id bigint, amount decimal(12,2), made timestamp"
        return lambda database: replace(options(database), removed="delete", types=types)

    def make(self, run: Run) -> None:
        run.tables[TABLE] = {}

    def insert(self, run: Run, rows: Rows) -> None:
        for place, members in itertools.groupby(rows.values(), _place):
            run.source.put(run.source_database, place, COLUMNS, [tuple(texts(row).values()) for row in members])

    def update(self, run: Run, rows: Rows) -> None:
        self.insert(run, rows)

    def delete(self, run: Run, rows: Rows) -> None:
        for place, _ in itertools.groupby(rows.values(), _place):
            self.remove(run, place)

    def remove(self, run: Run, place: str) -> None:
        """A file."""
        run.source.path(run.source_database, place).unlink()


def _place(row: Row) -> str:
    return f"{TABLE}/{(row.id - 1) // TEN:04}.csv"


class LocalFilesOrigin(_Folder):
    kind, server = "localfiles", "csv_folders"


class SftpOrigin(_Folder):
    kind, server = "sftp", "sftp_folders"


class FtpOrigin(_Folder):
    kind, server = "ftp", "ftp_folders"


class WebFilesOrigin(_Folder):
    kind, server = "webfiles", "web_folders"


class S3Origin(_Folder):
    kind, server = "s3", "s3_folders"

    def remove(self, run: Run, place: str) -> None:
        run.source.server.delete(f"{run.source_database}/{place}")


class HdfsOrigin(_Folder):
    kind, server = "hdfs", "hdfs_folders"

    def remove(self, run: Run, place: str) -> None:
        store = opened(run.source.server, run.source_database)
        store.delete(place)
        store.close()


_FIELDS: "list[pa.Field[Any]]" = [
    pa.field("id", pa.int32()),
    pa.field("name", pa.string()),
    pa.field("amount", pa.decimal128(12, 2)),
    pa.field("made", pa.timestamp("us", "UTC")),
]
_SCHEMA = pa.schema(_FIELDS)


class DeltaOrigin(Origin):
    """By the feed of its changes."""

    kind, server = "delta", "delta_folder"
    deletes = True

    def make(self, run: Run) -> None:
        followed = {"delta.enableChangeDataFeed": "true"}
        write_deltalake(self._path(run), _SCHEMA.empty_table(), configuration=followed)
        run.tables[TABLE] = {"key": ("id",)}

    def insert(self, run: Run, rows: Rows) -> None:
        write_deltalake(self._path(run), self._table(rows), mode="append")

    def update(self, run: Run, rows: Rows) -> None:
        there = run.source.table(run.source_database, TABLE)
        changes = {name: f"new.{name}" for name in COLUMNS}
        there.merge(self._table(rows), "old.id = new.id", source_alias="new", target_alias="old").when_matched_update(
            changes
        ).execute()

    def delete(self, run: Run, rows: Rows) -> None:
        run.source.table(run.source_database, TABLE).delete(f"id IN ({', '.join(map(str, rows))})")

    def _path(self, run: Run) -> str:
        path: str = run.source.path(run.source_database, TABLE)
        return path

    def _table(self, rows: Rows) -> pa.Table:
        return pa.Table.from_pylist([row._asdict() for row in rows.values()], schema=_SCHEMA)


class _Written(Destination):
    def rows(self, run: Run) -> Iterable[Mapping[str, Any]]:
        found: list[dict[str, Any]] = run.target.rows(run.target_database, TABLE)
        return found


class LocalFilesDestination(_Written):
    """As a log of changes."""

    kind, server = "localfiles", "written_folders"

    @contextmanager
    def reading(self, run: Run) -> Iterator[Read]:
        run.target.path(run.target_database).mkdir()
        with super().reading(run) as read:
            yield read

    def rows(self, run: Run) -> Iterable[Mapping[str, Any]]:
        newest: dict[tuple[Any, ...], dict[str, Any]] = {}
        for record in run.target.records(run.target_database, TABLE).to_pylist():
            newest[tuple(record[name] for name in run.key)] = record
        return [record for record in newest.values() if record["_op"] != "delete"]


class SftpDestination(_Written):
    """As the current rows."""

    kind, server = "sftp", "written_sftp_folders"


class S3Destination(_Written):
    kind, server = "s3", "written_bucket"


class HdfsDestination(_Written):
    kind, server = "hdfs", "written_hdfs"


class DeltaDestination(_Written):
    kind, server = "delta", "delta_folder"


class IcebergDestination(_Written):
    kind, server = "iceberg", "iceberg_folder"
