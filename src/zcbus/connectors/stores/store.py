"""The role of a store."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO, Protocol

UNFINISHED = ".zcbus/unfinished"
"""Where stores that rename write files first; what a kill leaves there is tidied away by who writes the folder."""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file in a listing."""

    name: str
    """Path below the store's folder, separated by `/`."""
    size: int
    """Bytes."""
    version: str
    """Another one whenever the file was written, also where its size stays."""
    changed_at: float
    """Seconds since 1970-01-01 UTC by the store's clock."""


class Store(Protocol):
    """One folder of files. Raises SourceUnavailable, AccessDenied."""

    def files(self) -> list[StoredFile]:
        """All files of the folder and the folders in it, by name in the order of its bytes. Names that begin with a
        dot, and links, are left out."""

    def now(self) -> float:
        """The store's clock, as `StoredFile.changed_at`."""

    def open(self, name: str) -> BinaryIO:
        """A file's bytes from its start, with `seek`. Opening and reading raise FileNotFoundError if the file was
        removed or replaced."""

    def identity(self) -> str:
        """Identifies this folder."""

    def close(self) -> None:
        """Close the store. Idempotent."""


class WritableStore(Store, Protocol):
    """A folder that can be written. A file appears whole or not at all, and is durable once a call returns."""

    def put(self, name: str, data: bytes, *, only_new: bool = False) -> None:
        """Write a file, with the folders above it. It replaces an earlier one; `only_new`: raises FileExistsError
        instead, and of several that write at once one succeeds. If SourceUnavailable is raised, it may be written."""

    def get(self, name: str) -> bytes | None:
        """A file's bytes; None: it is not there."""

    def move(self, name: str, to: str) -> bool:
        """Give a file another name, replacing a file of that name. False: there is none. A kill may leave both."""

    def delete(self, name: str) -> None:
        """Idempotent."""

    def below(self, folder: str) -> list[StoredFile]:
        """All files of a folder and the folders in it, by name, also hidden ones; none where it is missing."""


OpenStore = Callable[[], Store]
OpenWritableStore = Callable[[], WritableStore]
