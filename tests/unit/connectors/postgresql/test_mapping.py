"""Mapping of other databases' columns, and the parts of a schema that a target gets."""

import pytest

from zcbus.connectors.postgresql.apply.mapping import map_type
from zcbus.connectors.postgresql.capture.lsn import format_lsn, parse_lsn
from zcbus.connectors.postgresql.capture.slots import object_name
from zcbus.model.types import DataType, Kind


@pytest.mark.parametrize(
    ("data", "expected", "note"),
    [
        (DataType(Kind.INT8, "tinyint(1)"), "smallint", "type-widened"),
        (DataType(Kind.UINT16, "smallint unsigned"), "integer", "type-widened"),
        (DataType(Kind.UINT32, "int unsigned"), "bigint", "type-widened"),
        (DataType(Kind.UINT64, "bigint unsigned"), "numeric(20,0)", "type-widened"),
        (DataType(Kind.DECIMAL, "decimal(65,30)", precision=65, scale=30), "numeric(65,30)", ""),
        (DataType(Kind.TEXT, "char(5)", length=5, fixed=True), "character varying(5)", ""),
        (DataType(Kind.TEXT, "varchar(0)", length=0), "character varying(1)", ""),
        (DataType(Kind.TEXT, "longtext"), "text", ""),
        (DataType(Kind.BINARY, "varbinary(9)", length=9), "bytea", ""),
        (DataType(Kind.TIMESTAMP, "datetime(3)", precision=3), "timestamp(3)", "zero-dates-infinity"),
        (
            DataType(Kind.TIMESTAMP_TZ, "timestamp", precision=0),
            "timestamp(0) with time zone",
            "zero-dates-infinity",
        ),
        (DataType(Kind.DURATION, "time(6)", precision=6), "interval(6)", "stored-as-interval"),
        (DataType(Kind.BIT, "bit(9)", length=9, fixed=True), "bit(9)", ""),
        (DataType(Kind.YEAR, "year"), "smallint", "type-widened"),
        (DataType(Kind.SET, "set('a')", values=("a",)), "text", "stored-as-text"),
        (DataType(Kind.JSON, "json"), "json", ""),
    ],
)
def test_types_of_mysql(data: DataType, expected: str, note: str) -> None:
    mapped = map_type("mysql", data)
    assert (mapped.type, mapped.note, mapped.blocking) == (expected, note, False)


def test_every_kind_has_a_place() -> None:
    for kind in Kind:
        mapped = map_type("mysql", DataType(kind, "x", reason="why"))
        assert mapped.blocking == (kind == Kind.UNSUPPORTED)


def test_own_types_stay() -> None:
    assert map_type("postgresql", DataType(Kind.OTHER, "inet")).note == ""
    mapped = map_type("postgresql", DataType(Kind.OTHER, "public.hstore"))
    assert (mapped.type, mapped.note) == ("public.hstore", "type-must-exist")


def test_slot_names_are_what_slots_may_be_called() -> None:
    assert object_name("Node-1 表") == "zcbus_node_1__"
    assert len(object_name("x" * 100)) == 63


def test_log_positions_there_and_back() -> None:
    assert format_lsn(parse_lsn("16/B374D848")) == "16/B374D848"
    assert format_lsn(0) == "0/0"
