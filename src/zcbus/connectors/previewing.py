"""Preview of the first rows of a table, for kinds whose connection declares its tables."""

from dataclasses import dataclass
from typing import Any, Protocol

MAX_VALUE_LENGTH = 200
"""Characters; longer values are cut and end with `…`."""


@dataclass(frozen=True, slots=True)
class PreviewColumn:
    """A column of a preview."""

    name: str
    type: str
    """In the notation of the document."""
    key: bool = False
    path: str = ""
    """Path of the value in a record."""


@dataclass(frozen=True, slots=True)
class PreviewFault:
    """A mismatch between the document and the response."""

    line: int
    """Line of the document, from 1."""
    location: str
    """The value in the document: `resources.0.columns.id`."""
    detail: str
    """Finding, not translated."""
    record: int = 0
    """The first affected record, from 1; 0: the response as a whole."""


@dataclass(frozen=True, slots=True)
class Preview:
    """The first rows of a table."""

    tables: tuple[str, ...]
    """Names of all declared tables, in order of the document."""
    table: str
    columns: tuple[PreviewColumn, ...] = ()
    rows: tuple[tuple[str | None, ...], ...] = ()
    """Canonical texts, in order of `columns`; raw texts in a column with a fault."""
    undeclared: tuple[PreviewColumn, ...] = ()
    """Undeclared fields, with inferred types."""
    faults: tuple[PreviewFault, ...] = ()


class Previewer(Protocol):
    """Previews tables."""

    def preview(self, options: Any, table: str, rows: int) -> Preview:
        """At most `rows` rows of a table (empty name: the first table). Read-only. Sends no request after 15 seconds.
        Raises TableMissing, SourceUnavailable."""
