"""The first rows of a Parquet file or of a workbook's sheet, as they are: no row is taken for names of columns."""

from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Literal

from zcbus.connectors.formats.form import BadRecord
from zcbus.connectors.formats.parquet import Parquet
from zcbus.connectors.formats.tabular.sample import SampleColumn, shown_value
from zcbus.connectors.formats.workbook import Sheet, text_of

_PARQUET = b"PAR1"
_ARCHIVE = b"PK\x03\x04"
_COMPOUND = b"\xd0\xcf\x11\xe0"
"""Files of Excel 97 ([MS-CFB], Compound File Header)."""
_LETTERS = 26


@dataclass(slots=True)
class Excerpt:
    """`sheets`: names of a workbook's sheets, `sheet`: the one that is read; `columns`: the first of `total_columns`,
    of a sheet named by letters and without a type; `rows`: the first ones that are not empty, of `total_rows`, with
    their numbers from 1 and values cut short."""

    kind: Literal["parquet", "workbook"]
    columns: list[SampleColumn]
    total_columns: int
    total_rows: int
    sheets: list[str] = field(default_factory=list)
    sheet: str = ""
    rows: list[tuple[int, list[str | None]]] = field(default_factory=list)


def excerpt(path: str, sheet: str, rows: int, columns: int) -> Excerpt:
    """Read at most `rows` rows of `columns` columns; what the file is follows from its first bytes. `sheet`: empty: the
    first. Raises ValueError."""
    with Path(path).open("rb") as file:
        head = file.read(4)
    if head == _PARQUET:
        return _of_parquet(path, rows, columns)
    if head in (_ARCHIVE, _COMPOUND):
        return _of_sheet(Sheet(path, sheet), rows, columns)
    raise ValueError("neither a Parquet file nor a workbook")


def _of_parquet(path: str, rows: int, columns: int) -> Excerpt:
    form = Parquet()
    try:
        with Path(path).open("rb") as file:
            types = form.columns(file)
            found = Excerpt("parquet", [], len(types), form.most_records(file))
            found.columns = [SampleColumn(name, data.native) for name, data in islice(types.items(), columns)]
            for batch in form.read(file, list(types), behind_start=False):
                first = batch.slice(0, rows - len(found.rows))
                values = zip(*(column.to_pylist() for column in first.columns[:columns]), strict=True)
                found.rows += enumerate(([shown_value(one) for one in row] for row in values), len(found.rows) + 1)
                if len(found.rows) >= rows:
                    break
    except BadRecord as error:
        raise ValueError(error.detail) from None
    return found


def _of_sheet(sheet: Sheet, rows: int, columns: int) -> Excerpt:
    shown = range(sheet.first, sheet.first + min(sheet.columns, columns))
    found = Excerpt("workbook", [SampleColumn(_letters(place), "") for place in shown], sheet.columns, sheet.last_row)
    found.sheets, found.sheet = sheet.names, sheet.name
    for number, row in islice(sheet.numbered_rows(), rows):
        found.rows.append((number, [shown_value(text_of(value)) for value in row[:columns]]))
    return found


def _letters(place: int) -> str:
    """The name of a sheet's column, by its index: A, …, Z, AA."""
    letters = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, _LETTERS)
        letters = chr(ord("A") + rest) + letters
    return letters
