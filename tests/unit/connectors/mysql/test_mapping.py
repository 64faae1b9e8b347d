"""Mapping of columns, and encoding of values."""

import pyarrow as pa
import pytest

from zcbus.connectors.errors import RowRefused
from zcbus.connectors.mysql.apply.encode import array_as_json, encode, hexadecimal
from zcbus.connectors.mysql.apply.mapping import declare
from zcbus.connectors.mysql.capture.position import LogFile
from zcbus.connectors.mysql.catalog.types import DeclaredType, neutral_type
from zcbus.connectors.mysql.connection.grants import parse_grants
from zcbus.connectors.mysql.connection.session import ServerVersion
from zcbus.connectors.mysql.snapshot.key_conditions import KeyOrder
from zcbus.model.position import Position
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind


def _schema(*types: DataType, dialect: str = "postgresql") -> TableSchema:
    columns = tuple(Column(f"c{number}", data_type) for number, data_type in enumerate(types))
    return TableSchema(TableName("s", "t"), dialect, columns)


@pytest.mark.parametrize(
    ("source", "target", "note"),
    [
        (DataType(Kind.BOOLEAN, "boolean"), "tinyint(1)", ""),
        (DataType(Kind.DECIMAL, "numeric"), "longtext", "stored-as-text"),
        (DataType(Kind.DECIMAL, "numeric(65,30)", precision=65, scale=30), "decimal(65,30)", ""),
        (DataType(Kind.DECIMAL, "numeric(66,0)", precision=66, scale=0), "longtext", "stored-as-text"),
        (DataType(Kind.DECIMAL, "numeric(3,-2)", precision=3, scale=-2), "longtext", "stored-as-text"),
        (DataType(Kind.TIMESTAMP_TZ, "timestamptz", precision=6), "datetime(6)", "zone-dropped-utc"),
        (DataType(Kind.TIMESTAMP, "timestamp(0)", precision=0), "datetime", ""),
        (DataType(Kind.TEXT, "char(5)", length=5, fixed=True), "varchar(5)", ""),
        (DataType(Kind.TEXT, "text"), "longtext", ""),
        (DataType(Kind.BIT, "bit(64)", length=64, fixed=True), "bit(64)", ""),
        (DataType(Kind.BIT, "bit(65)", length=65, fixed=True), "longtext", "stored-as-text"),
        (DataType(Kind.BIT, "varbit", length=8), "longtext", "stored-as-text"),
        (DataType(Kind.ENUM, "mood", values=("a", "A'")), "enum('a','A''')", ""),
        (DataType(Kind.ENUM, "mood", values=("a", "a ")), "longtext", "stored-as-text"),
        (DataType(Kind.ARRAY, "int[]"), "json", "stored-as-json"),
        (DataType(Kind.INTERVAL, "interval"), "varchar(255)", "stored-as-text"),
    ],
)
def test_types_of_another_dialect(source: DataType, target: str, note: str) -> None:
    declared = declare(_schema(source), ())["c0"]
    assert (declared.type, declared.note, declared.blocking) == (target, note, False)


def test_unlimited_texts_share_the_room_of_a_key() -> None:
    text = DataType(Kind.TEXT, "text")
    schema = _schema(*[text] * 4, DataType(Kind.BINARY, "bytea"))
    declared = declare(schema, ("c0", "c1", "c2", "c3"))
    assert {declared[f"c{number}"].type for number in range(4)} == {"varchar(192)"}
    assert declare(schema, ("c0",))["c0"].type == "varchar(255)"
    assert declare(schema, ("c4",))["c4"].type == "varbinary(255)"
    assert declare(schema, ("c0",))["c0"].note == "length-limited"


def test_a_type_that_cannot_be_replicated_blocks() -> None:
    declared = declare(_schema(DataType(Kind.UNSUPPORTED, "point", reason="spatial-type")), ())["c0"]
    assert declared.blocking
    assert declared.facts == (("reason", "spatial-type"),)


@pytest.mark.parametrize(
    ("literal", "element", "expected"),
    [
        ("{}", Kind.INT32, "[]"),
        ("{1,NULL,-3}", Kind.INT32, "[1,null,-3]"),
        ("{{1,2},{3,4}}", Kind.INT32, "[[1,2],[3,4]]"),
        ("[2:3]={1,2}", Kind.INT32, "[1,2]"),
        ('{"a,b","q\\"\\\\",NULL,"NULL",""}', Kind.TEXT, '["a,b","q\\"\\\\",null,"NULL",""]'),
        ("{t,f,NULL}", Kind.BOOLEAN, "[true,false,null]"),
        ("{1.50,NaN,1e100}", Kind.DECIMAL, '[1.50,"NaN",1e100]'),
        ('{"{\\"a\\": 1}"}', Kind.JSON, '[{"a": 1}]'),
        ("{中文,a b}", Kind.TEXT, '["中文","a b"]'),
    ],
)
def test_arrays_become_json(literal: str, element: Kind, expected: str) -> None:
    assert array_as_json(literal, DataType(element, element.value)) == expected


@pytest.mark.parametrize(
    ("literal", "native", "expected"),
    [
        ("{(1,1),(0,0);(2,2),(0,0)}", "box", '["(1,1),(0,0)","(2,2),(0,0)"]'),
        ("{{(1,1),(0,0)};{NULL}}", "box", '[["(1,1),(0,0)"],[null]]'),
        ("{0101:0102}", "geometry(Point,4326)", '["0101","0102"]'),
    ],
)
def test_arrays_with_another_sign_between_elements(literal: str, native: str, expected: str) -> None:
    assert array_as_json(literal, DataType(Kind.OTHER, native)) == expected


