"""Headers of messages as rows have them."""

from collections.abc import Mapping
from typing import Any

import orjson


def headers_of(properties: Any, without: str = "") -> list[tuple[str, bytes | None]]:
    """In their order. `without`: one that the broker has set."""
    found = (properties.headers or {}).items()
    return [(name, _header(value)) for name, value in found if name != without]


def _header(value: Any) -> bytes | None:
    """Texts and bytes as they are; other types as JSON."""
    if value is None or isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode(errors="surrogateescape")
    return orjson.dumps(_plain(value), default=str)


def _plain(value: Any) -> Any:
    """In types of JSON: the library has numbers of its own."""
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, int) and not isinstance(value, bool):
        return int(value)
    return value.decode(errors="replace") if isinstance(value, bytes) else value
