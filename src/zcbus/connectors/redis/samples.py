"""The columns that entries of a stream suggest. An operator decides: what is declared stays, samples change."""

import re
from collections.abc import Iterable, Sequence

import pyarrow as pa

from zcbus.connectors.formats import BadRecord
from zcbus.connectors.formats.declared import canonical, declared

_FITTING = ("bigint", "decimal", "boolean", "date", "timestamptz", "timestamp", "json")
"""The narrowest first; what fits none is text."""
_PLAIN = {
    "bigint": re.compile(r"-?(0|[1-9]\d{0,18})"),
    "decimal": re.compile(r"-?(0|[1-9]\d*)(\.\d+)?"),
    "boolean": re.compile(r"true|false"),
    "json": re.compile(r"[\[{].*", re.DOTALL),
}
"""Notations that say no more than the type keeps: `007` is a text."""
_NAME = re.compile(r"[^\s,:;\x00-\x1f\x7f]{1,128}")


def suggested(entries: Iterable[Sequence[tuple[str, bytes | None]]]) -> str:
    """As the option for columns has them, in the order in which fields were seen. Fields that cannot be declared are
    left out: rows have them in `_headers`."""
    values: dict[str, list[str | None]] = {}
    for fields in entries:
        for name, value in fields:
            if _NAME.fullmatch(name) and not name.startswith("_"):
                values.setdefault(name, []).append(_text(value))
    types = ((name, _type(found)) for name, found in values.items() if None not in found)
    return ", ".join(f"{name} {type_}" for name, type_ in types)


def _text(value: bytes | None) -> str | None:
    try:
        return (value or b"").decode()
    except UnicodeDecodeError:
        return None


def _type(values: Sequence[str | None]) -> str:
    given = [value for value in values if value]
    return next((one for one in _FITTING if given and _fits(one, given)), "text")


def _fits(spelled: str, values: Sequence[str]) -> bool:
    plain = _PLAIN.get(spelled)
    if plain is not None and not all(map(plain.fullmatch, values)):
        return False
    try:
        canonical(pa.array(values, pa.string()), declared(f"x {spelled}")["x"], "x", 0)
    except BadRecord:
        return False
    return True
