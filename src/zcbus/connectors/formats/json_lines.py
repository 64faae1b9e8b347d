"""One JSON object per line (https://jsonlines.org). Numbers keep their digits, objects and lists within a record are
JSON text, `null` and a missing name are null."""

import codecs
import io
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

import pyarrow as pa

from zcbus.connectors.formats.form import MAX_RECORD_BYTES, TEXT, BadRecord, checked, lines
from zcbus.connectors.formats.json_blocks import BlockParser
from zcbus.connectors.formats.json_text import parse, parse_record, text_of
from zcbus.model.types import DataType

_ROWS = 10_000
_BLOCK_BYTES = 4 << 20


class JsonLines:
    """See Format."""

    def __init__(self, encoding: str) -> None:
        """`encoding`: a codec's name, of one in which an end of line is one byte."""
        self._encoding = encoding
        self._is_utf8 = codecs.lookup(encoding).name == "utf-8"

    names_in_records = True

    has_lines = True

    def columns(self, data: BinaryIO) -> dict[str, DataType]:
        names: dict[str, None] = {}
        for _, record, _ in self._records(data):
            names.update(dict.fromkeys(record))
        return dict.fromkeys(checked(list(names)), TEXT)

    def most_records(self, data: BinaryIO) -> int:
        return lines(data)

    def read(self, data: BinaryIO, columns: Sequence[str], *, behind_start: bool) -> Iterator[pa.RecordBatch]:
        if not self._is_utf8:
            yield from self._singly(data, columns, 0)
            return
        parser, number = BlockParser(columns), 0
        while block := data.read(_BLOCK_BYTES):
            rest = b"" if block.endswith(b"\n") else data.readline(MAX_RECORD_BYTES + 1)
            block += rest
            # A line that the rest may make too long is refused by its number.
            batch = parser.parse(block) if len(rest) < MAX_RECORD_BYTES - _BLOCK_BYTES else None
            if batch is not None:
                number += batch.num_rows
                yield batch
                continue
            for batch in self._singly(io.BytesIO(block), columns, number):
                number += batch.num_rows
                yield batch

    def _singly(self, data: BinaryIO, columns: Sequence[str], number: int) -> Iterator[pa.RecordBatch]:
        """Record by record. `number`: of the record before."""
        known = set(columns)
        records: list[dict[str, Any]] = []
        size = 0
        for index, record, length in self._records(data, number):
            if not known.issuperset(record):
                name = next(iter(record.keys() - known))
                raise BadRecord(index, f"unknown name: {name[:100]!r}")
            records.append(record)
            size += length
            if len(records) == _ROWS or size > MAX_RECORD_BYTES:
                yield _batch(columns, records)
                records, size = [], 0
        if records:
            yield _batch(columns, records)

    def _records(self, data: BinaryIO, number: int = 0) -> Iterator[tuple[int, dict[str, Any], int]]:
        """Numbered after `number`, with their bytes; empty lines count for nothing."""
        while line := data.readline(MAX_RECORD_BYTES + 1):
            if len(line) > MAX_RECORD_BYTES:
                raise BadRecord(number + 1, f"longer than {MAX_RECORD_BYTES >> 20} MiB")
            if not line.strip():
                continue
            number += 1
            found = parse_record(line) if self._is_utf8 else None
            if found is not None:
                yield number, found, len(line)
                continue
            try:
                record = parse(line.decode(self._encoding).removeprefix("\ufeff"))
            except (ValueError, RecursionError) as error:
                raise BadRecord(number, str(error)) from error
            if not isinstance(record, dict):
                raise BadRecord(number, "no object")
            yield number, record, len(line)


def _batch(columns: Sequence[str], records: Sequence[dict[str, Any]]) -> pa.RecordBatch:
    try:
        arrays = [pa.array([text_of(one.get(name)) for one in records], pa.string()) for name in columns]
        return pa.RecordBatch.from_arrays(arrays, names=list(columns))
    except (UnicodeError, pa.ArrowInvalid) as error:  # a lone half of a surrogate pair
        raise BadRecord(0, str(error)) from error
