"""Folders of CSV files as the suites see a server."""

import csv
import io
import shutil
import tempfile
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.servers.files import TENANT, FilesFolder
from tests.servers.ftp import FtpServer
from tests.servers.s3 import READER, S3Server
from tests.servers.sftp import SftpServer
from tests.servers.web import WebServer
from zcbus.connectors.ftp.spec import FtpOptions
from zcbus.connectors.localfiles.spec import LocalFilesOptions
from zcbus.connectors.s3.spec import S3Options
from zcbus.connectors.sftp.spec import SftpOptions
from zcbus.connectors.webfiles.spec import WebFilesOptions

Row = tuple[str | None, ...]


class CsvFolders:
    """Folders in the folder for files."""

    kind = "localfiles"
    schema = "files"
    """Of a source's tables."""

    def __init__(self, files: FilesFolder) -> None:
        self.folder = files.folder
        self.given: dict[str, object] = {}
        """Options of tests besides the folder."""

    def fresh_database(self, prefix: str) -> str:
        return Path(tempfile.mkdtemp(prefix=f"{prefix}_csv_", dir=self.folder)).name

    def options(self, database: str) -> Any:
        return LocalFilesOptions(folder=database, tenant=TENANT, **{"rest": 0, **self.given})  # type: ignore[arg-type]

    def drop_database(self, name: str) -> None:
        shutil.rmtree(self.folder / name, ignore_errors=True)

    def put(self, database: str, file: str, header: Sequence[str], rows: Sequence[Row]) -> None:
        """A whole file under another name, which then takes its place."""
        path = self.folder / database / file
        path.parent.mkdir(parents=True, exist_ok=True)
        made = path.with_name(f".{path.name}")
        with made.open("w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out)
            writer.writerow(header)
            writer.writerows(rows)
        made.replace(path)

    def remove(self, database: str, file: str) -> None:
        self.path(database, file).unlink()

    def path(self, database: str, file: str) -> Path:
        return self.folder / database / file


class SftpFolders(CsvFolders):
    """The same folders behind SFTP."""

    kind = "sftp"

    def __init__(self, files: FilesFolder, server: SftpServer) -> None:
        super().__init__(files)
        self.server = server

    def options(self, database: str) -> Any:
        server = self.server
        place = {"host": server.host, "port": server.port, "user": server.user, "key": server.key}
        folder = str(self.folder / database)
        return SftpOptions(**{"folder": folder, "hostkey": server.host_key, "rest": 0, **place, **self.given})  # type: ignore[arg-type]


class FtpFolders(CsvFolders):
    """The same folders behind FTP."""

    kind = "ftp"

    def __init__(self, files: FilesFolder, server: FtpServer) -> None:
        super().__init__(files)
        self.server = server

    def options(self, database: str) -> Any:
        server = self.server
        place = {"host": server.host, "port": server.port, "user": server.user, "password": server.password}
        names = {"names": server.names}
        secured = {"tls": "disable" if server.tls == "none" else "require", "implicit": server.tls == "implicit"}
        return FtpOptions(**{"folder": f"/{database}", "rest": 0, **place, **names, **secured, **self.given})  # type: ignore[arg-type]


class WebFolders(CsvFolders):
    """The same folders behind HTTP. `how`: see web_program."""

    kind = "webfiles"

    def __init__(self, files: FilesFolder, server: WebServer, how: str = "files") -> None:
        super().__init__(files)
        self.server, self.how = server, how

    def options(self, database: str) -> Any:
        url = f"{self.server.origin}/{self.how}/{database}/"
        return WebFilesOptions(**{"url": url, "rest": 0, "interval": 1, "tls": "require", **self.given})  # type: ignore[arg-type]


class S3Folders:
    """Folders of a bucket."""

    kind = "s3"
    schema = "files"
    """Of a source's tables."""

    def __init__(self, server: S3Server) -> None:
        self.server = server
        self.given: dict[str, object] = {}
        """Options of tests besides the place."""

    def fresh_database(self, prefix: str) -> str:
        return f"{prefix}/{uuid.uuid4().hex}"

    def options(self, database: str) -> Any:
        place = {"endpoint": self.server.endpoint, "bucket": self.server.bucket, "folder": database}
        reader = {"accesskey": READER, "secretkey": READER.lower()}
        return S3Options(**{"rest": 0, **place, **reader, **self.given})  # type: ignore[arg-type]

    def drop_database(self, name: str) -> None:
        """The folder's name is unique."""

    def put(self, database: str, file: str, header: Sequence[str], rows: Sequence[Row]) -> None:
        """A whole object."""
        out = io.StringIO(newline="")
        csv.writer(out).writerows((header, *rows))
        self.server.put(f"{database}/{file}", out.getvalue().encode())

    def remove(self, database: str, file: str) -> None:
        self.server.delete(f"{database}/{file}")
