"""Columns as texts of JSON: the same values as row by row."""

from typing import Any

import orjson
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zcbus.connectors.writing.json_texts import objects, values
from zcbus.connectors.writing.json_values import to_json
from zcbus.model.types import DataType, Kind

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
CANONICAL: dict[Kind, st.SearchStrategy[Any]] = {
    Kind.INT64: st.integers(-(2**63), 2**63 - 1).map(str),
    Kind.UINT64: st.integers(0, 2**64 - 1).map(str),
    Kind.YEAR: st.integers(0, 9999).map(lambda year: f"{year:04}"),
    Kind.BOOLEAN: st.sampled_from("tf"),
    Kind.BINARY: st.binary(),
    Kind.DECIMAL: st.decimals(allow_nan=False, allow_infinity=False).map(lambda number: f"{number:f}"),
    Kind.FLOAT64: st.floats().map(repr),
    Kind.TEXT: TEXTS,
}


@given(st.data())
def test_rows_are_the_same_objects_as_one_by_one(data: st.DataObject) -> None:
    kinds = data.draw(st.lists(st.sampled_from(list(CANONICAL)), min_size=1, max_size=4))
    names = data.draw(st.lists(TEXTS, min_size=len(kinds), max_size=len(kinds), unique=True))
    rows = data.draw(st.lists(st.tuples(*(st.none() | CANONICAL[kind] for kind in kinds)), max_size=6))
    types = [DataType(kind, kind.value) for kind in kinds]
    columns = [
        pa.array([row[at] for row in rows], pa.binary() if kind is Kind.BINARY else pa.string())
        for at, kind in enumerate(kinds)
    ]
    made = objects(names, [values(one, column) for one, column in zip(types, columns, strict=True)])
    forms = [to_json(one) for one in types]
    wanted = [
        {name: None if value is None else form(value) for name, form, value in zip(names, forms, row, strict=True)}
        for row in rows
    ]
    assert [orjson.loads(one) for one in made.to_pylist()] == wanted


def test_numbers_keep_their_digits_and_what_is_no_number_stays_text() -> None:
    column = pa.array(["1.10", "-0", "1e+400", "NaN", "-Infinity", "01", None])
    found = values(DataType(Kind.FLOAT64, "double"), column, floats=True)
    assert found.to_pylist() == ["1.10", "-0", "1e+400", '"NaN"', '"-Infinity"', '"01"', None]


@pytest.mark.parametrize("text", ["", "x", "1.5", "9223372036854775808"])
def test_a_text_that_is_no_value_is_an_error(text: str) -> None:
    with pytest.raises(ValueError):
        values(DataType(Kind.INT64, "bigint"), pa.array([text]))
