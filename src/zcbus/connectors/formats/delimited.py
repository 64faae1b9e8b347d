"""Records in lines, values divided by a character (RFC 4180): CSV, TSV.

A value without quotes that is empty is null; in quotes it is the empty text, as PostgreSQL's COPY writes and reads it.
"""

import codecs
import csv
import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO, Literal

import pyarrow as pa
from pyarrow import csv as arrow_csv

from zcbus.connectors.formats.form import MAX_RECORD_BYTES, TEXT, BadRecord, checked, lines
from zcbus.model.types import DataType

_MAX_HEADER_BYTES = 1 << 20


class Delimited:
    """See Format."""

    def __init__(self, delimiter: str, encoding: str, *, header: bool, values_span_lines: bool) -> None:
        """`encoding`: a codec's name. `header`: the first record has the columns' names; else they are column_1 and so
        on. `values_span_lines`: quoted values may hold ends of lines."""
        self._delimiter, self._header, self._spans = delimiter, header, values_span_lines
        self._encoding = "utf-8-sig" if encoding == "utf-8" else encoding

    names_in_records = False

    has_lines = True

    def columns(self, data: BinaryIO) -> dict[str, DataType]:
        head = data.read(_MAX_HEADER_BYTES)
        decoder = codecs.getincrementaldecoder(self._encoding)("strict")
        try:
            text = decoder.decode(head, final=len(head) < _MAX_HEADER_BYTES)
            first = next((row for row in csv.reader(io.StringIO(text, newline=""), **self._dialect()) if row), None)
        except (UnicodeError, csv.Error) as error:
            raise BadRecord(0, str(error)) from error
        if first is None:
            return {}
        return dict.fromkeys(checked(first if self._header else [""] * len(first)), TEXT)

    def most_records(self, data: BinaryIO) -> int:
        return lines(data)

    def read(self, data: BinaryIO, columns: Sequence[str], *, behind_start: bool) -> Iterator[pa.RecordBatch]:
        skipped = 1 if self._header and not behind_start else 0
        head = data.read(_MAX_HEADER_BYTES)
        if not head or (skipped and len(head) < _MAX_HEADER_BYTES and not {10, 13}.intersection(head)):
            return  # Arrow treats a lone header as half a record
        bad: list[BadRecord] = []

        def refuse(row: Any) -> Literal["skip", "error"]:
            number = row.number or 0
            problem = f"{row.actual_columns} values, {row.expected_columns} columns"
            bad.append(BadRecord(max(0, number - skipped), problem))
            return "error"

        with _translated(bad):
            reader = arrow_csv.open_csv(
                io.BufferedReader(_Joined(head, data)),
                arrow_csv.ReadOptions(
                    use_threads=False,
                    block_size=MAX_RECORD_BYTES,
                    column_names=list(columns),
                    skip_rows_after_names=skipped,
                    encoding=self._encoding if self._encoding != "utf-8-sig" else "utf8",
                ),
                arrow_csv.ParseOptions(
                    delimiter=self._delimiter,
                    newlines_in_values=self._spans,
                    ignore_empty_lines=True,
                    invalid_row_handler=refuse,
                ),
                arrow_csv.ConvertOptions(
                    check_utf8=True,
                    column_types=dict.fromkeys(columns, pa.string()),
                    null_values=[""],
                    strings_can_be_null=True,
                    quoted_strings_can_be_null=False,
                ),
            )
        while True:
            with _translated(bad):
                try:
                    batch = reader.read_next_batch()
                except StopIteration:
                    return
            if batch.num_rows:
                yield batch

    def _dialect(self) -> dict[str, Any]:
        return {"delimiter": self._delimiter, "strict": True}


class _Joined(io.RawIOBase):
    """Bytes that were read already, and those after them."""

    def __init__(self, head: bytes, data: BinaryIO) -> None:
        self._head, self._data = memoryview(head), data

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview[int]") -> int:  # type: ignore[override]
        part = self._head[: len(buffer)] or self._data.read(len(buffer))
        self._head = self._head[len(part) :]
        buffer[: len(part)] = part
        return len(part)


@contextmanager
def _translated(bad: list[BadRecord]) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowInvalid, UnicodeError) as error:
        if bad:
            raise bad[0] from error
        raise BadRecord(0, str(error).splitlines()[0]) from error
