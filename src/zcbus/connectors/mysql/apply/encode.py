"""Canonical columns as the server reads them back, by column."""

import re
from dataclasses import dataclass
from enum import Enum

import numpy as np
import orjson
import pyarrow as pa

from zcbus.connectors.errors import RowRefused
from zcbus.connectors.texts import contains
from zcbus.model.arrow import ArrowArray
from zcbus.model.characters import memory
from zcbus.model.kernels import compute
from zcbus.model.types import DataType, Kind

_TEMPORAL = frozenset({Kind.DATE, Kind.TIMESTAMP, Kind.TIMESTAMP_TZ})
_HEX = np.frombuffer(b"".join(b"%02x" % value for value in range(256)), np.uint16)
_ARRAY_TOKEN, _OF_BOXES, _OF_SHAPES = (
    re.compile(rf'[{{}}{sign}]|"((?:[^"\\]|\\.)*)"|((?:[^{{}}{sign}"\\]|\\.)+)', re.DOTALL) for sign in ",;:"
)
_TOKENS_OF = {"box": _OF_BOXES, "geometry": _OF_SHAPES, "geography": _OF_SHAPES}
"""Types whose arrays have another sign between elements: of PostgreSQL and of PostGIS."""
_ARRAY_BOUNDS = re.compile(r"^(?:\[[^\]]*\])+=")
_BRACKETS = {"{": "[", "}": "]"}
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_NUMERIC = frozenset({Kind.INT16, Kind.INT32, Kind.INT64, Kind.DECIMAL, Kind.FLOAT32, Kind.FLOAT64})


class Form(Enum):
    """How a column's text becomes its value."""

    TEXT = "text"
    """The text is the value."""
    HEX = "hex"
    """Bytes in hexadecimal."""
    BITS = "bits"
    """Digits 0 and 1."""
    NUMBER = "number"
    """Decimal digits for a BIT column, which would interpret text as bytes."""
    DIGITS = "digits"
    """A number that is known to be nothing but that."""


@dataclass(frozen=True, slots=True)
class EncodedColumn:
    """A column ready to be written: strings with nulls."""

    name: str
    text: ArrowArray
    form: Form


def encode(values: ArrowArray, source: DataType, target: DataType, name: str, *, in_key: bool = False) -> EncodedColumn:
    """A canonical column of one type for a target column of another. `in_key`: infinity, which would be taken for the
    last moment, is left for the server to refuse."""
    kind = source.kind
    if kind is Kind.BINARY:
        return EncodedColumn(name, hexadecimal(values), Form.HEX)
    if kind is Kind.BIT:
        form = Form.TEXT if target.kind in (Kind.TEXT, Kind.OTHER) else Form.BITS
        return EncodedColumn(name, values, form)
    if kind is Kind.BOOLEAN:
        values = compute.if_else(compute.equal(values, "t"), "1", "0")
    elif kind in _TEMPORAL and target.kind not in (Kind.TEXT, Kind.OTHER):
        values = _moment(values, kind, target, in_key)
    elif kind is Kind.ARRAY and target.kind is Kind.JSON:
        values = _arrays_as_json(values, source)
    elif kind is Kind.FLOAT32 and target.kind is Kind.FLOAT32:
        values = _all_digits(values)
    return EncodedColumn(name, values, Form.NUMBER if target.kind is Kind.BIT else Form.TEXT)


_MOMENT = r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?$"
_SPAN = r"^-?\d+:\d\d:\d\d(\.\d+)?$"
_MOMENTS = {
    Kind.DATE: r"^\d{4}-\d\d-\d\d$",
    Kind.TIMESTAMP: _MOMENT,
    Kind.TIMESTAMP_TZ: _MOMENT,
    Kind.TIME: _SPAN,
    Kind.DURATION: _SPAN,
}


def refuse_other_moments(column: EncodedColumn, target: DataType, table: str) -> None:
    """For servers that store the beginning of a text which is a moment up to there. Raises RowRefused."""
    pattern = _MOMENTS.get(target.kind)
    if pattern and not compute.all(compute.match_substring_regex(column.text, pattern), min_count=0).as_py():
        raise RowRefused(table=table, detail=f"{column.name}: not a moment that a column {target.native} has")


