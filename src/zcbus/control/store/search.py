"""How lists are searched."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, or_, true


def any_contains(columns: Iterable[ColumnElement[Any]], text: str) -> ColumnElement[bool]:
    """Whether one of the columns contains the text, whatever its case; `%` and `_` stand for themselves."""
    return or_(*(column.icontains(text, autoescape=True) for column in columns))


def qualified(schema: ColumnElement[Any], table: ColumnElement[Any]) -> ColumnElement[str]:
    """A table's name as lists show it, `schema.table`."""
    name: ColumnElement[str] = schema + "." + table
    return name


def names_in(text: str) -> Sequence[str]:
    """The table names of a search, separated by commas of either language."""
    return [name.strip() for name in re.split("[,，]", text) if name.strip()]


def any_named(columns: Sequence[ColumnElement[Any]], text: str) -> ColumnElement[bool]:
    """Whether one of the columns contains one of the names in the text, see `names_in`; without any, all do."""
    names = names_in(text)
    return or_(*(any_contains(columns, name) for name in names)) if names else true()
