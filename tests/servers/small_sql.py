"""The few statements of the suites' SQL, read for servers that know no SQL."""

import re
from collections.abc import Sequence

from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

Value = int | str | None
_TYPES = {"BIGINT": Kind.INT64, "INT": Kind.INT32, "VARCHAR": Kind.TEXT}


def created(statement: str, schema: str) -> TableSchema:
    """The table of `CREATE TABLE name (column TYPE …, PRIMARY KEY (…))`. `schema`: where it is, and its kind."""
    match = re.fullmatch(r"CREATE TABLE (\w+) \((.*), PRIMARY KEY \((.*)\)\)\s*", statement)
    assert match, statement
    name, columns, key = match.groups()
    made = tuple(
        Column(one, DataType(_TYPES[kind], kind, length=int(length) if length else None), not required)
        for one, kind, length, required in re.findall(r"(\w+) (\w+)(?:\((\d+)\))?( NOT NULL)?", columns)
    )
    return TableSchema(TableName(schema, name), schema, made, tuple(one.strip() for one in key.split(",")))


def inserted(statement: str) -> list[Sequence[Value]]:
    """The rows of `INSERT INTO name VALUES (…), (…)`."""
    rows = re.findall(r"\(((?:[^()']|'(?:[^']|'')*')*)\)", statement.partition(" VALUES ")[2])
    return [[_value(one) for one in re.findall(r"'(?:[^']|'')*'|[^,\s]+", row)] for row in rows]


def updated(statement: str) -> tuple[dict[str, Value], str, Value]:
    """New values, and the column and value that choose a row, of `UPDATE name SET column = value, … WHERE column =
    value`."""
    changes, condition = statement.partition(" SET ")[2].split(" WHERE ")
    column, value = condition.split(" = ")
    pairs = re.findall(r"(\w+) = ('(?:[^']|'')*'|[^,]+)", changes)
    return {name: _value(one) for name, one in pairs}, column, _value(value)


def _value(spelled: str) -> Value:
    spelled = spelled.strip()
    if spelled.startswith("'"):
        return spelled[1:-1].replace("''", "'")
    return None if spelled == "NULL" else int(spelled)
