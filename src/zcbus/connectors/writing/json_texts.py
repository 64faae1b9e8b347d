"""Whole columns of canonical values as texts of JSON, and rows as its objects; the values are those of `json_values`.

A row at a time takes twenty times as long: Python then makes an object of each value.
"""

import base64
from collections.abc import Sequence
from typing import Any

import numpy as np
import orjson
import pyarrow as pa

from zcbus.connectors.writing.json_values import WHOLE
from zcbus.model.kernels import compute
from zcbus.model.types import DataType, Kind

_TEXT = pa.large_string()
"""A batch has at most 2 GiB of values, its texts may have more."""
_ESCAPED = r'["\\\x00-\x1f]'
_IS_ESCAPED = np.array([byte < ord(" ") or byte in b'"\\' for byte in range(256)])
_NUMBER = r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$"
"""Of JSON."""
_FLOATS = (Kind.FLOAT32, Kind.FLOAT64)


def objects(names: Sequence[str], columns: Sequence[Any]) -> Any:
    """One object for each row, of columns that `values` made. A LargeStringArray without nulls."""
    parts: list[Any] = []
    for number, (name, column) in enumerate(zip(names, columns, strict=True)):
        parts += [("," if number else "{") + orjson.dumps(name).decode() + ":", column]
    return joined(*parts, "}")


def joined(*parts: Any) -> Any:
    """Texts and columns of texts put together row by row; nulls become JSON's null."""
    scalars = [pa.scalar(one, _TEXT) if isinstance(one, str) else one for one in parts]
    return compute.binary_join_element_wise(
        *scalars, pa.scalar("", _TEXT), null_handling="replace", null_replacement="null"
    )


def values(data: DataType, column: Any, *, floats: bool = False) -> Any:
    """A column of canonical values as texts of JSON; nulls stay. `floats`: floating-point numbers become numbers with
    their own digits, but for NaN and infinite ones, which JSON does not have.

    Raises ValueError for a text that is no value of the type.
    """
    if data.kind in WHOLE:
        number = pa.uint64() if data.kind is Kind.UINT64 else pa.int64()
        return column.cast(number).cast(_TEXT)
    if data.kind is Kind.BOOLEAN:
        true, false = pa.scalar("true", _TEXT), pa.scalar("false", _TEXT)
        return compute.if_else(compute.equal(column, "t"), true, false)
    if data.kind is Kind.BINARY:
        encoded = [None if one is None else f'"{base64.b64encode(one).decode()}"' for one in column.to_pylist()]
        return pa.array(encoded, _TEXT)
    texts = column.cast(_TEXT)
    if floats and data.kind in _FLOATS:
        return compute.if_else(compute.match_substring_regex(texts, _NUMBER), texts, _quoted(texts))
    return _quoted(texts)


def _quoted(texts: Any) -> Any:
    quote = pa.scalar('"', _TEXT)
    quoted = compute.binary_join_element_wise(quote, texts, quote, pa.scalar("", _TEXT))
    if not _has_escaped(texts):
        return quoted
    special = compute.match_substring_regex(texts, _ESCAPED)
    marked = compute.fill_null(special, False)
    escaped = [orjson.dumps(one).decode() for one in texts.filter(marked).to_pylist()]
    return compute.replace_with_mask(quoted, marked, pa.array(escaped, _TEXT))


def _has_escaped(texts: Any) -> bool:
    """Whether any character needs an escape: a check of all bytes at once takes a tenth of the time of a search in each
    text."""
    _, offsets, data = texts.buffers()
    if not len(texts) or data is None:
        return False
    places = np.frombuffer(memoryview(offsets), np.int64)
    used = np.frombuffer(memoryview(data), np.uint8)[places[texts.offset] : places[texts.offset + len(texts)]]
    return bool(_IS_ESCAPED.take(used).any())
