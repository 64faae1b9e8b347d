"""What became of columns between two structures, and what a target can follow."""

from dataclasses import replace

import pytest

from zcbus.model.evolution import compare, is_widening, value_in_old_rows
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

INT = DataType(Kind.INT32, "integer")
TEXT = DataType(Kind.TEXT, "varchar(20)", length=20)


def table(*columns: Column, dialect: str = "postgresql") -> TableSchema:
    return TableSchema(TableName("s", "t"), dialect, columns, ("id",))


def numbered(*names: str) -> TableSchema:
    """`a2`: column a with number 2."""
    return table(*(Column(name[:-1], INT, number=int(name[-1])) for name in names))


def test_numbers_distinguish_renames_from_replacements() -> None:
    change = compare(numbered("i1", "a2", "b3", "c4"), numbered("i1", "b2", "a3", "c5"))
    assert change.renamed == (("a", "b"), ("b", "a"))
    assert [column.name for column in change.dropped] == ["c"]
    assert [column.name for column in change.added] == ["c"]
    assert not change.problems


def test_former_names_show_renames_where_there_are_no_numbers() -> None:
    before = table(Column("id", INT), Column("a", TEXT), dialect="mysql")
    after = table(Column("id", INT), Column("b", TEXT, former="a"), dialect="mysql")
    assert compare(before, after).renamed == (("a", "b"),)
    assert not compare(after, after).renamed
    unknown = table(Column("id", INT), Column("b", TEXT), dialect="mysql")
    (problem,) = compare(before, unknown).problems
    assert (problem.why, problem.before, problem.after) == ("renamed-or-replaced", "a", "b")


@pytest.mark.parametrize(
    ("before", "after", "widens"),
    [
        (INT, DataType(Kind.INT64, "bigint"), True),
        (DataType(Kind.INT64, "bigint"), INT, False),
        (DataType(Kind.UINT32, "int unsigned"), DataType(Kind.INT64, "bigint"), True),
        (DataType(Kind.UINT32, "int unsigned"), INT, False),
        (TEXT, DataType(Kind.TEXT, "text"), True),
        (TEXT, DataType(Kind.TEXT, "varchar(10)", length=10), False),
        (TEXT, DataType(Kind.TEXT, "char(20)", length=20, fixed=True), False),
        (INT, TEXT, False),
        (DataType(Kind.FLOAT32, "real"), DataType(Kind.FLOAT64, "double precision"), False),
        (
            DataType(Kind.DECIMAL, "numeric(10,2)", precision=10, scale=2),
            DataType(Kind.DECIMAL, "numeric(12,2)", precision=12, scale=2),
            True,
        ),
        (
            DataType(Kind.DECIMAL, "numeric(10,2)", precision=10, scale=2),
            DataType(Kind.DECIMAL, "numeric(10,4)", precision=10, scale=4),
            False,
        ),
        (DataType(Kind.ENUM, "e", values=("a",)), DataType(Kind.ENUM, "f", values=("a", "b")), True),
        (DataType(Kind.ENUM, "e", values=("a", "b")), DataType(Kind.ENUM, "f", values=("b", "a")), False),
    ],
)
def test_widening(before: DataType, after: DataType, widens: bool) -> None:
    assert is_widening(before, after) is widens
    change = compare(table(Column("id", INT), Column("c", before)), table(Column("id", INT), Column("c", after)))
    assert bool(change.problems) is not widens


@pytest.mark.parametrize(
    ("default", "value"),
    [
        ("7", "7"),
        ("'-1'::integer", "-1"),
        ("(-2.5)", "-2.5"),
        ("'it''s'::character varying", "it's"),
        ("true", "t"),
        ("NULL::character varying", None),
        ("now()", None),
        ("nextval('s'::regclass)", None),
    ],
)
def test_values_of_old_rows(default: str, value: str | None) -> None:
    column = Column("c", TEXT, default=default)
    assert value_in_old_rows(column, fills_not_null=False) == value
    unknown = default.startswith(("now", "nextval"))
    assert bool(compare(table(Column("id", INT)), table(Column("id", INT), column)).problems) is unknown


def test_a_database_may_fill_what_may_not_be_null() -> None:
    column = Column("c", INT, nullable=False)
    assert value_in_old_rows(column, fills_not_null=True) == "0"
    assert value_in_old_rows(replace(column, type=TEXT), fills_not_null=True) == ""
    moment = replace(column, type=DataType(Kind.TIMESTAMP, "datetime"))
    before, after = table(Column("id", INT), dialect="mysql"), table(Column("id", INT), moment, dialect="mysql")
    (problem,) = compare(before, after, fills_not_null=True).problems
    assert problem.why == "values-unknown"


def test_the_zone_of_a_default_moment_is_unknown() -> None:
    column = Column("c", DataType(Kind.TIMESTAMP_TZ, "timestamp"), default="'2024-02-29 10:20:30'")
    before, after = table(Column("id", INT), dialect="mysql"), table(Column("id", INT), column, dialect="mysql")
    (problem,) = compare(before, after).problems
    assert problem.why == "values-unknown"
