"""What records have that no column declares, with the type that their values look like."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from zcbus.connectors.formats.declared import canonical, declared
from zcbus.connectors.formats.form import BadRecord
from zcbus.connectors.formats.json_text import Number
from zcbus.connectors.http import paths
from zcbus.connectors.http.document import Resource
from zcbus.connectors.previewing import PreviewColumn

_MOST = 200
_PLAIN = re.compile(r"[A-Za-z_@#%-][\w@#%:-]*")
_TRIED = ("timestamptz", "date", "timestamp")
"""Types that texts may turn out to be."""


def undeclared(resource: Resource, records: Sequence[Any]) -> tuple[PreviewColumn, ...]:
    """Names in the order in which they come. Of an object within a record its members are columns, below it no more."""
    known = {_steps(part.path, name) for name, part in resource.columns.items() if part.parent is None}
    values: dict[tuple[str, ...], list[Any]] = {}
    for record in records:
        for place, value in _leaves(record, known):
            if place not in known and (place in values or len(values) < _MOST):
                values.setdefault(place, []).append(value)
    return tuple(PreviewColumn("_".join(place), _type(found), place=_path(place)) for place, found in values.items())


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


def _path(place: tuple[str, ...]) -> str:
    parts = [f".{step}" if _PLAIN.fullmatch(step) else f"['{step}']" for step in place]
    return "".join(parts).removeprefix(".")


def _type(values: Sequence[Any]) -> str:
    """What all of them are; text where they differ, or where nothing is known."""
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
