"""A folder of an FTP server as a store."""

import ftplib
import io
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import BinaryIO, TypeVar, cast

from zcbus.connectors.errors import SourceUnavailable
from zcbus.connectors.stores.ftp.connection import FtpAccess, FtpConnection
from zcbus.connectors.stores.ftp.entries import Entry, NotAnEntry, seconds_of
from zcbus.connectors.stores.ftp.listing import Listing
from zcbus.connectors.stores.ranged import RangedFile
from zcbus.connectors.stores.store import StoredFile

T = TypeVar("T")
_READ_BYTES = 1 << 20
_ABORT_SECONDS = 5.0


@dataclass(slots=True)
class _Transfer:
    """A file on its way."""

    file: "_RemoteFile"
    data: socket.socket
    at: int


class FtpStore:
    """See Store. Keeps one connection, and makes another after a loss. One file is on its way at a time; another one
    that is read meanwhile is asked for from where it is."""

    def __init__(self, access: FtpAccess, folder: str, *, growing: bool = False, seconds: float = 60.0) -> None:
        """`growing`: files may have grown since they were listed. `seconds`: how long the server may say nothing."""
        self._access, self._folder, self._growing, self._seconds = access, folder, growing, seconds
        self._listing = Listing(access)
        self._connection: FtpConnection | None = None
        self._root = ""
        self._transfer: _Transfer | None = None
        self._files: dict[str, StoredFile] = {}
        self._has_listed = False

    def files(self) -> list[StoredFile]:
        found = self._run(lambda connection: self._listing.files(connection, self._root))
        now = time.time()
        files = {name: self._stored(name, entry, now) for name, entry in found.items()}
        self._files, self._has_listed = files, True
        return sorted(files.values(), key=lambda file: file.name.encode())

    def now(self) -> float:
        # Times have whole seconds: within the same second a file may be written again.
        return time.time() - 1

    def open(self, name: str) -> BinaryIO:
        """See Store. Files that the last list lacks, or had with another size or time, are not found."""
        if name not in self._files:
            raise FileNotFoundError(name)
        return cast("BinaryIO", io.BufferedReader(_RemoteFile(self, self._files[name]), _READ_BYTES))

    def identity(self) -> str:
        return f"{self._access.user}@{self._access.address}/{self._folder}"

    def close(self) -> None:
        self._drop()

    def read(self, file: "_RemoteFile", at: int, most: int) -> bytes:
        """Bytes of an open file from an offset that is before its end; at least one."""
        return self._run(lambda connection: self._part(connection, file, at, most))

    def release(self, file: "_RemoteFile") -> None:
        """The file is not read on; never raises."""
        if self._transfer is not None and self._transfer.file is file:
            self._end()

    def _stored(self, name: str, entry: Entry, now: float) -> StoredFile:
        """Clocks and zones of servers are not to be relied on: a change that came between two lists came now, and none
        comes in the future."""
        version, known = _version(entry), self._files.get(name)
        if known is not None and known.version == version:
            changed = known.changed_at
        else:
            changed = now if self._has_listed else min(now, _seconds(entry))
        assert entry.size is not None
        return StoredFile(name, entry.size, version, changed)

    def _run(self, work: Callable[[FtpConnection], T]) -> T:
        """Work on a connection. Servers end those that were idle: then it is done again on a new one."""
        is_kept = self._connection is not None
        try:
            return self._attempt(work)
        except SourceUnavailable:
            if not is_kept:
                raise
        return self._attempt(work)

    def _attempt(self, work: Callable[[FtpConnection], T]) -> T:
        try:
            return work(self._connected())
        except FileNotFoundError:
            raise
        except SourceUnavailable:
            self._drop()
            raise
        except (ftplib.Error, OSError, EOFError, ValueError) as error:
            self._drop()
            raise self._access.error_of(error) from error

    def _connected(self) -> FtpConnection:
        if self._connection is None:
            connection = FtpConnection(self._access, self._seconds)
            try:
                connection.dialled()
                connection.secured()
                connection.signed_in()
                self._root = self._entered(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _entered(self, connection: FtpConnection) -> str:
        """The folder's whole path, without a slash at the end."""
        try:
            connection.cwd(self._folder)
        except ftplib.error_perm as error:
            raise self._access.unavailable(f"{self._folder}: {error}") from error
        return (connection.pwd() or self._folder).rstrip("/")

    def _part(self, connection: FtpConnection, file: "_RemoteFile", at: int, most: int) -> bytes:
        transfer = self._transfer
        if transfer is None or transfer.file is not file or transfer.at != at:
            self._end()
            transfer = self._transfer = self._begin(self._connected(), file, at)
        part = transfer.data.recv(most)
        if not part:
            # If the server calls it complete, it is shorter than it was; else the connection was lost.
            self._transfer = None
            transfer.data.close()
            connection.voidresp()
            raise FileNotFoundError(file.stored.name)
        transfer.at += len(part)
        if transfer.at >= file.stored.size:
            self._end()
        return part

    def _begin(self, connection: FtpConnection, file: "_RemoteFile", at: int) -> _Transfer:
        path = f"{self._root}/{file.stored.name}"
        try:
            now = connection.about(path)
            if not self._is_same(file.stored, now):
                raise self._other_version(connection, file.stored, now)
            return _Transfer(file, connection.data(f"RETR {path}", at), at)
        except (ftplib.error_perm, NotAnEntry) as error:
            # Servers have one code for files that are gone and for those that may not be read.
            listed = self._listed(connection, file.stored.name)
            if listed is not None and listed.size in (None, file.stored.size):
                raise self._access.denied(f"{file.stored.name}: {error}") from error
            raise FileNotFoundError(file.stored.name) from error

    def _is_same(self, known: StoredFile, entry: Entry) -> bool:
        if self._growing:
            return entry.size is not None and entry.size >= known.size
        return _version(entry) == known.version

    def _other_version(self, connection: FtpConnection, known: StoredFile, now: Entry) -> Exception:
        """A file changed since it was listed; where the list says the opposite it would never be read."""
        self._listing.forget(known.name)
        listed = self._listed(connection, known.name)
        if listed is None or listed.size != known.size:
            return FileNotFoundError(known.name)
        if now.size != known.size or (listed.moment and _version(listed) == known.version):
            return self._access.unavailable(f"{known.name}: its facts are others than in the list")
        return FileNotFoundError(known.name)

    def _listed(self, connection: FtpConnection, name: str) -> Entry | None:
        """A file in a new list of its folder."""
        folder, slash, last = name.rpartition("/")
        entries = self._listing.of_folder(connection, self._root, f"{folder}{slash}")
        return next((entry for entry in entries if entry.name == last), None)

    def _end(self) -> None:
        """End a transfer, complete or not; the connection only stays if the server says what became of it."""
        transfer, self._transfer = self._transfer, None
        connection = self._connection
        if transfer is None or connection is None:
            return
        transfer.data.close()
        try:
            connection.sock.settimeout(_ABORT_SECONDS)
            connection.getmultiline()
            connection.sock.settimeout(self._seconds)
        except (ftplib.Error, OSError, EOFError, ValueError):
            self._drop()

    def _drop(self) -> None:
        transfer, self._transfer = self._transfer, None
        if transfer is not None:
            transfer.data.close()
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(OSError):
                connection.close()


class _RemoteFile(RangedFile):
    """A file of the last list, up to the size that it had there."""

    def __init__(self, store: FtpStore, stored: StoredFile) -> None:
        super().__init__(stored.size)
        self._store, self.stored = store, stored

    def part(self, at: int, most: int) -> bytes:
        return self._store.read(self, at, most)

    def close(self) -> None:
        if not self.closed:
            self._store.release(self)
        super().close()


def _version(entry: Entry) -> str:
    # The fact `unique` holds for one connection only.
    return f"{entry.size}-{entry.moment}"


def _seconds(entry: Entry) -> float:
    try:
        return seconds_of(entry.moment)
    except ValueError:
        return time.time()
