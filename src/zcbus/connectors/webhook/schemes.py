"""How senders prove who they are: the text of the option, and what each path of it wants."""

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal, cast, get_args

Name = Literal["none", "standard", "github", "stripe", "slack", "hmac", "token", "basic"]
Algorithm = Literal["sha1", "sha256", "sha512"]
Encoding = Literal["hex", "base64"]
_HEADER = re.compile(r"[A-Za-z0-9-]{1,100}")
_IDENTIFIERS: dict[Name, str] = {
    "standard": "webhook-id",
    "github": "X-GitHub-Delivery",
    "stripe": ".id",
    "slack": ".event_id",
}


@dataclass(frozen=True, slots=True)
class Scheme:
    """Of one path. `header` is in lower case; it, and what follows, is of `hmac` and `token` alone."""

    name: Name
    header: str = ""
    algorithm: Algorithm = "sha256"
    encoding: Encoding = "hex"
    prefix: str = ""
    """What stands before the signature or the token in its header."""

    @property
    def identifier(self) -> str:
        """Where senders of the scheme put the id of what they deliver; empty: nowhere."""
        return _IDENTIFIERS.get(self.name, "")

    def __str__(self) -> str:
        parts = [self.name, self.header, self.prefix]
        return " ".join(part for part in parts if part)


def parse(text: str) -> list[tuple[str, Scheme]]:
    """Patterns of paths and their schemes, in the order of the option. Raises ValueError."""
    return [(pattern, _scheme(words)) for pattern, words in lists(text)]


def lists(text: str) -> list[tuple[str, str]]:
    """`pattern: rest` of an option that is divided by semicolons; without a pattern the rest is of all."""
    found = []
    for part in filter(str.strip, text.split(";")):
        pattern, colon, rest = part.partition(":")
        found.append((pattern.strip(), rest.strip()) if colon else ("*", part.strip()))
    return found


def first(found: list[tuple[str, Scheme]], path: str) -> Scheme | None:
    """The scheme of the first pattern that matches."""
    return next((scheme for pattern, scheme in found if fnmatchcase(path, pattern)), None)


def _scheme(text: str) -> Scheme:
    name, *words = text.split()
    if name not in get_args(Name):
        raise ValueError(name)
    known = cast("Name", name)
    if known == "token":
        return Scheme(known, _header(words), prefix=_last(words[1:]))
    if known == "hmac":
        return _hmac(_header(words), words[1:])
    if words:
        raise ValueError(text)
    return Scheme(known)


def _hmac(header: str, words: list[str]) -> Scheme:
    algorithm: Algorithm = "sha256"
    encoding: Encoding = "hex"
    if words and words[0] in get_args(Algorithm):
        algorithm = cast("Algorithm", words.pop(0))
    if words and words[0] in get_args(Encoding):
        encoding = cast("Encoding", words.pop(0))
    return Scheme("hmac", header, algorithm, encoding, _last(words))


def _header(words: list[str]) -> str:
    if not words or _HEADER.fullmatch(words[0]) is None:
        raise ValueError(" ".join(words))
    return words[0].lower()


def _last(words: list[str]) -> str:
    if len(words) > 1:
        raise ValueError(" ".join(words))
    return words[0] if words else ""
