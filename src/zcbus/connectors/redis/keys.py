"""Names of Redis keys: of rows, unique among all tables, and of the platform's own data."""

import re
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import unquote_to_bytes

import pyarrow as pa

from zcbus.connectors.redis.spec import RedisOptions
from zcbus.connectors.roles.writer import Key
from zcbus.model.arrow import ArrowArray
from zcbus.model.kernels import compute
from zcbus.model.schema import TableSchema
from zcbus.model.types import Kind

OWN = "{zcbus}"
"""Prefix of the platform's own keys: neither templates nor encoded names have braces. In a cluster it keeps them on one
node."""
_RESERVED = r"[\x00-\x2a\x2c/:;<=>?@\[\\\]^`{|}\x7f]"
_ESCAPED = re.compile(_RESERVED)
_ESCAPABLE = re.compile(_RESERVED.replace(":", "").encode())
"""Characters that values of a key have only in escaped form, except the colons between them."""
_SPECIAL = re.compile(r"([*?\[\]\\])")


def encoded(text: str) -> str:
    """Escape characters that separate names or have a meaning in patterns, as `%` and two hexadecimal digits; different
    texts stay different."""
    return _ESCAPED.sub(lambda match: f"%{ord(match[0]):02X}", text)


def escaped(text: str) -> str:
    """A pattern's part that stands for the text itself."""
    return _SPECIAL.sub(r"\\\1", text)


def own_key(*parts: str) -> bytes:
    """The key of the platform's own data."""
    return ":".join([OWN, *map(encoded, parts)]).encode()


class RowKeys:
    """The keys of one table's rows."""

    def __init__(self, options: RedisOptions, table: TableSchema) -> None:
        before, _, rest = options.template.partition("{table}")
        between, _, behind = rest.partition("{key}")
        self._before = (before + encoded(table.name.table) + between).encode()
        self._behind = behind.encode()
        self._binary = [table.column(name).type.kind is Kind.BINARY for name in table.primary_key]

    @property
    def pattern(self) -> bytes:
        """The pattern for SCAN."""
        return escaped(self._before.decode()).encode() + b"*" + self._behind

    def of_batch(self, keys: pa.RecordBatch) -> list[bytes]:
        """For key columns in the primary key's order."""
        return [self._redis_key(parts) for parts in zip(*map(_encoded_column, keys.columns), strict=True)]

    def of_keys(self, keys: Iterable[Key]) -> list[bytes]:
        return [self._redis_key(tuple(v.hex() if isinstance(v, bytes) else encoded(v) for v in key)) for key in keys]

    def key(self, name: bytes) -> Key | None:
        """Inverse of `of_keys`; None: it is not of a row of this table."""
        if not (name.startswith(self._before) and name.endswith(self._behind)):
            return None
        values = name[len(self._before) : len(name) - len(self._behind)]
        parts = values.split(b":")
        if len(parts) != len(self._binary):
            return None
        try:
            key = tuple(
                bytes.fromhex(part.decode()) if binary else unquote_to_bytes(part).decode()
                for part, binary in zip(parts, self._binary, strict=True)
            )
        except ValueError:
            return None
        # Only one spelling is canonical; without an escape there is no alternative.
        plain = not any(self._binary) and not _ESCAPABLE.search(values)
        return key if plain or self.of_keys([key]) == [name] else None

    def _redis_key(self, parts: Sequence[str]) -> bytes:
        return self._before + ":".join(parts).encode() + self._behind


def _encoded_column(values: ArrowArray) -> list[str]:
    found: list[Any] = values.to_pylist()
    if pa.types.is_binary(values.type):
        return [value.hex() for value in found]
    needs = compute.any(compute.match_substring_regex(values, _RESERVED)).as_py()
    return [encoded(value) for value in found] if needs else found
