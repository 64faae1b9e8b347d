"""Folders on the agent's host, within a tenant's folder for files."""

import os
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from zcbus.connectors.errors import AccessDenied, FolderMissing, SourceFull, SourceUnavailable
from zcbus.connectors.full_disk import says_full
from zcbus.connectors.stores.store import UNFINISHED, StoredFile
from zcbus.kit.file_folder import FileOutside, confined

MAX_FILES = 100_000
"""Files of one folder: listing more would take longer than a round."""
MAX_WRITTEN = 2_000_000
"""Of a folder that the platform writes."""


class LocalStore:
    """See WritableStore."""

    def __init__(self, tenant: str, folder: str, kind: str) -> None:
        """`kind`: for errors."""
        self._tenant, self._folder, self._kind = tenant, folder, kind

    def files(self) -> list[StoredFile]:
        root = self._root()
        found: list[StoredFile] = []
        try:
            for entry in _walk(root):
                found.append(_stored(entry, root))
                if len(found) > MAX_FILES:
                    raise self._unavailable(f"more than {MAX_FILES} files")
        except PermissionError as error:
            raise AccessDenied(kind=self._kind, address=self._folder, user="", detail=str(error)) from error
        except OSError as error:
            raise self._unavailable(str(error)) from error
        return sorted(found, key=lambda file: file.name.encode())

    def now(self) -> float:
        return time.time()

    def open(self, name: str) -> BinaryIO:
        path = confined(self._tenant, f"{self._folder}/{name}")
        # A link that replaced the file since the listing may lead anywhere.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
        return os.fdopen(descriptor, "rb")

    def put(self, name: str, data: bytes, *, only_new: bool = False) -> None:
        """See WritableStore."""
        with self._translated():
            path = self._path(name)
            _make(path.parent)
            unfinished = self._path(f"{UNFINISHED}/{uuid.uuid4().hex}")
            _make(unfinished.parent)
            try:
                _write(unfinished, data)
                if only_new:
                    os.link(unfinished, path)
                else:
                    unfinished.replace(path)
            finally:
                unfinished.unlink(missing_ok=True)
            _sync(path.parent)

    def get(self, name: str) -> bytes | None:
        """See WritableStore."""
        with self._translated():
            try:
                return self._path(name).read_bytes()
            except FileNotFoundError:
                return None

    def move(self, name: str, to: str) -> bool:
        """See WritableStore."""
        with self._translated():
            path = self._path(to)
            _make(path.parent)
            try:
                self._path(name).replace(path)
            except FileNotFoundError:
                return False
            _sync(path.parent)
            return True

    def delete(self, name: str) -> None:
        """See WritableStore. Folders that are empty then go as well."""
        with self._translated():
            path, root = self._path(name), self._path("")
            path.unlink(missing_ok=True)
            for folder in path.parents:
                if folder == root or not _removed(folder):
                    return

    def below(self, folder: str) -> list[StoredFile]:
        """See WritableStore."""
        with self._translated():
            root, top = self._path(""), self._path(folder)
            entries = _walk(top, hidden=True) if top.is_dir() else iter(())
            found = [_stored(entry, root) for entry in islice(entries, MAX_WRITTEN + 1)]
        if len(found) > MAX_WRITTEN:
            raise self._unavailable(f"more than {MAX_WRITTEN} files")
        return sorted(found, key=lambda file: file.name.encode())

    def identity(self) -> str:
        return str(self._root())

    def close(self) -> None:
        pass

    def _path(self, name: str) -> Path:
        return confined(self._tenant, f"{self._folder}/{name}" if name else self._folder)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except FileExistsError:
            raise
        except (FileOutside, PermissionError) as error:
            raise AccessDenied(kind=self._kind, address=self._folder, user="", detail=str(error)) from error
        except OSError as error:
            if says_full(error):
                raise SourceFull(kind=self._kind, address=self._folder, detail=str(error)) from error
            raise self._unavailable(str(error)) from error

    def _root(self) -> Path:
        try:
            root = confined(self._tenant, self._folder)
        except FileOutside as error:
            raise AccessDenied(kind=self._kind, address=self._folder, user="", detail=str(error)) from error
        if not root.is_dir():
            raise FolderMissing(kind=self._kind, address=self._folder, detail="no such folder")
        return root

    def _unavailable(self, detail: str) -> SourceUnavailable:
        return SourceUnavailable(kind=self._kind, address=self._folder, detail=detail)


def _stored(entry: os.DirEntry[str], root: Path) -> StoredFile:
    about = entry.stat(follow_symlinks=False)
    name = Path(entry.path).relative_to(root).as_posix()
    version = f"{about.st_size}-{about.st_mtime_ns}-{about.st_ctime_ns}-{about.st_ino}"
    return StoredFile(name, about.st_size, version, max(about.st_mtime, about.st_ctime))


def _write(path: Path, data: bytes) -> None:
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _make(folder: Path) -> None:
    """Create a folder with those above it, durably."""
    if not folder.is_dir():
        _make(folder.parent)
        folder.mkdir(exist_ok=True)
        _sync(folder.parent)


def _sync(folder: Path) -> None:
    """Make names in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _removed(folder: Path) -> bool:
    try:
        folder.rmdir()
    except OSError:
        return False
    return True


def _walk(folder: Path, *, hidden: bool = False) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(".") and not hidden:
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from _walk(Path(entry.path), hidden=hidden)
            elif entry.is_file(follow_symlinks=False):
                yield entry
