"""SQL conditions over any number of ids."""

from collections.abc import Iterable
from typing import Any

import orjson
from sqlalchemy import Boolean, ColumnElement, String, literal
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement


class _Elements(FunctionElement[str]):
    """The elements of a JSON list of texts, as a subquery."""

    type = String()
    inherit_cache = True


@compiles(_Elements, "sqlite")
def _of_sqlite(element: _Elements, compiler: SQLCompiler, **options: Any) -> str:
    return f"(SELECT value FROM json_each({compiler.process(element.clauses, **options)}))"  # noqa: S608  a bound value


@compiles(_Elements, "postgresql")
def _of_postgresql(element: _Elements, compiler: SQLCompiler, **options: Any) -> str:
    return f"(SELECT json_array_elements_text(CAST({compiler.process(element.clauses, **options)} AS json)))"


def among(column: ColumnElement[str], values: Iterable[str]) -> ColumnElement[bool]:
    """Whether a column of texts has one of the values. They are one bound value together: a list of them ends at 32,766
    with SQLite, and is slow to make long before."""
    texts = literal(orjson.dumps(list(values)).decode(), String())
    return column.op("IN", is_comparison=True, return_type=Boolean())(_Elements(texts))
