"""Whether a target table is what its source table is: the same columns, and the same values in every row."""

import contextlib
import json
import re
from typing import Any

import numpy as np
import psycopg
import pymysql

from tests.faults.schemas import mysql, postgresql
from tests.faults.schemas.catalog import Column, Table, read_table
from tests.integration.engine.running import Link
from tests.servers.base import Server

_MOMENT = re.compile(r"(\d{4,}-\d\d-\d\d(?: \d\d:\d\d:\d\d)?|-?\d+:\d\d:\d\d)(\.\d+)?(\+00)?")
_INFINITIES = {
    "-infinity": "0000-00-00 00:00:00",
}
_SESSIONS = {"postgresql": "SET TimeZone = 'UTC'", "mysql": "SET time_zone = '+00:00'"}


def difference(link: Link, name: str) -> str:
    """Empty where both are equal; else what differs, in a few words. A missing source table is reported too."""
    left = _read(link.source, link.source_database, name)
    try:
        right = _read(link.target, link.target_database, name)
    except (psycopg.ProgrammingError, pymysql.ProgrammingError, pymysql.OperationalError) as error:
        # The link followed a schema change after the columns were read.
        return f"{name}: not readable in the target: {error}"
    if left is None or right is None:
        return f"{name}: not in the {'source' if left is None else 'target'}"
    columns, before, after = _names(left[0]), left[1], _characters(left[0], *right)
    if columns != _names(right[0]):
        if link.source.kind == "postgresql" and not left[1] and not right[1]:
            return ""  # It logs a schema change with the next row, and a table without partitions takes none.
        return f"{name}: columns {columns} became {_names(right[0])}"
    if before == after:
        return ""
    missing, extra = _without(before, after), _without(after, before)
    return f"{name} {columns}: missing {missing[:4]} extra {extra[:4]}"


def _names(columns: list[Column]) -> list[str]:
    return [column.name for column in columns]


def _characters(source: list[Column], target: list[Column], rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The target's rows, sorted, with the characters of texts that it holds as bytes: a server without an exact
    collation has such keys."""
    kinds = {column.name: column.type for column in source}
    as_bytes = ["binary" in one.type and _is_text(kinds.get(one.name, "")) for one in target]
    return sorted(
        (
            tuple(
                bytes.fromhex(value).decode() if is_bytes and value is not None else value
                for value, is_bytes in zip(row, as_bytes, strict=True)
            )
            for row in rows
        ),
        key=repr,
    )


def _is_text(declared: str) -> bool:
    return declared.startswith(("text", "character", "char", "varchar"))


def _without(rows: list[tuple[Any, ...]], others: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    rest = list(others)
    return [row for row in rows if row not in rest or rest.remove(row)]  # type: ignore[func-returns-value]


def _read(server: Server, database: str, name: str) -> tuple[list[Column], list[tuple[Any, ...]]] | None:
    """The columns, sorted by name, and the rows, sorted, their values in one form for all databases."""
    with server.connect(database) as connection, connection.cursor() as cursor:
        cursor.execute(_SESSIONS[server.kind])
        table = read_table(cursor, server.kind, name)
        if table is None:
            return None
        columns = sorted(_carried(server.kind, table), key=lambda column: column.name)
        to_text = (mysql if server.kind == "mysql" else postgresql).needs_text
        cursor.execute(f"SELECT {', '.join(map(to_text, columns)) or '1'} FROM {name}")
        rows = [tuple(_form(column, value) for column, value in zip(columns, row, strict=False)) for row in cursor]
    return columns, sorted(rows, key=repr)


def _carried(kind: str, table: Table) -> list[Column]:
    """MySQL's stored columns are carried; its virtual ones are not, nor PostgreSQL's."""
    return [one for one in table.columns if not one.computed or (kind == "mysql" and one.stored)]


def _form(column: Column, value: Any) -> Any:
    if value is None:
        return None
    text = value.decode() if isinstance(value, bytes) else str(value)
    if text.startswith("9999-12-31 23:59:59.9") or (column.type == "date" and text == "9999-12-31"):
        return "infinity"
    text = _INFINITIES.get(text, text)
    # MariaDB keeps JSON in a longtext; so do we a numeric of any length, whose digits count.
    if column.type in ("json", "jsonb") or (column.type == "longtext" and text.startswith(("{", "[", '"'))):
        with contextlib.suppress(ValueError):
            return json.dumps(json.loads(text), sort_keys=True)
    if column.type.startswith(("float", "real")):
        text = str(np.float32(text))
    if column.type.startswith(("double", "float", "real")):
        return repr(float(text) + 0.0)  # MariaDB has no negative zero
    if column.type.startswith("year"):
        return str(int(text))  # Its zero has four digits, which no number of another database has.
    found = _MOMENT.fullmatch(text)
    if found is None:
        return text
    fraction = (found[2] or "").rstrip("0").rstrip(".")
    return (found[1] + fraction).removesuffix(" 00:00:00")
