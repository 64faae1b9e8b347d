"""The streams of a database."""

import time

from zcbus.connectors.errors import SourceUnavailable
from zcbus.connectors.redis.connection import RedisConnection
from zcbus.connectors.redis.keys import escaped
from zcbus.connectors.redis.spec import RedisOptions

_AT_ONCE = 5000
_SECONDS = 30.0
_MOST = 10_000
_LONGEST = 200
"""Characters of a name."""
_WILD = "*?["


def stream_names(connection: RedisConnection, options: RedisOptions) -> list[str]:
    """Names that the options select, and that are texts without control characters. Raises SourceUnavailable where a
    search would take too long or finds too many: what is listed is complete."""
    patterns = [pattern for one in options.topics.split(",") if (pattern := one.strip())]
    if not any(character in pattern for pattern in patterns for character in _WILD):
        types = connection.execute_all([("TYPE", name) for name in patterns])
        return [name for name, type_ in zip(patterns, types, strict=True) if type_ == b"stream"]
    return _searched(connection, options, patterns)


def _searched(connection: RedisConnection, options: RedisOptions, patterns: list[str]) -> list[str]:
    """SCAN reads the whole database; the pattern only makes its responses smaller."""
    prefix = _common_prefix(patterns)
    cursor, found, deadline = b"0", set[str](), time.monotonic() + _SECONDS
    while True:
        command = ("SCAN", cursor, "MATCH", f"{escaped(prefix)}*", "COUNT", _AT_ONCE, "TYPE", "stream")
        cursor, names = connection.execute(*command)
        found |= {name for one in names if (name := _text(one)) and options.is_selected(name)}
        if cursor == b"0":
            return sorted(found)
        if len(found) > _MOST or time.monotonic() > deadline:
            detail = (
                f"SCAN: {len(found)} streams found, not all keys read in {_SECONDS:g} s; name them: {options.topics}"
            )
            raise SourceUnavailable(kind=options.kind, address=options.address, detail=detail)


def _common_prefix(patterns: list[str]) -> str:
    """What all names begin with that a pattern may select."""
    literal = [
        pattern[: min([len(pattern), *(pattern.find(one) for one in _WILD if one in pattern)])] for pattern in patterns
    ]
    first, last = min(literal), max(literal)
    length = next((at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
    return first[:length]


def _text(name: bytes) -> str:
    """Empty where it cannot be the name of a table."""
    try:
        text = name.decode()
    except UnicodeDecodeError:
        return ""
    return text if text.isprintable() and len(text) <= _LONGEST else ""
