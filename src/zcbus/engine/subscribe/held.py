"""The rows of a table that the target lacks or has in an older state, because it refused a change of them."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from zcbus.engine.subscribe.images import Image
from zcbus.model.row_errors import RowError, RowOperation

Key = tuple[str | None, ...]


def key_tuple(image: Image, names: Iterable[str]) -> Key:
    """A row's key as something that can be looked up."""
    return tuple(image.get(name) for name in names)


@dataclass
class HeldRows:
    """Open row errors of one table by the keys they concern: where the row is in the target, and where it should be.

    Changes count once `commit` was called; `rollback` forgets those since the last commit.
    """

    names: tuple[str, ...] = ()
    """The key's columns in the source."""
    _stored: dict[str, RowError] = field(default_factory=dict)
    _open: dict[str, RowError] | None = None
    _keys: dict[Key, str] = field(default_factory=dict)

    @classmethod
    def of(cls, errors: Iterable[RowError], names: tuple[str, ...]) -> "HeldRows":
        """From what the target keeps; changes of structure and changes in front of which the table stands are left
        out."""
        kept = {e.id: e for e in errors if e.is_open and not e.blocking and e.operation is not RowOperation.DDL}
        held = cls(names, kept)
        held._index()
        return held

    def by(self, names: tuple[str, ...]) -> "HeldRows":
        """These rows, found by the columns of that key."""
        if names != self.names:
            self.names = names
            self._index()
        return self

    @property
    def errors(self) -> dict[str, RowError]:
        return self._stored if self._open is None else self._open

    def __len__(self) -> int:
        return len(self.errors)

    def find(self, key: Key) -> RowError | None:
        """The error that concerns the row of that key."""
        identifier = self._keys.get(key)
        return None if identifier is None else self.errors[identifier]

    def keys(self) -> set[Key]:
        return set(self._keys)

    def put(self, error: RowError) -> None:
        """Hold a row, or hold it in another state."""
        self._changing()[error.id] = error
        self._index()

    def drop(self, error: RowError) -> None:
        """The row is held no more."""
        self._changing().pop(error.id, None)
        self._index()

    def commit(self) -> None:
        """What happened since the last commit is durable."""
        if self._open is not None:
            self._stored, self._open = self._open, None

    def rollback(self) -> None:
        """Nothing of it happened."""
        if self._open is not None:
            self._open = None
            self._index()

    def _changing(self) -> dict[str, RowError]:
        if self._open is None:
            self._open = dict(self._stored)
        return self._open

    def _index(self) -> None:
        self._keys = {}
        for identifier, error in self.errors.items():
            for image in (error.before, error.after):
                if image:
                    self._keys[key_tuple(image, self.names)] = identifier
