"""Import of an uploaded file into a table: request and answer."""

from typing import Literal

from pydantic import Field

from zcbus.protocol.base import Connection, Message, TableRef

MAX_COLUMNS = 1000
ImportMode = Literal["insert", "upsert", "replace"]
"""insert: rows that exist already are refused; upsert: they are replaced by key; replace: the table is emptied before,
in the same transaction."""
ImportDelimiter = Literal["", "comma", "semicolon", "tab", "pipe"]
"""Empty: the most frequent one of the first line."""


class UploadedFile(Message):
    """A file that the agent fetches from the control plane. `size` in bytes; `sha256` in hexadecimal."""

    id: str
    size: int
    sha256: str


class ImportColumn(Message):
    """A column of the file and that of the table. Of a new table `type` is its type, as formats.declared spells it, or
    bytes, and `key` whether it belongs to the primary key."""

    source: str
    target: str
    type: str = ""
    key: bool = False


class ImportTable(Message):
    """Write the records of a file into a table in one transaction. Answer: ImportOutcome.

    `create`: the table is new. `skip_refused`: refused records are left out; otherwise a single one undoes the import.
    `check_only`: everything is undone in any case. `row_limit`: a file with more records is refused.
    """

    type: Literal["import-table"] = "import-table"
    connection: Connection
    file: UploadedFile
    form: str
    delimiter: ImportDelimiter = ""
    header: bool = True
    sheet: str = ""
    table: TableRef
    create: bool = False
    columns: tuple[ImportColumn, ...] = Field(min_length=1, max_length=MAX_COLUMNS)
    mode: ImportMode = "insert"
    skip_refused: bool = False
    check_only: bool = False
    row_limit: int = Field(ge=1)


class RefusedRecord(Message):
    """`line`: see connectors.formats.tabular.Fault; `column`: empty: the record as such; `detail`: the database's own
    words where it refused it."""

    line: int
    column: str = ""
    detail: str


class ImportOutcome(Message):
    """`committed`: whether the table was changed; `written`: records that are in it, or would be; `refused`: how many,
    the first of them listed in `records`."""

    committed: bool
    read: int
    written: int
    refused: int
    records: tuple[RefusedRecord, ...] = ()
    duration_ms: int = 0
