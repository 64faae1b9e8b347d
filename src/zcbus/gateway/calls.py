"""A call as it came and its answer, apart from the server that takes them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

MOST_BODY_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Call:
    """`query` is the query string as it was sent; headers have lower-case names."""

    method: str
    path: str
    query: str
    pairs: Sequence[tuple[str, str]]
    """The query string, decoded."""
    headers: Mapping[str, str]
    body: bytes
    address: str
    """Of the caller, as far as trusted proxies told it."""
    is_private: bool = False
    """Whether nobody on the way can read it: over TLS, or from a program on this host that passes on nothing."""

    def header(self, name: str) -> str:
        return self.headers.get(name, "")


@dataclass(frozen=True, slots=True)
class Reply:
    """What goes back. `rows`: in its body."""

    status: int
    body: bytes
    media_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    rows: int = 0
    cached: bool = False
