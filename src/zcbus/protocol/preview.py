"""A look at rows while a connection is filled in: the question and its answer."""

from typing import Literal

from pydantic import Field

from zcbus.protocol.base import Connection, Message


class PreviewTable(Message):
    """The first rows of a table; an empty name means the first one. Answer: TablePreview."""

    type: Literal["preview-table"] = "preview-table"
    connection: Connection
    table: str = ""
    rows: int = Field(default=20, ge=1, le=100)


class PreviewedColumn(Message):
    """See zcbus.connectors.previewing.PreviewColumn."""

    name: str
    type: str
    key: bool = False
    place: str = ""


class PreviewedFault(Message):
    """See zcbus.connectors.previewing.PreviewFault."""

    line: int
    place: str
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
