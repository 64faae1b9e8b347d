"""JSON lines keep each value in its original notation."""

import io
import json
from collections.abc import Iterator

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zcbus.connectors.formats import BadRecord
from zcbus.connectors.formats.json_blocks import BlockParser
from zcbus.connectors.formats.json_lines import JsonLines


def read(data: bytes, encoding: str = "utf-8") -> list[dict[str, object]]:
    form = JsonLines(encoding)
    names = form.columns(io.BytesIO(data))
    return [row for batch in form.read(io.BytesIO(data), list(names), behind_start=False) for row in batch.to_pylist()]


def test_scalars_and_what_is_within() -> None:
    lines = [
        '\ufeff{"a": 1.50, "b": true}\n',
        '{"b": null, "c": {"x": [1, 2.0, "名", null, false]}}',
        '{"a": 12345678901234567890123}',
    ]
    assert read("\n".join(lines).encode()) == [
        {"a": "1.50", "b": "true", "c": None},
        {"a": None, "b": None, "c": '{"x": [1, 2.0, "名", null, false]}'},
        {"a": "12345678901234567890123", "b": None, "c": None},
    ]


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), lambda s: st.lists(s, max_size=3)))
def test_lists_are_the_same_json(value: object) -> None:
    (row,) = read(json.dumps({"v": [value]}).encode())
    assert json.loads(str(row["v"])) == [value]


NUMBERS = ["0", "-0", "-0.0", "1e3", "1.50", "18446744073709551616", "-9223372036854775809", "12", "true", "false"]
VALUES = (
    st.sampled_from(NUMBERS).map(lambda one: (one, one))
    | st.just(("null", None))
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=5).map(lambda one: (json.dumps(one), one))
)
"""Notation, and what is read."""


@given(st.dictionaries(st.text("abc", min_size=1), VALUES, min_size=1))
def test_values_keep_their_notation(values: dict[str, tuple[str, str | None]]) -> None:
    line = "{" + ", ".join(f'"{name}": {notation}' for name, (notation, _) in values.items()) + "}"
    (row,) = read(line.encode())
    assert row == {name: wanted for name, (_, wanted) in values.items()}


def test_other_encodings() -> None:
    assert read('{"名": "笔记本"}\n'.encode("gb18030"), "gb18030") == [{"名": "笔记本"}]


@pytest.mark.parametrize(
    ("line", "record"),
    [(b"{", 2), (b"[1]", 2), (b'{"a": NaN}', 2), (b"\xff\xff", 2), (b'{"a": ' + b"[" * 100_000, 2)],
)
def test_a_malformed_record_is_reported_by_its_number(line: bytes, record: int) -> None:
    with pytest.raises(BadRecord) as bad:
        read(b'{"a": 1}\n' + line)
    assert bad.value.record == record


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(BadRecord) as bad:
        list(JsonLines("utf-8").read(io.BytesIO(b'{"a": 1}\n{"b": 2}\n'), ("a",), behind_start=False))
    assert bad.value.record == 2


PIECES = (
    '{"a":1}',
    '{"a":1,"b":true}',
    '{"a": "x", "b": null}',
    '{"a":"2020-01-01"}',
    '{"a":"2020-01-01 10:00:00"}',
    '{"a":-0}',
    '{"a":  -0}',
    '{"a":"-0"}',
    '{"a":1.50}',
    '{"a":9223372036854775808}',
    '{"a":[1]}',
    '{"a":1,"a":2}',
    '{"a":1}{"a":2}',
    '{"a":"x}',
    '{y"}',
    '{"a":"\\ud800"}',
    '{"a":"\tx"}',
    '{"c":1}',
    "{}",
    "",
    " ",
    "[1]",
    "{",
)


def outcome(batches: Iterator[pa.RecordBatch]) -> tuple[list[object], int | None]:
    rows: list[object] = []
    try:
        for batch in batches:
            rows += batch.to_pylist()
    except BadRecord as bad:
        return [], bad.record
    return rows, None


@settings(max_examples=400, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(["\n", "\r\n", " \n"])), max_size=5), st.booleans())
def test_blocks_give_what_single_records_give(lines: list[tuple[str, str]], ends: bool) -> None:
    data = "".join(piece + end for piece, end in lines)
    data = data if ends else data.rstrip("\r\n")
    form = JsonLines("utf-8")
    found = outcome(form.read(io.BytesIO(data.encode()), ("a", "b"), behind_start=False))
    assert found == outcome(form._singly(io.BytesIO(data.encode()), ("a", "b"), 0))


def test_plain_blocks_are_parsed_together() -> None:
    batch = BlockParser(("a", "b", "c")).parse(b'{"b":12,"a":"2020-01-01"}\r\n{"a":"x:-0","b":-7}\n')
    assert batch is not None
    assert batch.to_pylist() == [{"a": "2020-01-01", "b": "12", "c": None}, {"a": "x:-0", "b": "-7", "c": None}]


def test_records_are_numbered_over_blocks() -> None:
    lines = [b'{"a": %d, "b": "%s"}' % (number, b"x" * 200) for number in range(40_000)]
    lines[35_000] = b'{"a": 1.50}'
    form = JsonLines("utf-8")
    batches = list(form.read(io.BytesIO(b"\n".join(lines)), ("a", "b"), behind_start=False))
    found = [one for batch in batches for one in batch.column(0).to_pylist()]
    assert len(found) == 40_000
    assert found[34_999:35_002] == ["34999", "1.50", "35001"]
    lines[38_000] = b"["
    with pytest.raises(BadRecord) as bad:
        list(form.read(io.BytesIO(b"\n".join(lines)), ("a", "b"), behind_start=False))
    assert bad.value.record == 38_001
