"""Import of a connection's document from an OpenAPI description: request and answer."""

from typing import Literal

from pydantic import Field

from zcbus.protocol.base import Message


class ImportDocument(Message):
    """Read an OpenAPI description; see zcbus.connectors.importing.DocumentImporter. Answer: ImportedDocument."""

    type: Literal["import-document"] = "import-document"
    kind: str
    text: str = ""
    address: str = ""
    selected: tuple[str, ...] = ()


class ImportedOperation(Message):
    """See zcbus.connectors.importing.Operation."""

    path: str
    summary: str
    columns: int


class ImportedGuess(Message):
    """See zcbus.connectors.importing.Guess."""

    table: str
    subject: Literal["key", "pages", "auth"]
    value: str


class ImportedDocument(Message):
    """See zcbus.connectors.importing.DocumentImport."""

    title: str
    operations: tuple[ImportedOperation, ...] = ()
    values: dict[str, str] = Field(default_factory=dict)
    guesses: tuple[ImportedGuess, ...] = ()
