"""A look at the first rows of a table whose connection says how it is read, before anything is set up."""

from dataclasses import dataclass
from typing import Any, Protocol

LONGEST_VALUE = 200
"""Characters of a value that is shown; longer ones end with `…`."""


@dataclass(frozen=True, slots=True)
class PreviewColumn:
    """A column of a preview."""

    name: str
    type: str
    """As connections declare it."""
    key: bool = False
    place: str = ""
    """Where a record has the value."""


@dataclass(frozen=True, slots=True)
class PreviewFault:
    """The document says something that the answer is not."""

    line: int
    """Of the document, from 1."""
    place: str
    """Which value of the document: `resources.0.columns.id`."""
    detail: str
    """What was found, in no language."""
    record: int = 0
    """The first record that it is about, from 1; 0: the answer as such."""


@dataclass(frozen=True, slots=True)
class Preview:
    """The first rows of a table."""

    tables: tuple[str, ...]
    """All that there are, in the order of the document."""
    table: str
    columns: tuple[PreviewColumn, ...] = ()
    rows: tuple[tuple[str | None, ...], ...] = ()
    """Canonical texts; of a column with a fault, and of those that are not declared, as the answer has them."""
    undeclared: tuple[PreviewColumn, ...] = ()
    """What the records have besides, with types as their values look."""
    faults: tuple[PreviewFault, ...] = ()


class Previewer(Protocol):
    """Looks at tables."""

    def preview(self, options: Any, table: str, rows: int) -> Preview:
        """At most `rows` rows of a table (empty: of the first one), of the first answer that has some; changes nothing.
        Raises TableMissing and what reading raises for a service that is not there; gives up after 25 seconds."""
