"""How lists are searched."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, or_


def any_contains(columns: Iterable[ColumnElement[Any]], text: str) -> ColumnElement[bool]:
    """Whether one of the columns contains the text, whatever its case; `%` and `_` stand for themselves."""
    return or_(*(column.icontains(text, autoescape=True) for column in columns))
