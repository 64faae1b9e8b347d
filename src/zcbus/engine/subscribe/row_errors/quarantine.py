"""The rows of a table that the target lacks or has in an older state, because it refused a change of them."""

from collections.abc import Iterable, KeysView
from dataclasses import dataclass, field

from zcbus.engine.subscribe.row_errors.images import Image
from zcbus.model.row_errors import RowError, RowOperation

Key = tuple[str | None, ...]


def key_tuple(image: Image, names: Iterable[str]) -> Key:
    """A row's key as something that can be looked up."""
    return tuple(image.get(name) for name in names)


@dataclass
class QuarantinedRows:
    """Open row errors of one table by the keys they concern: where the row is in the target, and where it should be.

    Changes count once `commit` was called; `rollback` forgets those since the last commit.
    """

    names: tuple[str, ...] = ()
    """The key's columns in the source."""
    _stored: dict[str, RowError] = field(default_factory=dict)
    _open: dict[str, RowError] | None = None
    _ids: dict[Key, list[str]] = field(default_factory=dict)
    """Whom a key concerns, in their order. One more or less of many rows must not cost what all of them cost."""

    @classmethod
    def of(cls, errors: Iterable[RowError], names: tuple[str, ...]) -> "QuarantinedRows":
        """From what the target keeps; changes of structure and changes in front of which the table stands are left
        out."""
        kept = {e.id: e for e in errors if e.is_open and not e.blocking and e.operation is not RowOperation.DDL}
        held = cls(names, kept)
        held._index()
        return held

    def by(self, names: tuple[str, ...]) -> "QuarantinedRows":
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
        found = self._ids.get(key)
        return self.errors[found[-1]] if found else None

    def keys(self) -> KeysView[Key]:
        return self._ids.keys()

    def put(self, error: RowError) -> None:
        """Hold a row, or hold it in another state."""
        held = self._changing()
        is_known = error.id in held
        held[error.id] = error
        if is_known:
            self._index()
        else:
            self._note(error)

    def drop(self, error: RowError) -> None:
        """The row is held no more."""
        known = self._changing().pop(error.id, None)
        for key in self._keys_of(known) if known is not None else ():
            self._ids[key].remove(error.id)
            if not self._ids[key]:
                del self._ids[key]

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
        self._ids = {}
        for error in self.errors.values():
            self._note(error)

    def _note(self, error: RowError) -> None:
        for key in self._keys_of(error):
            self._ids.setdefault(key, []).append(error.id)

    def _keys_of(self, error: RowError) -> list[Key]:
        return [key_tuple(image, self.names) for image in (error.before, error.after) if image]
