"""A folder of HDFS as a store."""

import io
import uuid
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO, TypeVar, cast

from zcbus.connectors.errors import AccessDenied, FolderMissing, SourceFull, SourceUnavailable
from zcbus.connectors.stores.hdfs.client import HdfsAccess, HdfsClient, HdfsRefusal
from zcbus.connectors.stores.local import MAX_FILES, MAX_WRITTEN
from zcbus.connectors.stores.ranged import RangedFile
from zcbus.connectors.stores.store import UNFINISHED, StoredFile
from zcbus.kit.errors import ZcbusError

T = TypeVar("T")
_READ_BYTES = 4 << 20
_MAX_WHOLE = 1 << 30
"""Bytes of a file that is read at once."""
_MISSING = "FileNotFoundException"
_TAKEN = "FileAlreadyExistsException"
_DENIED = frozenset({"AccessControlException", "SecurityException", "AuthorizationException", "InvalidToken"})
_FULL = frozenset({"DSQuotaExceededException", "NSQuotaExceededException", "QuotaExceededException"})
_NO_NODE = "could only be written to 0 of the"
"""What the NameNode says where no DataNode has room."""


class HdfsStore:
    """See WritableStore. A file is written under a hidden name, then gets its own by one operation of the NameNode,
    which is atomic: it replaces the earlier file, or is refused where there is one."""

    def __init__(self, access: HdfsAccess, folder: str, seconds: float = 60.0) -> None:
        """`folder`: a path from the root. `seconds`: how long a server may say nothing."""
        self._access, self._client = access, HdfsClient(access, seconds)
        self._folder = f"/{folder.strip('/')}".rstrip("/")

    def files(self) -> list[StoredFile]:
        try:
            found = self._tried(lambda: self._list("", hidden=False))
        except FileNotFoundError as error:
            raise FolderMissing(**self._where, detail=f"{self._folder or '/'}: no such folder") from error
        return sorted(found, key=lambda file: file.name.encode())

    def now(self) -> float:
        # Answers have the time in whole seconds.
        return self._client.now - 1

    def open(self, name: str) -> BinaryIO:
        path = self._path(name)
        return cast("BinaryIO", io.BufferedReader(_RemoteFile(self, path, self.status(path)), _READ_BYTES))

    def put(self, name: str, data: bytes, *, only_new: bool = False) -> None:
        """See WritableStore."""
        unfinished = self._path(f"{UNFINISHED}/{uuid.uuid4().hex}")
        try:
            self._tried(lambda: self._client.create(unfinished, data))
            try:
                self._rename(unfinished, self._path(name), "NONE" if only_new else "OVERWRITE")
            except FileNotFoundError as error:  # only its folder can be missing, which another has just removed
                raise SourceUnavailable(**self._where, detail=str(error)) from error
        except BaseException:
            with suppress(ZcbusError, FileNotFoundError):
                self._tried(lambda: self._client.ask("DELETE", unfinished, "DELETE"))
            raise

    def get(self, name: str) -> bytes | None:
        """See WritableStore."""
        path = self._path(name)
        while True:
            try:
                known = self.status(path)
            except FileNotFoundError:
                return None
            if known["length"] > _MAX_WHOLE:
                raise SourceUnavailable(**self._where, detail=f"{name}: larger than {_MAX_WHOLE >> 30} GiB")
            try:
                return self.read(path, 0, known["length"], known) if known["length"] else b""
            except FileNotFoundError:
                continue  # replaced meanwhile, perhaps by a longer file

    def move(self, name: str, to: str) -> bool:
        """See WritableStore."""
        try:
            self.status(self._path(name))
            self._rename(self._path(name), self._path(to), "OVERWRITE")
        except FileNotFoundError:
            return False
        return True

    def delete(self, name: str) -> None:
        """See WritableStore. Folders that are empty then go as well."""
        path = self._path(name)
        with suppress(FileNotFoundError):
            self._tried(lambda: self._client.ask("DELETE", path, "DELETE"))
        folder = path.rpartition("/")[0]
        while len(folder) > len(self._folder):
            if not self._removed(folder):
                return
            folder = folder.rpartition("/")[0]

    def below(self, folder: str) -> list[StoredFile]:
        """See WritableStore."""
        try:
            found = self._tried(lambda: self._list(f"{folder}/" if folder else "", hidden=True))
        except FileNotFoundError:
            return []
        return sorted(found, key=lambda file: file.name.encode())

    def identity(self) -> str:
        return f"hdfs://{self._access.address}{self._folder}"

    def close(self) -> None:
        self._client.close()

    def status(self, path: str) -> dict[str, Any]:
        """What the NameNode knows of a file. Raises FileNotFoundError."""
        found: dict[str, Any] = self._tried(lambda: self._client.ask("GET", path, "GETFILESTATUS"))["FileStatus"]
        if found["type"] != "FILE":
            raise FileNotFoundError(path)
        return found

    def read(self, path: str, offset: int, size: int, known: dict[str, Any]) -> bytes:
        """Bytes of the file that was opened. Raises FileNotFoundError where another one has its name."""
        found = self._tried(lambda: self._client.read(path, offset, size))
        if _version(self.status(path)) != _version(known):
            raise FileNotFoundError(path)
        return found

    def _rename(self, path: str, to: str, options: str) -> None:
        """Raises FileNotFoundError for a missing file or folder, FileExistsError."""
        folder = to.rpartition("/")[0]
        self._tried(lambda: self._client.ask("PUT", folder, "MKDIRS"))
        self._tried(lambda: self._client.ask("PUT", path, "RENAME", destination=to, renameoptions=options))

    def _removed(self, folder: str) -> bool:
        """Whether an empty folder was removed."""
        try:
            return bool(self._client.ask("DELETE", folder, "DELETE")["boolean"])
        except (HdfsRefusal, OSError):
            return False

    def _list(self, begin: str, *, hidden: bool) -> list[StoredFile]:
        most = MAX_WRITTEN if hidden else MAX_FILES
        found: list[StoredFile] = []
        folders = [begin]
        while folders:
            folder = folders.pop()
            path = self._path(folder.rstrip("/")) if folder else self._folder or "/"
            for entry in self._client.ask("GET", path, "LISTSTATUS")["FileStatuses"]["FileStatus"]:
                name = entry["pathSuffix"]
                if not name or (name.startswith(".") and not hidden):
                    continue
                if entry["type"] == "DIRECTORY":
                    folders.append(f"{folder}{name}/")
                elif entry["type"] == "FILE":
                    changed = entry["modificationTime"] / 1000
                    found.append(StoredFile(f"{folder}{name}", entry["length"], _version(entry), changed))
                if len(found) > most:
                    raise SourceUnavailable(**self._where, detail=f"more than {most} files")
        return found

    def _path(self, name: str) -> str:
        return f"{self._folder}/{name}"

    @property
    def _where(self) -> dict[str, str]:
        return {"kind": self._access.kind, "address": self._access.address}

    def _tried(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except HdfsRefusal as refusal:
            if refusal.name == _MISSING:
                raise FileNotFoundError(str(refusal)) from refusal
            if refusal.name == _TAKEN:
                raise FileExistsError(str(refusal)) from refusal
            raise translated(self._access, refusal) from refusal
        except OSError as error:
            raise SourceUnavailable(**self._where, detail=str(error)) from error


class _RemoteFile(RangedFile):
    """A file as it was opened: once it was replaced, it is not found any more."""

    def __init__(self, store: HdfsStore, path: str, known: dict[str, Any]) -> None:
        super().__init__(int(known["length"]))
        self._store, self._path, self._known = store, path, known

    def part(self, at: int, most: int) -> bytes:
        return self._store.read(self._path, at, most, self._known)


def translated(access: HdfsAccess, refusal: HdfsRefusal) -> ZcbusError:
    """The connector's error for a server's."""
    where = {"kind": access.kind, "address": access.address}
    if refusal.name in _FULL or _NO_NODE in str(refusal):
        return SourceFull(**where, detail=str(refusal))
    if refusal.name in _DENIED or refusal.status == 401:
        return AccessDenied(**where, user=access.user, detail=str(refusal))
    return SourceUnavailable(**where, detail=str(refusal))


def _version(status: dict[str, Any]) -> str:
    return f"{status['fileId']}-{status['length']}-{status['modificationTime']}"
