"""Fields of records that no column declares, with inferred types."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
from pydantic import TypeAdapter, ValidationError

from zcbus.connectors.formats.declared import canonical, declared
from zcbus.connectors.formats.form import BadRecord
from zcbus.connectors.formats.json_text import Number
from zcbus.connectors.http import paths
from zcbus.connectors.http.document import Resource
from zcbus.connectors.http.parts import ColumnPart, Name
from zcbus.connectors.previewing import PreviewColumn

_MOST = 200
_name: TypeAdapter[str] = TypeAdapter(Name)
_TRIED = ("timestamptz", "date", "timestamp")
"""Types inferred from texts, in order of preference."""


def undeclared(resource: Resource, records: Sequence[Any]) -> tuple[PreviewColumn, ...]:
    """Undeclared fields in order of appearance. Members of a nested object are fields of their own, one level deep.
    Fields whose name or path cannot be declared are left out."""
    known = {_steps(part.path, name) for name, part in resource.columns.items() if part.parent is None}
    values: dict[tuple[str, ...], list[Any]] = {}
    for record in records:
        for steps, value in _leaves(record, known):
            if steps not in known and (steps in values or len(values) < _MOST):
                values.setdefault(steps, []).append(value)
    columns = (
        (PreviewColumn("_".join(steps), _type(found), path=paths.written(steps)), steps)
        for steps, found in values.items()
    )
    return tuple(column for column, steps in columns if _is_declarable(column, steps))


def _is_declarable(column: PreviewColumn, steps: tuple[str, ...]) -> bool:
    """Names of the service that no document can spell would only be refused when pasted."""
    try:
        ColumnPart(type=column.type, path=column.path)
        _name.validate_python(column.name)
        return paths.steps(column.path) == steps
    except ValidationError:
        return False


def _leaves(record: Any, known: set[tuple[str, ...]]) -> Iterator[tuple[tuple[str, ...], Any]]:
    if not isinstance(record, dict):
        return
    for name, value in record.items():
        if isinstance(value, dict) and value and (name,) not in known:
            yield from (((name, below), inner) for below, inner in value.items())
        else:
            yield (name,), value


def _steps(path: str | None, name: str) -> tuple[str, ...]:
    return tuple(map(str, paths.steps(path))) if path is not None else (name,)


def _type(values: Sequence[Any]) -> str:
    """The type common to all values; text where they differ, or where all are null."""
    found = {_type_of(value) for value in values if value is not None}
    if found == {"bigint", "double"}:
        return "double"
    if found != {"text"}:
        return found.pop() if len(found) == 1 else "json" if "json" in found else "text"
    texts = pa.array([value for value in values if value is not None], pa.string())
    return next((name for name in _TRIED if _are(texts, name)), "text")


def _type_of(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, Number):
        return "bigint" if re.fullmatch(r"-?\d{1,18}", value) else "double"
    return "text" if isinstance(value, str) else "json"


def _are(texts: Any, name: str) -> bool:
    try:
        return bool(canonical(texts, declared(f"x {name}")["x"], "", 0).null_count == 0)
    except BadRecord:
        return False
