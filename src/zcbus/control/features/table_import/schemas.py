"""Requests and answers of imports into a table."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from zcbus.connectors.formats.declared import TYPE
from zcbus.connectors.formats.form import MAX_NAME_LENGTH
from zcbus.connectors.options import PLAIN_TEXT
from zcbus.control.features.sql_management.schemas import SqlDatabaseChoice
from zcbus.control.platform.faults import field_fault
from zcbus.control.platform.schema import Schema
from zcbus.control.store.columns import ID_LENGTH
from zcbus.protocol.table_import import MAX_COLUMNS, ImportDelimiter, ImportMode

MAX_RECORDS = 1_000_000
"""Of a file."""

UploadId = Annotated[str, Field(min_length=1, max_length=ID_LENGTH)]
Name = Annotated[str, Field(max_length=255, pattern=PLAIN_TEXT)]


class DataImportFile(Schema):
    """An uploaded file and how it is read. `delimiter`: of CSV, empty: the most frequent one of the first line;
    `header`: whether the first row of CSV and Excel has the names; `sheet`: of Excel, empty: the first."""

    upload_id: UploadId
    delimiter: ImportDelimiter = ""
    header: bool = True
    sheet: Name = ""


class DataImportFault(Schema):
    """A refused record. `line`: of CSV and JSON lines its first line, of Excel its row, else its number; `column`:
    empty: the record as such."""

    line: int
    column: str
    detail: str


class DataImportColumn(Schema):
    """A column of the file with the type that its values have."""

    name: str
    type: str


class DataImportRow(Schema):
    line: int
    values: list[str | None]


class DataImportPreview(Schema):
    """What a file has: all `records`, `refused` of them malformed, and the first of each. `most`: an import takes no
    more records."""

    columns: list[DataImportColumn]
    rows: list[DataImportRow]
    records: int
    refused: int
    faults: list[DataImportFault]
    most: int = MAX_RECORDS


class DataImportTable(SqlDatabaseChoice):
    schema_name: Name
    table: Annotated[Name, Field(min_length=1)]


class DataImportTableColumn(Schema):
    """A column of the table."""

    name: str
    type: str
    nullable: bool
    key: bool


class DataImportChoice(Schema):
    """A column of the file and that of the table. `type`, `key`: of a new table."""

    source: Annotated[str, Field(min_length=1, max_length=MAX_NAME_LENGTH)]
    target: Annotated[str, Field(min_length=1, max_length=MAX_NAME_LENGTH, pattern=PLAIN_TEXT)]
    type: Annotated[str, Field(max_length=30, pattern=rf"^$|^bytes$|^{TYPE}$")] = ""
    key: bool = False


class DataImportRun(DataImportFile, DataImportTable):
    """`create`: the table is new; `mode`: insert, upsert (by key), replace (all rows); `skipRefused`: refused records
    are left out, otherwise a single one undoes the import; `checkOnly`: nothing is changed in any case."""

    create: bool = False
    mode: ImportMode = "insert"
    columns: list[DataImportChoice] = Field(min_length=1, max_length=MAX_COLUMNS)
    skip_refused: bool = False
    check_only: bool = False

    @model_validator(mode="after")
    def _columns_once(self) -> Self:
        targets = [column.target.casefold() for column in self.columns]
        if len(set(targets)) < len(targets):
            raise field_fault("column-twice")
        if self.create and not all(column.type for column in self.columns):
            raise field_fault("column-type")
        return self


class DataImportResult(Schema):
    """`committed`: whether the table was changed; `written`: records that are in it, or would be; `faults`: the first
    of the `refused` ones, by line."""

    committed: bool
    read: int
    written: int
    refused: int
    faults: list[DataImportFault]
    duration_ms: int
