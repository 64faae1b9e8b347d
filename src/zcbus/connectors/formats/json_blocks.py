"""Blocks of JSON lines, parsed column by column where that gives the same texts as record by record."""

import io
from collections.abc import Collection, Sequence
from typing import Any

import pyarrow as pa
from pyarrow import json

from zcbus.model.kernels import compute

_CONTROLS = bytes(range(32))
_PLAIN = (pa.string(), pa.int64(), pa.bool_(), pa.null())
"""Types whose values have one notation, but for 0 and -0."""
_LEFT_OUT = 8
_THREADS = 2


class BlockParser:
    """Parses the blocks of one file."""

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = columns
        self._texts: dict[str, Any] = {}
        """Columns whose strings look like moments, which the library would convert."""
        self._waits = 0

    def parse(self, block: bytes) -> pa.RecordBatch | None:
        """Rows of whole lines in UTF-8, all values as texts; None: they must be parsed record by record.

        That is so where a line is no object or no line, a number is no 64-bit integer, a value is an object or a list,
        or a name is not among the columns. After it some blocks are not tried, as the next ones will be alike.
        """
        if self._waits:
            self._waits -= 1
            return None
        lines = _lines(block)
        table = self._table(block) if lines else None
        if (
            table is None
            or table.num_rows != lines
            or not set(self._columns).issuperset(table.schema.names)
            or _may_have_minus_zero(block, table)
        ):
            self._waits = _LEFT_OUT
            return None
        return self._batch(table)

    def _table(self, block: bytes) -> pa.Table | None:
        table = _read(block, self._texts)
        moments = [field.name for field in table.schema if pa.types.is_timestamp(field.type)] if table else []
        if moments:
            self._texts |= dict.fromkeys(moments, pa.string())
            table = _read(block, self._texts)
        return table if table is not None and all(one.type in _PLAIN for one in table.schema) else None

    def _batch(self, table: pa.Table) -> pa.RecordBatch:
        present: Collection[str] = set(table.schema.names)
        arrays = [
            table.column(name).cast(pa.string()).combine_chunks()
            if name in present
            else pa.nulls(len(table), pa.string())
            for name in self._columns
        ]
        return pa.RecordBatch.from_arrays(arrays, names=list(self._columns))


def _lines(block: bytes) -> int:
    """The number of lines if each is plainly one object: it begins and ends with a bracket, and the ends of lines are
    the only control characters. 0: not so."""
    newlines, returns = block.count(b"\n"), block.count(b"\r")
    lines = newlines + (not block.endswith(b"\n"))
    borders = block.count(b"}\n{") + (block.count(b"}\r\n{") if returns else 0)
    plain = (
        borders == lines - 1
        and block.startswith(b"{")
        and block.endswith((b"}", b"}\n", b"}\r\n"))
        and len(block) - len(block.translate(None, _CONTROLS)) == newlines + returns
        and returns in (0, block.count(b"}\r\n"))
        and _is_utf8(block)
    )
    return lines if plain else 0


def _may_have_minus_zero(block: bytes, table: pa.Table) -> bool:
    zeros = any(
        pa.types.is_integer(column.type) and compute.any(compute.equal(column, 0)).as_py() for column in table.columns
    )
    return zeros and any(text in block for text in (b":-0", b": -0", b":  "))


def _is_utf8(block: bytes) -> bool:
    try:
        block.decode()
    except UnicodeDecodeError:
        return False
    return True


def _read(block: bytes, texts: dict[str, Any]) -> pa.Table | None:
    """None: the library refuses it: no JSON, a name twice in a record, or values of several types in a column."""
    options = json.ReadOptions(use_threads=True, block_size=max(len(block) // _THREADS, 1 << 16))
    schema = pa.schema(list(texts.items()))
    try:
        return json.read_json(io.BytesIO(block), options, json.ParseOptions(explicit_schema=schema))
    except (pa.ArrowInvalid, UnicodeError):
        return None
