"""Records of a file with their places: CSV, JSON, JSON lines, Parquet and Excel.

Values are texts, bytes (Parquet only) or None. An empty value of CSV is None.
"""

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from zcbus.connectors.formats.form import MAX_RECORD_BYTES, TEXT, BadRecord, checked
from zcbus.connectors.formats.json_text import parse, text_of
from zcbus.connectors.formats.parquet import Parquet
from zcbus.connectors.formats.workbook import Sheet
from zcbus.connectors.formats.workbook import columns_of as columns_of_sheet
from zcbus.connectors.formats.workbook import text_of as text_of_cell
from zcbus.model.types import DataType

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}

Value = str | bytes | None


@dataclass(frozen=True, slots=True)
class FileForm:
    """How a file is read. `kind`: one of FORMS; `delimiter`: of DELIMITERS, empty: the most frequent one of the first
    line; `sheet`: empty: the first."""

    kind: str
    delimiter: str = ""
    header: bool = True
    sheet: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a record is refused. `line`: of CSV and JSON lines the line where it begins, of Excel the row; of other kinds
    the record's number; from 1. `column`: empty: the record as such."""

    line: int
    column: str
    detail: str


@dataclass(frozen=True, slots=True)
class Records:
    """The columns of a file with their types, and its records: the line with the values, or a Fault."""

    columns: dict[str, DataType]
    rows: Iterator[tuple[int, Sequence[Value]] | Fault]


def read(path: str, form: FileForm) -> Records:
    """Begin to read a file. Raises ValueError where it cannot be read at all, while it is read, too."""
    try:
        return FORMS[form.kind](path, form)
    except BadRecord as error:
        raise ValueError(error.detail) from None


def _csv(path: str, form: FileForm) -> Records:
    rows = _csv_rows(path, form)
    first = next(rows, None)
    if first is None:
        return Records({}, iter(()))
    if isinstance(first, Fault):
        raise ValueError(first.detail)
    names = checked(list(first[1]) if form.header else [""] * len(first[1]))
    rest = rows if form.header else chain((first,), rows)
    return Records(dict.fromkeys(names, TEXT), _of_width(rest, len(names)))


def _csv_rows(path: str, form: FileForm) -> Iterator[tuple[int, list[str]] | Fault]:
    csv.field_size_limit(MAX_RECORD_BYTES)
    with Path(path).open(encoding="utf-8-sig", newline="") as file:
        delimiter = DELIMITERS.get(form.delimiter) or _most_frequent(file.readline(MAX_RECORD_BYTES))
        file.seek(0)
        reader = csv.reader(file, delimiter=delimiter, strict=True)
        while True:
            line = reader.line_num + 1
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                yield Fault(line, "", str(error))
                continue
            if row:
                yield line, row


def _most_frequent(line: str) -> str:
    return max(DELIMITERS.values(), key=line.count)


def _of_width(
    rows: Iterator[tuple[int, list[str]] | Fault], width: int
) -> Iterator[tuple[int, Sequence[Value]] | Fault]:
    for row in rows:
        if isinstance(row, Fault):
            yield row
        elif len(row[1]) != width:
            yield Fault(row[0], "", f"{len(row[1])} values, {width} columns")
        else:
            yield row[0], [value or None for value in row[1]]


def _json_lines(path: str, _: FileForm) -> Records:
    names: dict[str, None] = {}
    for record in _json_records(path):
        if not isinstance(record, Fault):
            names.update(dict.fromkeys(record[1]))
    return _named(names, _json_records(path))


def _json_records(path: str) -> Iterator[tuple[int, dict[str, Any]] | Fault]:
    with Path(path).open("rb") as file:
        number = 0
        while line := file.readline(MAX_RECORD_BYTES + 1):
            number += 1
            if len(line) > MAX_RECORD_BYTES:
                raise ValueError(f"line {number} is longer than {MAX_RECORD_BYTES >> 20} MiB")
            if not line.strip():
                continue
            try:
                yield _object(number, parse(line.decode().removeprefix("\ufeff")))
            except (ValueError, RecursionError) as error:
                yield Fault(number, "", str(error))


def _json(path: str, _: FileForm) -> Records:
    try:
        content = parse(Path(path).read_text("utf-8-sig"))
    except json.JSONDecodeError as error:
        raise ValueError(f"no JSON: {error}") from None
    except RecursionError:
        raise ValueError("no JSON: it is nested too deeply") from None
    if not isinstance(content, list | dict):
        raise ValueError("neither an object nor a list of objects")
    values = content if isinstance(content, list) else [content]
    records = [_object(number, value) for number, value in enumerate(values, 1)]
    names = dict.fromkeys(chain.from_iterable(one[1] for one in records if not isinstance(one, Fault)))
    return _named(names, iter(records))


def _object(number: int, value: object) -> tuple[int, dict[str, Any]] | Fault:
    return (number, value) if isinstance(value, dict) else Fault(number, "", "no object")


def _named(names: dict[str, None], records: Iterator[tuple[int, dict[str, Any]] | Fault]) -> Records:
    keys = list(names)
    columns = dict.fromkeys(checked(keys), TEXT)

    def rows() -> Iterator[tuple[int, Sequence[Value]] | Fault]:
        for record in records:
            yield record if isinstance(record, Fault) else (record[0], [text_of(record[1].get(key)) for key in keys])

    return Records(columns, rows())


def _parquet(path: str, _: FileForm) -> Records:
    form = Parquet()
    with Path(path).open("rb") as file:
        columns = form.columns(file)
    return Records(columns, _parquet_rows(form, path, list(columns)))


def _parquet_rows(form: Parquet, path: str, names: list[str]) -> Iterator[tuple[int, Sequence[Value]]]:
    number = 0
    try:
        with Path(path).open("rb") as file:
            for batch in form.read(file, names, behind_start=False):
                for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                    number += 1
                    yield number, row
    except BadRecord as error:
        raise ValueError(error.detail) from None


def _excel(path: str, form: FileForm) -> Records:
    sheet = Sheet(path, form.sheet)
    places, _ = columns_of_sheet(sheet, form.header)
    names = checked([name for _, name in places])
    rows = sheet.numbered_rows()
    if form.header:
        next(rows, None)
    values = ((number, [text_of_cell(row[place]) for place, _ in places]) for number, row in rows)
    return Records(dict.fromkeys(names, TEXT), values)


FORMS: dict[str, Callable[[str, FileForm], Records]] = {
    "csv": _csv,
    "text": _csv,
    "json": _json,
    "jsonl": _json_lines,
    "parquet": _parquet,
    "xlsx": _excel,
}
"""By the kind of kit.file_content; a text is CSV of one column."""
