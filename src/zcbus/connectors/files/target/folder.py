"""The folder of a target: its files, with the errors of a target."""

from collections.abc import Iterator
from contextlib import contextmanager

from zcbus.connectors.errors import DatabaseFailed, SourceFull, SourceUnavailable, TargetFull, TargetUnavailable
from zcbus.connectors.options import KindOptions
from zcbus.connectors.stores import OpenWritableStore, StoredFile, WritableStore

OWN = ".zcbus"
"""Folder of what is not for readers: the state, and files that are not decided yet."""
_PROBE = f"{OWN}/probe"


class WrittenFolder:
    """See WritableStore. Errors: TargetUnavailable, AccessDenied, DatabaseFailed."""

    def __init__(self, options: KindOptions, open_store: OpenWritableStore) -> None:
        self._options, self._open = options, open_store
        self._opened: WritableStore | None = None

    @property
    def identity(self) -> str:
        with self._translated() as store:
            return f"{self._options.kind}:{store.identity()}"

    def put(self, name: str, data: bytes, *, only_new: bool = False) -> None:
        with self._translated() as store:
            store.put(name, data, only_new=only_new)

    def get(self, name: str) -> bytes | None:
        with self._translated() as store:
            return store.get(name)

    def move(self, name: str, to: str) -> bool:
        with self._translated() as store:
            return store.move(name, to)

    def delete(self, name: str) -> None:
        with self._translated() as store:
            store.delete(name)

    def below(self, folder: str) -> list[StoredFile]:
        with self._translated() as store:
            return store.below(folder)

    def now(self) -> float:
        with self._translated() as store:
            return store.now()

    def require_exclusive(self) -> None:
        """Raise DatabaseFailed unless the store refuses to create a file that is there: by that alone, two writers
        exclude each other."""
        self.delete(_PROBE)
        self.put(_PROBE, b"1", only_new=True)
        try:
            self.put(_PROBE, b"2", only_new=True)
        except FileExistsError:
            return
        finally:
            self.delete(_PROBE)
        detail = "the store replaces a file that was to be created only if it is new"
        raise DatabaseFailed(kind=self._options.kind, detail=detail)

    def unavailable(self, detail: str) -> TargetUnavailable:
        return TargetUnavailable(kind=self._options.kind, address=self._options.address, detail=detail)

    def close(self) -> None:
        """Idempotent."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    @contextmanager
    def _translated(self) -> Iterator[WritableStore]:
        if self._opened is None:
            self._opened = self._open()
        try:
            yield self._opened
        except SourceUnavailable as error:
            raise (TargetFull if isinstance(error, SourceFull) else TargetUnavailable)(**error.facts) from error
