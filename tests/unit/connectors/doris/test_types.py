"""Types as DESC spells them, and statements whose values are literals."""

from typing import Any, cast

import pymysql
import pytest

from zcbus.connectors.doris.connection import DorisConnection
from zcbus.connectors.doris.types import data_type
from zcbus.model.types import DataType, Kind


@pytest.mark.parametrize(
    ("spelled", "expected"),
    [
        ("BOOLEAN", DataType(Kind.BOOLEAN, "boolean")),
        ("tinyint(1)", DataType(Kind.BOOLEAN, "tinyint(1)")),
        ("tinyint(4)", DataType(Kind.INT8, "tinyint(4)")),
        ("INT", DataType(Kind.INT32, "int")),
        ("bigint(20)", DataType(Kind.INT64, "bigint(20)")),
        ("LARGEINT", DataType(Kind.DECIMAL, "largeint", precision=39, scale=0)),
        ("decimalv3(27, 9)", DataType(Kind.DECIMAL, "decimalv3(27, 9)", precision=27, scale=9)),
        ("DECIMAL(10,0)", DataType(Kind.DECIMAL, "decimal(10,0)", precision=10, scale=0)),
        ("datetime", DataType(Kind.TIMESTAMP, "datetime", precision=6)),
        ("DATETIMEV2(0)", DataType(Kind.TIMESTAMP, "datetimev2(0)", precision=0)),
        ("datev2", DataType(Kind.DATE, "datev2")),
        ("varchar(20)", DataType(Kind.TEXT, "varchar(20)", length=20)),
        ("text", DataType(Kind.TEXT, "text")),
        ("jsonb", DataType(Kind.JSON, "jsonb")),
        ("bitmap", DataType(Kind.UNSUPPORTED, "bitmap", reason="unknown-type")),
        ("ARRAY<INT>", DataType(Kind.UNSUPPORTED, "ARRAY<INT>", reason="unknown-type")),
    ],
)
def test_types(spelled: str, expected: DataType) -> None:
    assert data_type(spelled) == expected


def test_values_become_literals_and_names_stay() -> None:
    connection: Any = object.__new__(DorisConnection)
    connection._driver = object.__new__(pymysql.connections.Connection)
    connection._driver.encoders, connection._driver.server_status = pymysql.converters.encoders, 0
    statement = "SELECT `a?``b`, '\\'?' FROM t WHERE x > ? AND y = ?"
    bound = cast("DorisConnection", connection)._bound(statement, ["o'\\", "?"])
    assert bound == "SELECT `a?``b`, '\\'?' FROM t WHERE x > 'o\\'\\\\' AND y = '?'"
