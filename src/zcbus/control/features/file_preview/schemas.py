"""Answers of file previews."""

from typing import Literal

from zcbus.control.platform.schema import Schema

MAX_BYTES = 5 << 20
"""Of a file, as the console shows of every kind."""


class PreviewColumn(Schema):
    """`type`: of Parquet; empty for a sheet, whose columns are named by letters."""

    name: str
    type: str


class PreviewRow(Schema):
    """`line`: the row's number in the file, from 1; values that are too long end with an ellipsis."""

    line: int
    values: list[str | None]


class FileExcerpt(Schema):
    """The first rows of a file that are not empty. `columns`: the first of `totalColumns`; `sheets`: of a workbook, and
    `sheet` the one that is shown."""

    kind: Literal["parquet", "workbook"]
    sheets: list[str]
    sheet: str
    columns: list[PreviewColumn]
    total_columns: int
    rows: list[PreviewRow]
    total_rows: int
