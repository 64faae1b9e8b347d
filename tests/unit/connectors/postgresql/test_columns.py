"""Decoding and encoding of complete columns."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zcbus.connectors.errors import RowRefused
from zcbus.connectors.postgresql.apply import encode
from zcbus.connectors.postgresql.apply.encode import array_literal, copy_text, large_copy_text, to_input
from zcbus.connectors.postgresql.pgoutput import columns
from zcbus.connectors.postgresql.pgoutput.columns import (
    Buffer,
    Span,
    decode_hexadecimal,
    decode_large_hexadecimal,
    encode_hexadecimal,
    text_bytes,
)
from zcbus.model.types import DataType, Kind

TEXT = DataType(Kind.TEXT, "text")
texts = st.lists(st.one_of(st.none(), st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))))


@given(st.lists(st.one_of(st.none(), st.binary())), st.integers(0, 3))
def test_hexadecimal_there_and_back(values: list[bytes | None], skipped: int) -> None:
    array = pa.array(values, pa.binary()).slice(min(skipped, len(values)))
    text = encode_hexadecimal(array)
    assert text.to_pylist() == [None if v is None else "\\x" + v.hex() for v in values[skipped:]]
    assert decode_hexadecimal(text).to_pylist() == array.to_pylist()


@given(st.lists(st.one_of(st.none(), st.binary())))
def test_hexadecimal_piece_by_piece(values: list[bytes | None]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "_PART_BYTES", 3)
        texts = [b"" if value is None else b"\\x" + value.hex().encode() for value in values]
        ends = np.cumsum([0, *map(len, texts)])
        data = b"".join(texts)
        valid = np.array([value is not None for value in values], np.bool_)
        span = Span(ends[:-1], ends[1:], None if valid.all() else valid)
        assert decode_large_hexadecimal(Buffer(data, len(data)), span).to_pylist() == values


@given(st.one_of(st.none(), st.text(st.characters(exclude_categories=["Cs"]))), st.one_of(st.none(), st.binary()))
def test_a_large_row_has_the_same_text(text: str | None, octets: bytes | None) -> None:
    row = [(pa.array([text], pa.string()), TEXT), (pa.array([octets], pa.binary()), DataType(Kind.BINARY, "bytea"))]
    complete = bytes(copy_text([row[0], (encode_hexadecimal(row[1][0]), row[1][1])]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encode, "_PIECE_BYTES", 2)
        assert b"".join(large_copy_text(row)) == complete


@given(texts)
def test_copy_text_follows_the_rules_of_copy(values: list[str | None]) -> None:
    lines = bytes(copy_text([(pa.array(values, pa.string()), TEXT), (pa.array(values, pa.string()), TEXT)])).decode()
    expected = "".join(f"{field}\t{field}\n" for field in map(_copied, values))
    assert lines == expected


def _copied(value: str | None) -> str:
    if value is None:
        return "\\N"
    return value.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")


@given(texts)
def test_array_literals_quote_everything(values: list[str | None]) -> None:
    parts = ["NULL" if v is None else '"' + v.replace("\\", "\\\\").replace('"', '\\"') + '"' for v in values]
    assert array_literal(pa.array(values, pa.string()), TEXT) == "{" + ",".join(parts) + "}"


def test_spans_cut_values_and_nulls_out_of_a_buffer() -> None:
    buffer = Buffer(b"..abc..de....", 13)
    starts, ends = np.array([2, 7, 7, 9]), np.array([5, 9, 7, 9])
    span = Span(starts, ends, np.array([True, True, False, True]))
    assert span.array(buffer).to_pylist() == ["abc", "de", None, ""]
    assert Span(starts[:0], ends[:0], None).array(buffer).to_pylist() == []


def test_slices_are_seen_as_what_they_are() -> None:
    offsets, data = text_bytes(pa.array(["aa", "b", None, "cc"]).slice(1))
    assert offsets.tolist() == [0, 1, 1, 3]
    assert data.tobytes() == b"bcc"


def test_values_that_postgresql_writes_otherwise() -> None:
    def given_as(kind: Kind, target: str, *values: str | None) -> list[str | None]:
        return to_input(pa.array(values, pa.string()), DataType(kind, ""), target, "t", "c").to_pylist()

    assert given_as(Kind.DATE, "date", "0000-00-00", "2024-00-10", "2024-02-00", "2024-02-29", None) == [
        "-infinity",
        "2024-00-10",
        "2024-02-00",
        "2024-02-29",
        None,
    ]
    assert given_as(Kind.TIMESTAMP, '"pg_catalog"."timestamp"', "0000-00-00 00:00:00") == ["-infinity"]
    assert given_as(Kind.DATE, "text", "0000-00-00") == ["0000-00-00"]
    assert given_as(Kind.BOOLEAN, "integer", "t", "f", None) == ["1", "0", None]
    assert given_as(Kind.BOOLEAN, "boolean", "t", "f") == ["t", "f"]
    assert given_as(Kind.TEXT, "bytea", "\\a") == ["\\x5c61"]


def test_nul_characters_name_their_column() -> None:
    with pytest.raises(RowRefused, match=r"column c: .*NUL"):
        to_input(pa.array(["a\0"]), TEXT, "text", "t", "c")
