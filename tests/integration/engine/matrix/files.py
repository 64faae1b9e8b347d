"""Folders of files in every store, and tables of lakes. As a source ten rows that follow each other are a file."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, ClassVar

import pyarrow as pa
from deltalake import write_deltalake
from tests.integration.engine.matrix.rows import COLUMNS, TEN, Row, Rows, texts
from tests.integration.engine.matrix.sides import TABLE, Destination, Origin, Read
from tests.integration.engine.running import Link
from tests.servers.hdfs import opened


class _Folder(Origin):
    """CSV."""

    deletes = True

    def given(self, options: Callable[..., Any]) -> Callable[..., Any]:
        types = "id bigint, amount decimal(12,2), made timestamp"
        return lambda database: replace(options(database), removed="delete", types=types)

    def make(self, link: Link) -> None:
        link.tables[TABLE] = {}

    def insert(self, link: Link, rows: Rows) -> None:
        for place, members in itertools.groupby(rows.values(), _place):
            link.source.put(link.source_database, place, COLUMNS, [tuple(texts(row).values()) for row in members])

    def update(self, link: Link, rows: Rows) -> None:
        self.insert(link, rows)

    def delete(self, link: Link, rows: Rows) -> None:
        for place, _ in itertools.groupby(rows.values(), _place):
            self.remove(link, place)

    def remove(self, link: Link, place: str) -> None:
        """A file."""
        link.source.path(link.source_database, place).unlink()


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

    def remove(self, link: Link, place: str) -> None:
        link.source.server.delete(f"{link.source_database}/{place}")


class HdfsOrigin(_Folder):
    kind, server = "hdfs", "hdfs_folders"

    def remove(self, link: Link, place: str) -> None:
        store = opened(link.source.server, link.source_database)
        store.delete(place)
        store.close()


class DeltaOrigin(Origin):
    """By the feed of its changes."""

    kind, server = "delta", "delta_folder"
    deletes = True
    schema: ClassVar[pa.Schema] = pa.schema(
        {"id": pa.int32(), "name": pa.string(), "amount": pa.decimal128(12, 2), "made": pa.timestamp("us", "UTC")}
    )

    def make(self, link: Link) -> None:
        followed = {"delta.enableChangeDataFeed": "true"}
        write_deltalake(self._path(link), self.schema.empty_table(), configuration=followed)
        link.tables[TABLE] = {"key": ("id",)}

    def insert(self, link: Link, rows: Rows) -> None:
        write_deltalake(self._path(link), self._table(rows), mode="append")

    def update(self, link: Link, rows: Rows) -> None:
        there = link.source.table(link.source_database, TABLE)
        changes = {name: f"new.{name}" for name in COLUMNS}
        there.merge(self._table(rows), "old.id = new.id", source_alias="new", target_alias="old").when_matched_update(
            changes
        ).execute()

    def delete(self, link: Link, rows: Rows) -> None:
        link.source.table(link.source_database, TABLE).delete(f"id IN ({', '.join(map(str, rows))})")

    def _path(self, link: Link) -> str:
        path: str = link.source.path(link.source_database, TABLE)
        return path

    def _table(self, rows: Rows) -> pa.Table:
        return pa.Table.from_pylist([row._asdict() for row in rows.values()], schema=self.schema)


class _Written(Destination):
    def rows(self, link: Link) -> Iterable[Mapping[str, Any]]:
        found: list[dict[str, Any]] = link.target.rows(link.target_database, TABLE)
        return found


class LocalFilesDestination(_Written):
    """As a log of changes."""

    kind, server = "localfiles", "written_folders"

    @contextmanager
    def reading(self, link: Link) -> Iterator[Read]:
        link.target.path(link.target_database).mkdir()
        with super().reading(link) as read:
            yield read


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
