"""Keys as literals: only those that a server compares with a column as it keeps them."""

import pyarrow as pa
import pytest

from zcbus.connectors.mysql.apply.encode import EncodedColumn, Form
from zcbus.connectors.mysql.apply.literals import as_keys, delete_statements, update_statements
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind


def key_of(target: DataType, *texts: str | None, form: Form = Form.TEXT) -> list[EncodedColumn] | None:
    table = TableSchema(TableName("s", "t"), "mysql", (Column("k", target, True),), ("k",))
    return as_keys([EncodedColumn("k", pa.array(texts, pa.string()), form)], table)


SECONDS, MICROSECONDS = (DataType(Kind.TIMESTAMP, "", precision=digits) for digits in (0, 6))


@pytest.mark.parametrize(
    ("target", "text", "literal"),
    [
        (DataType(Kind.INT64, ""), "-5", "-5"),
        (DataType(Kind.INT64, ""), "1 OR 1", None),
        (DataType(Kind.DECIMAL, ""), "0.10", "0.10"),
        (DataType(Kind.DECIMAL, ""), "NaN", None),
        (DataType(Kind.TEXT, ""), "it's\\", "'it''s\\\\'"),
        (DataType(Kind.TEXT, ""), "007", "'007'"),
        (DataType(Kind.DATE, ""), "2020-01-01 10:00:00", None),
        (SECONDS, "2020-01-01 10:00:00", "'2020-01-01 10:00:00'"),
        (SECONDS, "2020-01-01 10:00:00.5", None),
        (MICROSECONDS, "2020-01-01 10:00:00.123456", "'2020-01-01 10:00:00.123456'"),
        (DataType(Kind.FLOAT32, ""), "0.1", None),
        (DataType(Kind.ENUM, ""), "a", None),
    ],
)
def test_texts_that_a_column_compares_with_exactly(target: DataType, text: str, literal: str | None) -> None:
    keys = key_of(target, text)
    assert (list(delete_statements("t", keys)) if keys else None) == (
        [f"DELETE FROM t WHERE (`k` = {literal})"] if literal else None
    )


def test_bytes_of_a_fixed_length_are_filled_up_by_the_server() -> None:
    assert key_of(DataType(Kind.BINARY, "", length=4, fixed=True), "00ff", form=Form.HEX) is None
    keys = key_of(DataType(Kind.BINARY, "", length=4), "00ff", form=Form.HEX)
    assert keys is not None
    assert list(delete_statements("t", keys)) == ["DELETE FROM t WHERE (`k` = X'00ff')"]


def test_nulls_match_nulls_and_are_set() -> None:
    keys = key_of(DataType(Kind.INT64, ""), "1", None)
    assert keys is not None
    assert list(delete_statements("t", keys)) == ["DELETE FROM t WHERE (`k` = 1) OR (`k` IS NULL)"]
    value = EncodedColumn("v", pa.array([None, "1"]), Form.TEXT)
    bits = EncodedColumn("n", pa.array(["5", None]), Form.NUMBER)
    assert list(update_statements("t", keys, [value, bits])) == [
        "UPDATE t SET `v` = NULL, `n` = CAST('5' AS UNSIGNED) WHERE (`k` = 1)",
        "UPDATE t SET `v` = '1', `n` = NULL WHERE (`k` IS NULL)",
    ]
