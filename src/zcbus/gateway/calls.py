"""Calls and replies, independent of the HTTP server."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

MAX_BODY_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Call:
    """A call. `query` is the raw query string; headers have lower-case names."""

    method: str
    path: str
    query: str
    pairs: Sequence[tuple[str, str]]
    """The query string, decoded."""
    headers: Mapping[str, str]
    body: bytes
    address: str
    """The caller's address, as reported by trusted proxies."""
    is_private: bool = False
    """Whether the call cannot be read on its way: by TLS, or from a program on this host that is no proxy."""

    def header(self, name: str) -> str:
        return self.headers.get(name, "")


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply. `rows`: number of rows in its body."""

    status: int
    body: bytes
    media_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    rows: int = 0
    cached: bool = False
