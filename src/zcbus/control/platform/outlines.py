"""A service's task before its tables are made: which of thousands changed is found out from the rows of the store, much
quicker than from what is made of them."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from zcbus.protocol.tasks import PublishedTable, SubscribedTable, Task

_MARK_BYTES = 16


@dataclass(frozen=True, slots=True)
class Outline:
    """A task without its tables, and what each of them is made from, by id. Tasks without tables are complete."""

    task: Task
    lines: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    """All that a table depends on, and nothing else."""
    make: Callable[..., PublishedTable | SubscribedTable] | None = None
    """Makes a table from what stands in its line."""

    def marks(self) -> dict[str, bytes]:
        """A mark of each table, which changes with it."""
        return {table: mark(repr(line).encode()) for table, line in self.lines.items()}

    def filled(self, task: Task, tables: Collection[str]) -> Task:
        """A task that was made from the outline's, with these tables."""
        if self.make is None:
            return task
        return task.model_copy(update={"tables": tuple(self.make(*self.lines[table]) for table in tables)})


def mark(content: bytes) -> bytes:
    """Differs where the content does."""
    return blake2b(content, digest_size=_MARK_BYTES).digest()
