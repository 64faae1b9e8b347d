"""JSON lines keep each value in its original notation."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zcbus.connectors.formats import BadRecord
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
