"""Preview of the first rows of a table: request and answer."""

from typing import Literal

from pydantic import Field

from zcbus.protocol.base import Connection, Message


class PreviewTable(Message):
    """Read the first rows of a table; empty name: the first table. Answer: TablePreview."""

    type: Literal["preview-table"] = "preview-table"
    connection: Connection
    table: str = ""
    rows: int = Field(default=20, ge=1, le=100)


class PreviewedColumn(Message):
    """See zcbus.connectors.previewing.PreviewColumn."""

    name: str
    type: str
    key: bool = False
    path: str = ""


class PreviewedFault(Message):
    """See zcbus.connectors.previewing.PreviewFault."""

    line: int
    location: str
    detail: str
    record: int = 0


class TablePreview(Message):
    """See zcbus.connectors.previewing.Preview."""

    tables: tuple[str, ...]
    table: str
    columns: tuple[PreviewedColumn, ...] = ()
    rows: tuple[tuple[str | None, ...], ...] = ()
    undeclared: tuple[PreviewedColumn, ...] = ()
    faults: tuple[PreviewedFault, ...] = ()
