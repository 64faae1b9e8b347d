"""Folders that the platform writes files into, as the suites see a server."""

import shutil
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fastavro
import orjson
import pyarrow as pa
from pyarrow import csv, json, parquet

from tests.servers.files import TENANT, FilesFolder
from tests.servers.s3 import WRITER, S3Server
from tests.servers.sftp import SftpServer
from zcbus.connectors.localfiles.spec import LocalFilesOptions
from zcbus.connectors.s3.access import access_of
from zcbus.connectors.s3.spec import S3Options
from zcbus.connectors.sftp.spec import SftpOptions
from zcbus.connectors.stores.s3 import S3Store


def _read_avro(path: Path) -> pa.Table:
    with path.open("rb") as file:
        reader = fastavro.reader(file)
        schema: Any = reader.writer_schema
        names = {field["name"]: field.get("doc", field["name"]) for field in schema["fields"]}
        rows: list[Any] = list(reader)
    return pa.Table.from_pylist([{name: _plain(row[field]) for field, name in names.items()} for row in rows])


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, uuid.UUID) else value


_READERS: dict[str, Callable[[Path], pa.Table]] = {
    ".parquet": parquet.read_table,
    ".csv": csv.read_csv,
    ".jsonl": json.read_json,
    ".avro": _read_avro,
}


class WrittenFolders:
    """Folders in the folder for files."""

    kind = "localfiles"

    def __init__(self, files: FilesFolder, output: str = "parquet", **options: Any) -> None:
        """`options`: further ones of the connection."""
        self._folder, self.output, self._options = files.folder, output, options
        self._number = 0

    def fresh_database(self, prefix: str) -> str:
        self._number += 1
        return f"{prefix}_{self._number}.{self.output}"

    def options(self, database: str) -> Any:
        return LocalFilesOptions(folder=database, tenant=TENANT, gather=0, output=self.output, **self._options)  # type: ignore[arg-type]

    def drop_database(self, name: str) -> None:
        shutil.rmtree(self._folder / name, ignore_errors=True)

    def path(self, database: str) -> Path:
        return self._folder / database

    def records(self, database: str, table: str) -> pa.Table:
        """All records of a table, in the order of its files, read without the connector."""
        files = sorted((self.path(database) / table).rglob("[0-9]*.*"), key=lambda path: path.name)
        if not files:
            return pa.table({})
        return pa.concat_tables([_READERS[one.suffix](one) for one in files], promote_options="permissive")

    def rows(self, database: str, table: str) -> list[dict[str, Any]]:
        """The newest row of each key `k` or `id`, or the current rows."""
        if self._options.get("content") == "rows":
            return self.current(database, table).to_pylist()
        latest: dict[Any, dict[str, Any]] = {}
        for record in self.records(database, table).to_pylist():
            key = record["id" if "id" in record else "k"]
            latest.pop(key, None)
            if record["_op"] != "delete":
                latest[key] = {name: value for name, value in record.items() if not name.startswith("_")}
        return list(latest.values())

    def current(self, database: str, table: str) -> pa.Table:
        """The rows of the files that the pointer names."""
        folder = self.path(database) / table
        files = [folder / one["name"] for one in orjson.loads((folder / "_latest.json").read_bytes())["files"]]
        if not files:
            return pa.table({})
        return pa.concat_tables([_READERS[one.suffix](one) for one in files], promote_options="permissive")


class WrittenSftpFolders(WrittenFolders):
    """The same folders behind SFTP."""

    kind = "sftp"

    def __init__(self, files: FilesFolder, server: SftpServer, **options: Any) -> None:
        super().__init__(files, **options)
        self.server = server

    def fresh_database(self, prefix: str) -> str:
        name = super().fresh_database(f"{prefix}_sftp")
        self.path(name).mkdir()
        return name

    def options(self, database: str) -> Any:
        server = self.server
        return SftpOptions(
            host=server.host,
            port=server.port,
            user=server.user,
            key=server.key,
            hostkey=server.host_key,
            folder=str(self.path(database)),
            gather=0,
            **self._options,
        )


class WrittenBucket:
    """Folders of a bucket."""

    kind = "s3"

    def __init__(self, server: S3Server, **options: Any) -> None:
        """`options`: further ones of the connection."""
        self.server, self._options = server, options

    def fresh_database(self, prefix: str) -> str:
        return f"{prefix}/{uuid.uuid4().hex}"

    def options(self, database: str) -> Any:
        return S3Options(
            endpoint=self.server.endpoint,
            bucket=self.server.bucket,
            folder=database,
            accesskey=WRITER,
            secretkey=WRITER.lower(),
            gather=0,
            **self._options,
        )

    def rows(self, database: str, table: str) -> list[dict[str, Any]]:
        """The current rows, as who has the bucket reads them."""
        store = S3Store(access_of(self.options(database)), database)
        named = orjson.loads(store.get(f"{table}/_latest.json") or b"")["files"]
        found = [parquet.read_table(pa.BufferReader(store.get(f"{table}/{one['name']}") or b"")) for one in named]
        store.close()
        return pa.concat_tables(found, promote_options="permissive").to_pylist() if found else []

    def drop_database(self, name: str) -> None:
        """The folder's name is unique."""
