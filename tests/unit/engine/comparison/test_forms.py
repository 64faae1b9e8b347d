"""The same value in the words of two databases is no difference; another value is one."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from zcbus.connectors.mysql.apply.encode import stored_form as in_mysql
from zcbus.connectors.postgresql.apply.encode import stored_form as in_postgresql
from zcbus.engine.comparison.forms import ComparedColumn, StoredForm, form_of
from zcbus.model.types import DataType, Kind


def typed(kind: Kind, **fields: Any) -> DataType:
    return DataType(kind, kind.value, **fields)


def column(source: DataType, target: DataType, stored: StoredForm, strict: bool = False) -> ComparedColumn:
    return ComparedColumn("c", "c", source, target, form_of(source, target, strict=strict), stored)


def differs(compared: ComparedColumn, ours: Any, theirs: Any) -> bool:
    def array(value: Any) -> Any:
        return pa.array([value, "0"] if not isinstance(value, bytes) else [value, b"0"])

    found = compared.differing(array(ours).slice(0, 1), array(theirs).slice(0, 1))
    return found is not None and bool(np.any(found))


DECIMAL = typed(Kind.DECIMAL, precision=10, scale=2)
CHAR = typed(Kind.TEXT, length=5, fixed=True)
TEXT = typed(Kind.TEXT)
MOMENT = typed(Kind.TIMESTAMP, precision=6)
ZONED = typed(Kind.TIMESTAMP_TZ, precision=6)
JSON = typed(Kind.JSON)
SAME: list[tuple[DataType, DataType, StoredForm, Any, Any]] = [
    (typed(Kind.BOOLEAN), typed(Kind.INT8), in_mysql, "t", "1"),
    (DECIMAL, typed(Kind.DECIMAL), in_postgresql, "1.50", "1.5"),
    (DECIMAL, DECIMAL, in_mysql, "-0.00", "0"),
    (typed(Kind.DECIMAL), TEXT, in_mysql, "100.10", "100.1"),
    (typed(Kind.INT64), DECIMAL, in_postgresql, "100", "100.00"),
    (typed(Kind.FLOAT64), typed(Kind.FLOAT64), in_mysql, "1e+20", "100000000000000000000"),
    (typed(Kind.FLOAT64), typed(Kind.FLOAT64), in_mysql, "-0", "0"),
    (typed(Kind.FLOAT64), typed(Kind.FLOAT64), in_postgresql, "NaN", "nan"),
    (typed(Kind.FLOAT32), typed(Kind.FLOAT64), in_mysql, "0.1", "0.10000000149011612"),
    (CHAR, TEXT, in_mysql, "ab   ", "ab"),
    (ZONED, MOMENT, in_mysql, "2026-01-01 10:00:00.5+00", "2026-01-01 10:00:00.500000"),
    (ZONED, ZONED, in_postgresql, "2026-01-01 10:00:00.500000+00", "2026-01-01 10:00:00.5+00"),
    (MOMENT, ZONED, in_postgresql, "2026-01-01 10:00:00", "2026-01-01 10:00:00+00"),
    (MOMENT, typed(Kind.TIMESTAMP, precision=0), in_mysql, "2026-01-01 10:00:00.6", "2026-01-01 10:00:01"),
    (MOMENT, MOMENT, in_mysql, "-infinity", "0000-00-00 00:00:00"),
    (MOMENT, MOMENT, in_postgresql, "0000-00-00 00:00:00", "-infinity"),
    (typed(Kind.DATE), MOMENT, in_mysql, "2026-01-01", "2026-01-01 00:00:00"),
    (typed(Kind.DURATION), typed(Kind.INTERVAL), in_postgresql, "-12:00:00.50", "-12:00:00.5"),
    (JSON, JSON, in_mysql, '{"a": 1.0, "b": [2]}', '{"b":[2],"a":1}'),
    (typed(Kind.ARRAY, element=typed(Kind.INT32)), JSON, in_mysql, "{1,NULL}", "[1, null]"),
    (typed(Kind.UUID), CHAR, in_mysql, "a0ee", "A0EE"),
    (typed(Kind.BINARY), typed(Kind.BINARY, length=4, fixed=True), in_mysql, b"ab", b"ab\0\0"),
    (TEXT, TEXT, in_mysql, None, None),
]
DIFFERENT: list[tuple[DataType, DataType, StoredForm, Any, Any]] = [
    (MOMENT, MOMENT, in_postgresql, "2026-00-10 00:00:00", "-infinity"),
    (TEXT, TEXT, in_mysql, "a", "A"),
    (TEXT, TEXT, in_mysql, "a", "a "),
    (TEXT, TEXT, in_mysql, "", None),
    (DECIMAL, DECIMAL, in_mysql, "1.50", "1.51"),
    (typed(Kind.FLOAT64), typed(Kind.FLOAT64), in_mysql, "0.1", "0.10000000149011612"),
    (MOMENT, MOMENT, in_mysql, "2026-01-01 10:00:00.6", "2026-01-01 10:00:01"),
    (JSON, JSON, in_mysql, '{"a": 1}', '{"a": "1"}'),
    (typed(Kind.BINARY), typed(Kind.BINARY), in_mysql, b"ab", b"ab\0"),
]


@pytest.mark.parametrize(("source", "target", "stored", "ours", "theirs"), SAME)
def test_two_spellings_of_a_value_are_equal(
    source: DataType, target: DataType, stored: StoredForm, ours: Any, theirs: Any
) -> None:
    assert not differs(column(source, target, stored), ours, theirs)


@pytest.mark.parametrize(("source", "target", "stored", "ours", "theirs"), DIFFERENT)
def test_two_values_are_a_difference(
    source: DataType, target: DataType, stored: StoredForm, ours: Any, theirs: Any
) -> None:
    assert differs(column(source, target, stored), ours, theirs)


def test_strictly_the_spelling_counts_where_both_sides_keep_it() -> None:
    assert differs(column(DECIMAL, DECIMAL, in_mysql, strict=True), "1.50", "1.5")
    assert differs(column(CHAR, TEXT, in_mysql, strict=True), "ab   ", "ab")
    assert differs(column(JSON, JSON, in_mysql, strict=True), '{"a":1}', '{"a": 1}')
    assert not differs(column(typed(Kind.BOOLEAN), typed(Kind.INT8), in_mysql, strict=True), "t", "1")
