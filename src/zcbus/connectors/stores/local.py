"""Folders on the agent's host, within a tenant's folder for files."""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from zcbus.connectors.errors import AccessDenied, SourceUnavailable
from zcbus.connectors.stores.store import StoredFile
from zcbus.kit.file_folder import FileOutside, confined

MAX_FILES = 100_000
"""Files of one folder: listing more would take longer than a round."""


class LocalStore:
    """See Store."""

    def __init__(self, tenant: str, folder: str, kind: str) -> None:
        """`kind`: for errors."""
        self._tenant, self._folder, self._kind = tenant, folder, kind

    def files(self) -> list[StoredFile]:
        root = self._root()
        found: list[StoredFile] = []
        try:
            for entry in _walk(root):
                about = entry.stat(follow_symlinks=False)
                name = Path(entry.path).relative_to(root).as_posix()
                version = f"{about.st_size}-{about.st_mtime_ns}-{about.st_ctime_ns}-{about.st_ino}"
                found.append(StoredFile(name, about.st_size, version, max(about.st_mtime, about.st_ctime)))
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

    def identity(self) -> str:
        return str(self._root())

    def close(self) -> None:
        pass

    def _root(self) -> Path:
        try:
            root = confined(self._tenant, self._folder)
        except FileOutside as error:
            raise AccessDenied(kind=self._kind, address=self._folder, user="", detail=str(error)) from error
        if not root.is_dir():
            raise self._unavailable("no such folder")
        return root

    def _unavailable(self, detail: str) -> SourceUnavailable:
        return SourceUnavailable(kind=self._kind, address=self._folder, detail=detail)


def _walk(folder: Path) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from _walk(Path(entry.path))
            elif entry.is_file(follow_symlinks=False):
                yield entry
