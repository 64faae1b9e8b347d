"""What the headers of a response say of a file."""

from dataclasses import dataclass
from email.utils import parsedate_to_datetime

import httpx

_HTML = frozenset({"text/html", "application/xhtml+xml"})
_PACKED = frozenset({"gzip", "x-gzip"})


@dataclass(frozen=True, slots=True)
class Facts:
    """Of one representation of a file."""

    etag: str
    """As it was sent; empty: none."""
    modified: str
    """Last-Modified, likewise."""
    size: int | None
    """Bytes of the whole file as they are sent; None: not said."""
    start: int
    """Of the part that was sent."""
    encoding: str
    """Content-Encoding in small letters, without `identity`."""
    is_page: bool
    """It is a page for people."""
    is_bounded: bool
    """Whether a content that is cut can be known from one that ended."""
    age: float | None
    """Seconds since its last change, by the server's own clock; None: not said."""

    @staticmethod
    def of(response: httpx.Response) -> "Facts":
        """Of a response."""
        headers = response.headers
        start, size = _place(response)
        encoding = headers.get("content-encoding", "").strip().lower()
        return Facts(
            etag=headers.get("etag", "").strip(),
            modified=headers.get("last-modified", "").strip(),
            size=size,
            start=start,
            encoding="" if encoding == "identity" else encoding,
            is_page=headers.get("content-type", "").partition(";")[0].strip().lower() in _HTML,
            is_bounded="content-length" in headers or "chunked" in headers.get("transfer-encoding", "").lower(),
            age=_age(headers.get("last-modified", ""), headers.get("date", "")),
        )

    @property
    def is_encoded(self) -> bool:
        """The bytes are not the file's own."""
        return bool(self.encoding)

    @property
    def is_packed(self) -> bool:
        """They can be unpacked."""
        return self.encoding in _PACKED

    def version(self, size: int) -> str:
        """What changes with the content; empty: the server says nothing that does. `size`: of the whole file."""
        if self.etag and not self.etag.startswith("W/"):
            return f"{self.etag}-{size}"
        return f"{self.modified}-{size}-{self.etag}" if self.modified else ""

    @property
    def is_settled(self) -> bool:
        """Times have whole seconds, and many an ETag is made of one: within it a file may be written again."""
        return self.age is None or self.age >= 1

    def has_same_content(self, other: "Facts") -> bool:
        """Whether the other one is of the same content, as far as the server says so."""
        is_known = bool(self.etag and not self.etag.startswith("W/")) or bool(self.modified)
        return is_known and self.is_settled and (self.etag, self.modified) == (other.etag, other.modified)

    def conditions(self) -> dict[str, str]:
        """Headers of a request that is only answered if something changed."""
        if not self.is_settled:
            return {}
        if self.etag:
            return {"if-none-match": self.etag}
        return {"if-modified-since": self.modified} if self.modified else {}


def _place(response: httpx.Response) -> tuple[int, int | None]:
    headers = response.headers
    if response.status_code in (206, 416):
        place, _, total = headers.get("content-range", "").removeprefix("bytes ").partition("/")
        start = place.partition("-")[0]
        size = int(total) if total.isascii() and total.isdecimal() else None
        return (int(start) if start.isascii() and start.isdecimal() else -1), size
    length = headers.get("content-length", "")
    return 0, int(length) if length.isascii() and length.isdecimal() else None


def _age(modified: str, date: str) -> float | None:
    try:
        return max(0.0, (parsedate_to_datetime(date) - parsedate_to_datetime(modified)).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None
