"""The two sides of a run, as each kind describes itself."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar

from tests.integration.engine.matrix.rows import Row, Rows
from tests.integration.engine.running import Link

TABLE = "orders"
Read = Callable[[], Iterable[Mapping[str, Any]]]
"""The rows that a target holds now, by names of columns; read without the connector."""


class Run(Link):
    """A link between servers of any kinds, with what each of them has for tests."""

    source: Any
    target: Any
    key: tuple[str, ...] = ()
    """Of the table, as its source has it."""

    @property
    def node(self) -> str:
        """Some databases are paths, which no node is named like."""
        return self.source_database.lstrip("/")


class Origin(ABC):
    """One kind as a source. Its table has the columns COLUMNS, and others of its own."""

    kind: ClassVar[str]
    server: ClassVar[str]
    """The fixture of its server."""
    key: ClassVar[tuple[str, ...]] = ("id",)
    """Of its table."""
    keeps: ClassVar[bool] = True
    """Whether rows that are there before the service starts are loaded; else they come when it runs."""
    updates: ClassVar[bool] = True
    """Whether a changed row is seen as such; else what comes is appended."""
    deletes: ClassVar[bool] = False
    """Whether a deleted row is seen."""

    def given(self, options: Callable[..., Any]) -> Callable[..., Any]:
        """Instead of the server's `options`."""
        return options

    @abstractmethod
    def make(self, run: Run) -> None:
        """The empty table, and its entry in `run.tables`."""

    @abstractmethod
    def insert(self, run: Run, rows: Rows) -> None:
        """New rows."""

    def update(self, run: Run, rows: Rows) -> None:
        """Give ten rows that are there other values."""
        raise NotImplementedError

    def delete(self, run: Run, rows: Rows) -> None:
        """Delete ten rows that are there."""
        raise NotImplementedError


class Destination(ABC):
    """One kind as a target."""

    kind: ClassVar[str]
    server: ClassVar[str]

    @contextmanager
    def reading(self, run: Run) -> Iterator[Read]:
        """From before the service starts: what must be there for it, and how its rows are read."""
        yield lambda: self.rows(run)

    @abstractmethod
    def rows(self, run: Run) -> Iterable[Mapping[str, Any]]:
        """See Read."""


def listed(rows: Rows) -> list[Row]:
    """In the order of ids."""
    return [rows[number] for number in sorted(rows)]
