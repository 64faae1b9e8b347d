"""The part of a TargetSession that stores positions and row errors, and commits; see writing.session."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from zcbus.connectors.errors import Fenced
from zcbus.connectors.roles import Checkpoint
from zcbus.connectors.roles.writer import StateWriter, Transaction
from zcbus.connectors.row_errors import RowErrorStore
from zcbus.connectors.writing.journal import Journal
from zcbus.connectors.writing.row_errors import JournaledRowErrors


class StoreSession:
    """See roles.TransactionalSink and roles.RowErrorSink."""

    def __init__(self, writer: StateWriter) -> None:
        self._writer = writer
        self._journal = Journal()

    def forget_tables(self) -> None:
        """See roles.Sink."""

    @property
    def identity(self) -> str:
        return self._writer.identity

    @property
    def row_errors(self) -> RowErrorStore:
        return JournaledRowErrors(self._writer, self._journal)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        mark = self._journal.mark()
        try:
            yield
        except BaseException:
            self._journal.return_to(mark)
            raise

    def prepare_store(self) -> None:
        self._writer.prepare_store()

    def checkpoints(self, subscription: str) -> list[Checkpoint]:
        stored = {one.name: one for one in self._writer.checkpoints(subscription)}
        stored |= {one.name: one for one in self._journal.checkpoints if one.subscription == subscription}
        return list(stored.values())

    def lock_checkpoints(self, subscription: str) -> list[Checkpoint]:
        self._writer.hold(subscription)
        return self.checkpoints(subscription)

    def write_checkpoints(self, checkpoints: Sequence[Checkpoint]) -> None:
        written = self._journal.checkpoints
        for checkpoint in checkpoints:
            earlier = [one for one in written if _name(one) == _name(checkpoint)]
            if earlier and earlier[-1].version != checkpoint.version - 1:
                raise Fenced(checkpoint=f"{checkpoint.subscription}/{checkpoint.name}")
            written.append(checkpoint)
        self._writer.fence(first_versions(written))

    def delete_checkpoints(self, subscription: str, name: str | None = None) -> None:
        self._writer.forget(subscription, name)

    def commit(self, durable: bool = True) -> None:
        if self._journal.is_empty:
            self._writer.release()
            return
        try:
            journal = self._journal
            self._writer.write(Transaction(journal, tuple(journal.checkpoints), tuple(journal.row_errors)))
        finally:
            self._journal.clear()

    def rollback(self) -> None:
        self._journal.clear()
        self.forget_tables()
        self._writer.release()

    def __exit__(self, *details: object) -> None:
        self._journal.clear()
        self._writer.close()


def first_versions(checkpoints: Sequence[Checkpoint]) -> list[Checkpoint]:
    """The first write of each checkpoint that a transaction writes, possibly more than once."""
    found: dict[tuple[str, str], Checkpoint] = {}
    for one in checkpoints:
        found.setdefault(_name(one), one)
    return list(found.values())


def _name(checkpoint: Checkpoint) -> tuple[str, str]:
    return checkpoint.subscription, checkpoint.name
