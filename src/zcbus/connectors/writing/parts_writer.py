"""A decided transaction whose parts are stored until they are carried out; for servers of which one row or document is
written at once."""

from abc import abstractmethod
from typing import Protocol, TypeVar

from zcbus.connectors.errors import DatabaseFailed
from zcbus.connectors.writing.decided import DecidedWriter, State, StateStore

Part = TypeVar("Part")
_Part = TypeVar("_Part", contravariant=True)


class PartStore(StateStore[_Part], Protocol[_Part]):
    """A store that deletes the parts of a transaction once it is carried out."""

    done: int
    """Number of the last transaction that was found carried out."""


class PartsWriter(DecidedWriter[Part]):
    """See DecidedWriter. A kind says how parts are carried out; each may be again, by another session too."""

    def __init__(self, store: PartStore[Part], place: str, lock_wait: int, server: dict[str, str]) -> None:
        super().__init__(store, place, lock_wait, server)
        self._parts = store

    @abstractmethod
    def carry_out(self, state: State) -> bool:
        """Carry out all parts of the last transaction and note that. False: one is gone."""

    def finish(self, state: State) -> bool:
        return self._parts.done >= state.number or self.carry_out(state) or self._was_finished(state)

    def _was_finished(self, state: State) -> bool:
        """A part is gone: another session has carried the transaction out. False, so that the state is read again."""
        if self._parts.read().number == state.number and self._parts.done < state.number:
            raise DatabaseFailed(**self._server, detail=f"parts of transaction {state.number} are missing")
        return False