_SPELLED_DIFFERENTLY = frozenset({Kind.BOOLEAN, Kind.DATE, Kind.TIMESTAMP, Kind.TIMESTAMP_TZ, Kind.ARRAY})


def stored_form(values: ArrowArray, source: DataType, target: DataType) -> ArrowArray:
    """See roles.Target."""
    if source.kind not in _SPELLED_DIFFERENTLY or not len(values):
        return values
    text = encode(values, source, target, "").text
    # The server returns the zone if the column has one.
    return compute.binary_join_element_wise(text, "+00", "") if target.kind is Kind.TIMESTAMP_TZ else text


def hexadecimal(values: ArrowArray) -> ArrowArray:
    """Bytes as hexadecimal digits."""
    if not len(values):
        return pa.array([], pa.string())
    if values.offset:
        values = values.take(pa.array(np.arange(len(values)), pa.int64()))
    bitmap, offsets, data = values.buffers()
    assert offsets is not None
    ends = np.frombuffer(memoryview(offsets), np.int32)[: len(values) + 1]
    octets = (
        np.frombuffer(memoryview(data), np.uint8)[ends[0] : ends[-1]] if data is not None else np.empty(0, np.uint8)
    )
    places = ((ends - ends[0]) * 2).astype(np.int32)
    return pa.Array.from_buffers(pa.string(), len(values), [bitmap, memory(places), memory(_HEX[octets])])


def _all_digits(values: ArrowArray) -> ArrowArray:
    """The server reads a FLOAT as a double first: the shortest text of the greatest one would be out of range."""
    result: ArrowArray = values.cast(pa.float32()).cast(pa.float64()).cast(pa.string())
    return result


def _moment(values: ArrowArray, kind: Kind, target: DataType, in_key: bool) -> ArrowArray:
    """Infinite moments as the server's first and last; the zone, always UTC, is left out."""
    if kind is Kind.TIMESTAMP_TZ:
        values = compute.replace_substring_regex(values, r"\+00$", "")
    if not contains(values, b"infinity"):
        return values
    first, last = ("0000-00-00", "9999-12-31")
    if target.kind is not Kind.DATE:
        fraction = "." + "9" * target.precision if target.precision else ""
        first, last = f"{first} 00:00:00", f"{last} 23:59:59{fraction}"
    values = compute.if_else(compute.equal(values, "-infinity"), first, values)
    if in_key:
        return values
    result: ArrowArray = compute.if_else(compute.equal(values, "infinity"), last, values)
    return result


def _arrays_as_json(values: ArrowArray, source: DataType) -> ArrowArray:
    """PostgreSQL's array literals as JSON arrays; rare enough to be done one by one."""
    element = source.element or DataType(Kind.TEXT, "text")
    distinct = compute.dictionary_encode(values)
    texts = [array_as_json(text, element) for text in distinct.dictionary.to_pylist()]
    result: ArrowArray = pa.array(texts, pa.string()).take(distinct.indices)
    return result


def array_as_json(literal: str, element: DataType) -> str:
    """One array literal, as `{1,NULL,"a b"}`, as JSON text. Numbers keep their digits."""
    parts = []
    previous = ""
    for match in _array_tokens(element).finditer(_ARRAY_BOUNDS.sub("", literal)):
        mark, quoted, bare = match[0], match[1], match[2]
        parts.append(_element(quoted, bare, element.kind) if bare or quoted is not None else _BRACKETS.get(mark, ","))
        previous = mark
    if previous != "}":
        raise RowRefused(table="", detail=f"not an array: {literal[:40]}")
    return "".join(parts)


def _array_tokens(element: DataType) -> re.Pattern[str]:
    return _TOKENS_OF.get(element.native.partition("(")[0], _ARRAY_TOKEN)


def _element(quoted: str | None, bare: str | None, element: Kind) -> str:
    if quoted is None and bare is not None and bare.upper() == "NULL":
        return "null"
    text = re.sub(r"\\(.)", r"\1", quoted if quoted is not None else bare or "", flags=re.DOTALL)
    if element is Kind.BOOLEAN:
        return "true" if text == "t" else "false"
    if element in _NUMERIC and _NUMBER.fullmatch(text):
        return text
    if element is Kind.JSON:
        return text
    return orjson.dumps(text).decode()
