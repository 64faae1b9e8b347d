"""Import of a connection's document from an OpenAPI description, for kinds whose connection declares its tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from zcbus.kit.errors import TerminalError

MAX_OPERATIONS = 1000
"""Operations of one import."""

MAX_DESCRIPTION_LENGTH = 4_000_000
"""Characters of a text; what an address answers is limited by the connector."""

Subject = Literal["key", "pages", "auth"]


class ImportInvalid(TerminalError):
    """The text is no OpenAPI 3 description that can be imported. Facts: detail."""

    code = "import-invalid"


class ImportTooLong(TerminalError):
    """The document of the selected operations is too long. Facts: characters, limit."""

    code = "import-too-long"


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation that returns an array of records."""

    path: str
    """As described; identifies the operation."""
    summary: str
    columns: int


@dataclass(frozen=True, slots=True)
class Guess:
    """A part of the document that OpenAPI does not state."""

    table: str
    """Empty: of the whole document."""
    subject: Subject
    value: str
    """Assumptions, in the notation of the document."""


@dataclass(frozen=True, slots=True)
class DocumentImport:
    """Operations of a description, and the document of the selected ones."""

    title: str
    operations: tuple[Operation, ...]
    values: Mapping[str, str]
    """Options of the connection, by name; empty where no operation is selected. Never a secret."""
    guesses: tuple[Guess, ...] = ()


class DocumentImporter(Protocol):
    """Imports documents."""

    def read(self, text: str, address: str, selected: Sequence[str]) -> DocumentImport:
        """Reads a description: `text`, or where it is empty the answer of `address` (http or https), without
        credentials, redirections or proxies. `selected`: paths of operations. Raises ImportInvalid, ImportTooLong,
        SourceUnavailable."""
