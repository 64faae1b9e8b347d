"""The role of a format, and rules for names of columns."""

import json
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import BinaryIO, Protocol

import pyarrow as pa

from zcbus.model.types import DataType, Kind

MAX_RECORD_BYTES = 8 << 20
"""Bytes."""
MAX_COLUMNS = 1000
TEXT = DataType(Kind.TEXT, "text")
MAX_NAME_LENGTH = 128
_COUNTED = 1 << 20


class BadRecord(Exception):
    """A malformed record. `record`: its number in the data read, from 1; 0: the file as such."""

    def __init__(self, record: int, detail: str) -> None:
        super().__init__(detail)
        self.record, self.detail = record, detail


class Format(Protocol):
    """Reads records one after the other; memory does not grow with the file. `data` can seek. Raises BadRecord."""

    @property
    def names_in_records(self) -> bool:
        """Whether each record names its values; else the file's start does for all."""

    @property
    def has_lines(self) -> bool:
        """Whether records end at line ends, so that a growing file can be read from there on."""

    def columns(self, data: BinaryIO) -> Mapping[str, DataType]:
        """The columns of the records after the current position of `data`, or of the file, in order; none if there are
        none.

        Formats without types give text.
        """

    def most_records(self, data: BinaryIO) -> int:
        """A number that the records of the file do not exceed. Quick."""

    def read(self, data: BinaryIO, columns: Sequence[str], *, behind_start: bool) -> Iterator[pa.RecordBatch]:
        """Records from the current position of `data`, in batches of about 8 MiB.

        Exactly these columns, in the canonical forms of their types, null where a record has no value. `columns`: as
        the method `columns` returned them; if records have names, all known ones. `behind_start`: the position is not
        the file's start, but after a record's end.
        """


def checked(names: Sequence[str]) -> tuple[str, ...]:
    """Names of columns as they are, or `column_3` for the third where it has none. Raises BadRecord."""
    if len(names) > MAX_COLUMNS:
        raise BadRecord(0, f"{len(names)} columns, at most {MAX_COLUMNS}")
    headers = tuple(name.strip() or f"column_{number}" for number, name in enumerate(names, 1))
    for name in headers:
        if len(name) > MAX_NAME_LENGTH or not name.isprintable():
            raise BadRecord(0, f"no name of a column: {name[:MAX_NAME_LENGTH]!r}")
    folded = [name.casefold() for name in headers]
    twice = next((name for number, name in enumerate(headers) if folded[number] in folded[:number]), None)
    if twice is not None:
        raise BadRecord(0, f"two columns are called {twice}")
    return headers


def json_text(value: object) -> str:
    """A nested value as JSON; bytes in hexadecimal digits."""
    return json.dumps(value, ensure_ascii=False, default=_plain)


def without_zeros(text: str) -> str:
    """A time without zeros at the end of its second's fraction."""
    return text.rstrip("0").rstrip(".") if "." in text else text


def _plain(value: object) -> str:
    if isinstance(value, bytes):
        return value.hex()
    return f"{value:f}" if isinstance(value, Decimal) else str(value)


def lines(data: BinaryIO) -> int:
    """The number of line ends, plus one for an incomplete last line."""
    found = 1
    while part := data.read(_COUNTED):
        found += part.count(b"\n") + part.count(b"\r")
    return found
