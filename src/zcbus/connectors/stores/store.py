"""The role of a store."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO, Protocol


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


OpenStore = Callable[[], Store]
