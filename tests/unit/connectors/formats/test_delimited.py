"""Records in lines follow RFC 4180 and the options, for any encoding and any block boundary."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zcbus.connectors.formats import BadRecord
from zcbus.connectors.formats.delimited import Delimited

VALUES = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=12)


def form(**options: object) -> Delimited:
    given_ = {"delimiter": ",", "encoding": "utf-8", "header": True, "values_span_lines": True, **options}
    return Delimited(given_.pop("delimiter"), given_.pop("encoding"), **given_)  # type: ignore[arg-type]


def read(reader: Delimited, data: bytes, *, behind_start: bool = False) -> list[tuple[object, ...]]:
    names = reader.columns(io.BytesIO(data))
    batches = reader.read(io.BytesIO(data), list(names), behind_start=behind_start) if names else ()
    return [row for batch in batches for row in zip(*(column.to_pylist() for column in batch.columns), strict=True)]


@given(st.lists(st.tuples(VALUES, VALUES), max_size=20))
def test_output_of_a_csv_writer_is_read_back(rows: list[tuple[str, str]]) -> None:
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_ALL)
    writer.writerows([("a", "b"), *rows])
    assert read(form(), out.getvalue().encode()) == rows


@pytest.mark.parametrize(
    ("encoding", "codec"), [("utf-8", "utf-8"), ("utf-8", "utf-8-sig"), ("gb18030", "gb18030"), ("utf-16", "utf-16")]
)
def test_encodings(encoding: str, codec: str) -> None:
    data = "名称,数量\r\n笔记本,12\r\n表 龍,\r\n".encode(codec)
    reader = form(encoding=encoding)
    assert list(reader.columns(io.BytesIO(data))) == ["名称", "数量"]
    assert read(reader, data) == [("笔记本", "12"), ("表 龍", None)]


def test_an_empty_field_is_null_and_an_empty_quoted_field_is_empty_text() -> None:
    assert read(form(), b'a,b,c\n1,,""\n') == [("1", None, "")]


def test_other_delimiters_no_header_and_blank_lines() -> None:
    assert read(form(delimiter="\t", header=False), b"1\tx\n\n2\ty") == [("1", "x"), ("2", "y")]
    assert list(form(header=False).columns(io.BytesIO(b"1,x\n"))) == ["column_1", "column_2"]


def test_only_a_header_and_nothing_at_all() -> None:
    assert read(form(), b"a,b\n") == []
    assert read(form(), b"a,b") == []
    assert form().columns(io.BytesIO(b"")) == {}


def test_after_the_start_no_header_is_expected() -> None:
    reader = form()
    rows = [batch.to_pydict() for batch in reader.read(io.BytesIO(b"3,z\n"), ("a", "b"), behind_start=True)]
    assert rows == [{"a": ["3"], "b": ["z"]}]


@pytest.mark.parametrize(
    ("data", "record"),
    [
        (b"a,b\n1,2\n3,4,5\n", 2),
        (b"a,b\n" + b"1,2\n" * 3_000_000 + b"x\n", 3_000_001),
        (b"a,a\n1,2\n", 0),
        ("a\n1\n中\n".encode("gb18030"), 0),
    ],
)
def test_a_malformed_record_is_reported_by_its_number(data: bytes, record: int) -> None:
    with pytest.raises(BadRecord) as bad:
        read(form(), data)
    assert bad.value.record == record


def test_a_name_of_a_column_may_be_missing_but_not_come_twice() -> None:
    assert list(form().columns(io.BytesIO(b"a,,c\n"))) == ["a", "column_2", "c"]
    with pytest.raises(BadRecord):
        form().columns(io.BytesIO(b"Name,name\n"))
