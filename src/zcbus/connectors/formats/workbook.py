"""Sheets of workbooks: xlsx, xlsm, xlsb, xls and ods.

All values are text: numbers with the fewest digits that identify them, dates and times in ISO 8601, `true` and `false`;
cells that are empty or hold an error are null. Rows without a value are skipped.
"""

import datetime as dt
from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import islice
from typing import Any

import pyarrow as pa
import python_calamine as calamine

from zcbus.connectors.formats.form import TEXT, without_zeros
from zcbus.connectors.formats.isolated import FileReader, Shape, write_stream

_EXACT = 1 << 53
_PLAIN_FROM, _PLAIN_TO = 1e-7, 1e21
_Row = list[Any]


def shape(path: str, sheet: str, header: bool) -> Shape:
    """Columns of a sheet; empty: the first sheet.

    `header`: the first non-empty row has the names. A column without a name is named by its position, or left out if it
    has no values.
    """
    columns, records = columns_of(Sheet(path, sheet), header)
    return Shape(tuple((name, TEXT) for _, name in columns), records)


def convert(path: str, to: str, sheet: str, header: bool) -> None:
    """See FileReader."""
    found = Sheet(path, sheet)
    places = [place for place, _ in columns_of(found, header)[0]]
    rows = islice(found.rows(), 1 if header else 0, None)
    write_stream(to, [pa.string()] * len(places), ([text_of(row[place]) for place in places] for row in rows))


WORKBOOK = FileReader(shape, convert)


class Sheet:
    """A sheet of a workbook; empty name: the first. Raises ValueError."""

    def __init__(self, path: str, name: str) -> None:
        try:
            book = calamine.load_workbook(path)
            kinds = calamine.SheetTypeEnum
            self.names = [one.name for one in book.sheets_metadata if one.typ == kinds.WorkSheet]
            """Of all sheets that have cells."""
            if not name:
                name = next(iter(self.names), "")
            if name not in book.sheet_names:
                raise ValueError(f"no sheet {name!r}, but {', '.join(book.sheet_names)}")
            self._sheet = book.get_sheet_by_name(name)
        except calamine.CalamineError as error:
            raise ValueError(f"no workbook: {error}") from None
        start, end = self._sheet.start, self._sheet.end
        self.first = start[1] if start is not None else 0
        """Index of the first column with a value: rows start there."""
        self.name, self.columns = name, self._sheet.width
        """`columns`: how many, from the first."""
        self.last_row = end[0] + 1 if end is not None else 0
        """Number of the last row with a value."""

    def rows(self) -> Iterator[_Row]:
        """Those that are not empty."""
        return (row for _, row in self.numbered_rows())

    def numbered_rows(self) -> Iterator[tuple[int, _Row]]:
        """Those that are not empty, with their numbers in the sheet, from 1."""
        numbered = enumerate(self._sheet.iter_rows(), 1)
        return ((number, row) for number, row in numbered if any(value != "" for value in row))


def columns_of(sheet: Sheet, header: bool) -> tuple[list[tuple[int, str]], int]:
    """Column indexes and names, and the number of records."""
    rows = sheet.rows()
    names = [(text_of(value) or "").strip() for value in next(rows, [])] if header else []
    has_values = [bool(name) for name in names]
    records = 0
    for row in rows:
        if not header and not names:
            names, has_values = [""] * len(row), [True] * len(row)
        records += 1
        for place, has in enumerate(has_values):
            if not has and row[place] != "":
                has_values[place] = True
    columns = [
        (place, name or f"column_{sheet.first + place + 1}")
        for place, (name, has) in enumerate(zip(names, has_values, strict=True))
        if has
    ]
    return columns, records


def text_of(value: object) -> str | None:
    return _TEXTS[type(value)](value)


def _number(value: float) -> str:
    if value.is_integer() and -_EXACT < value < _EXACT:
        return str(int(value))
    text = repr(value).removesuffix(".0")
    return f"{Decimal(text):f}" if _PLAIN_FROM <= abs(value) < _PLAIN_TO else text


def _moment(value: dt.datetime) -> str:
    return without_zeros(value.isoformat(" "))


def _time(value: dt.time) -> str:
    return without_zeros(value.isoformat())


def _duration(value: dt.timedelta) -> str:
    total = abs(value)
    minutes, seconds = divmod(total.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    sign = "-" if value < dt.timedelta() else ""
    return without_zeros(f"{sign}{24 * total.days + hours:02}:{minutes:02}:{seconds:02}.{total.microseconds:06}")


_TEXTS: dict[type, Callable[[Any], str | None]] = {
    str: lambda value: value or None,
    bool: lambda value: "true" if value else "false",
    int: str,
    float: _number,
    dt.date: dt.date.isoformat,
    dt.datetime: _moment,
    dt.time: _time,
    dt.timedelta: _duration,
}