def test_invalid_arrays_are_refused() -> None:
    with pytest.raises(RowRefused):
        array_as_json("{1,2", DataType(Kind.INT32, "integer"))


def test_hexadecimal_of_slices() -> None:
    column = pa.array([b"\x00\xff", None, b"", b"ab"], pa.binary())
    assert hexadecimal(column).to_pylist() == ["00ff", None, "", "6162"]
    assert hexadecimal(column.slice(1, 3)).to_pylist() == [None, "", "6162"]
    assert hexadecimal(pa.array([], pa.binary())).to_pylist() == []


def test_infinite_moments() -> None:
    source = DataType(Kind.TIMESTAMP_TZ, "timestamptz", precision=6)
    target = DataType(Kind.TIMESTAMP, "datetime(3)", precision=3)
    values = pa.array(["infinity", "-infinity", "2024-01-01 00:00:00.5+00", None])
    assert encode(values, source, target, "c").text.to_pylist() == [
        "9999-12-31 23:59:59.999",
        "0000-00-00 00:00:00",
        "2024-01-01 00:00:00.5",
        None,
    ]


def test_reading_on_behind_a_key() -> None:
    schema = _schema(
        DataType(Kind.INT64, "bigint"),
        DataType(Kind.TEXT, "text"),
        DataType(Kind.ENUM, "enum", values=("b", "a")),
        DataType(Kind.BINARY, "blob"),
        DataType(Kind.FLOAT32, "float"),
        DataType(Kind.BIT, "bit(4)", length=4),
    )
    assert KeyOrder(schema, ("c0",)).behind(("-5",)) == ("`c0` > -5", [])
    assert KeyOrder(schema, ("c1",)).behind(("it's",)) == ("`c1` > %s", ["it's"])
    assert KeyOrder(schema, ("c2",)).behind(("a",)) == ("`c2`+0 > 2", [])
    assert KeyOrder(schema, ("c3",)).behind(("00ff",)) == ("`c3` > X'00ff'", [])
    assert KeyOrder(schema, ("c4",)).behind(("1.1",)) == ("`c4` > (1.100000023841858*1e0)", [])
    assert KeyOrder(schema, ("c5",)).behind(("0101",)) == ("`c5`+0 > 5", [])
    condition, params = KeyOrder(schema, ("c1", "c0")).behind(("x", "7"))
    assert condition == "`c1` >= %s AND ((`c1` > %s) OR (`c1` = %s AND `c0` > 7))"
    assert params == ["x", "x", "x"]
    with pytest.raises(ValueError):
        KeyOrder(schema, ("c0",)).behind(("1; DROP TABLE t",))


def test_grants() -> None:
    grants = parse_grants(
        [
            "GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO `u`@`%` IDENTIFIED BY PASSWORD '*0'",
            "GRANT SELECT, INSERT (`a`, `b`), UPDATE ON `shop\\_1`.* TO `u`@`%`",
            "GRANT DELETE ON `shop_1`.`orders` TO `u`@`%`",
            "GRANT `role` TO `u`@`%`",
            "GRANT ALL PRIVILEGES ON `dev%`.* TO `u`@`%`",
        ]
    )
    assert grants.globally("REPLICATION CLIENT")
    assert grants.on_database("shop_1", "SELECT")
    assert not grants.on_database("shopx1", "SELECT")
    assert not grants.on_database("shop_1", "DELETE")
    assert grants.somewhere("shop_1", "DELETE")
    assert grants.on_database("dev7", "DROP")
    assert not grants.globally("SUPER")


@pytest.mark.parametrize(
    ("text", "mariadb", "number"),
    [
        ("8.0.36", False, (8, 0, 36)),
        ("5.7.44-log", False, (5, 7, 44)),
        ("5.5.5-10.11.6-MariaDB-log", True, (10, 11, 6)),
        ("11.4.2-MariaDB-ubu2404", True, (11, 4, 2)),
    ],
)
def test_versions(text: str, mariadb: bool, number: tuple[int, int, int]) -> None:
    version = ServerVersion.parse(text)
    assert (version.mariadb, version.number) == (mariadb, number)


def test_log_file_names() -> None:
    file = LogFile.parse("host-bin.000042")
    assert (file.number, file.holding(Position(1000001, 4)).name) == (42, "host-bin.1000001")


@pytest.mark.parametrize(
    ("declared", "kind"),
    [
        (DeclaredType("enum('a','b''c')", "enum"), Kind.ENUM),
        (DeclaredType("bigint(20) unsigned", "bigint"), Kind.UINT64),
        (DeclaredType("longtext", "longtext", charset="utf8mb4", is_json=True), Kind.JSON),
        (DeclaredType("text", "text", charset="binary"), Kind.BINARY),
        (DeclaredType("vector(3)", "vector"), Kind.UNSUPPORTED),
        (DeclaredType("varchar(9) /*M!100301 COMPRESSED*/", "varchar", charset="utf8mb4"), Kind.UNSUPPORTED),
    ],
)
def test_neutral_types(declared: DeclaredType, kind: Kind) -> None:
    assert neutral_type(declared).kind is kind
    if kind is Kind.ENUM:
        assert neutral_type(declared).values == ("a", "b'c")
