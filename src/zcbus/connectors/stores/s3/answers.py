"""XML responses: pages of lists, and errors."""

from dataclasses import dataclass, field
from datetime import datetime
from xml.parsers import expat

_DEEPEST = 3


class Unexpected(ValueError):
    """No answer as the protocol has it."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One object of a list."""

    key: str
    size: int
    """Bytes."""
    etag: str
    changed_at: float
    """Seconds since 1970-01-01 UTC by the server's clock."""


@dataclass(frozen=True, slots=True)
class Page:
    """One part of a list."""

    objects: list[Listed]
    next: str
    """Token of the next page; empty: this is the last."""


@dataclass(slots=True)
class _Document:
    root: str = ""
    values: dict[str, str] = field(default_factory=dict)
    """Of the elements right below the root."""
    objects: list[dict[str, str]] = field(default_factory=list)
    """Of the elements below each `Contents`."""


def page(body: bytes) -> Page:
    """An answer of ListObjectsV2. Raises Unexpected."""
    document = _parsed(body)
    if document.root != "ListBucketResult":
        raise Unexpected(f"no list: {document.root[:50]}")
    truncated = document.values.get("IsTruncated") == "true"
    following = document.values.get("NextContinuationToken", "") if truncated else ""
    if truncated and not following:
        raise Unexpected("a truncated list without a continuation token")
    return Page([_listed(one) for one in document.objects], following)


def refusal(body: bytes) -> dict[str, str]:
    """Code, Message and further elements of an error; empty if it is none."""
    try:
        document = _parsed(body)
    except Unexpected:
        return {}
    return document.values if document.root == "Error" else {}


def _listed(values: dict[str, str]) -> Listed:
    try:
        size, changed = int(values["Size"]), datetime.fromisoformat(values["LastModified"])
        if size < 0 or changed.tzinfo is None:
            raise Unexpected("an object without size or time")
        return Listed(values["Key"], size, values.get("ETag", "").strip('"'), changed.timestamp())
    except (KeyError, ValueError, OverflowError) as error:
        raise Unexpected(f"no object of a list: {error}") from error


def _parsed(body: bytes) -> _Document:
    found, path, texts = _Document(), [], [""]

    def begin(name: str, _: dict[str, str]) -> None:
        path.append(name)
        texts[0] = ""
        if len(path) == 1:
            found.root = name
        elif len(path) == _DEEPEST - 1 and name == "Contents":
            found.objects.append({})

    def end(name: str) -> None:
        if len(path) == _DEEPEST - 1:
            found.values[name] = texts[0]
        elif len(path) == _DEEPEST and path[1] == "Contents":
            found.objects[-1][name] = texts[0]
        path.pop()
        texts[0] = ""

    def text(part: str) -> None:
        texts[0] += part

    def declared(*_: object) -> None:
        raise Unexpected("a document type")  # and with it entities, which grow without limit

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = text, declared
    try:
        parser.Parse(body, True)
    except (expat.ExpatError, UnicodeError) as error:
        raise Unexpected(f"no XML: {error}") from error
    return found
