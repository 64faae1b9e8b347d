"""The text of a query, parted into what its author wrote and the places of `:parameters`."""

import re
from dataclasses import dataclass

from zcbus.kit.errors import TerminalError
from zcbus.model.schema import Dialect

MAX_LENGTH = 65_536
_BEGINNINGS = frozenset({"select", "with", "values"})

_NUMBER_OR_WORD = r"(?P<word>[^\W\d][\w$]*)|(?P<number>\d[\w.]*)"
_PARAMETER = r"(?P<cast>::|:=)|:(?P<parameter>[A-Za-z][A-Za-z0-9_]*)"
_OTHER = r"(?P<other>.)"
_TOKENS: dict[str, re.Pattern[str]] = {
    "postgresql": re.compile(
        r"(?P<comment>--[^\n]*|/\*(?:(?!/\*|\*/).)*\*/)"
        r"|(?P<quoted>[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\""
        r"|\$(?P<tag>(?:[^\W\d]\w*)?)\$.*?\$(?P=tag)\$)"
        rf"|{_NUMBER_OR_WORD}|{_PARAMETER}|{_OTHER}",
        re.DOTALL,
    ),
    "mysql": re.compile(
        r"(?P<comment>--(?=[\s]|$)[^\n]*|\#[^\n]*|/\*(?![!M])(?:(?!\*/).)*\*/)"
        r"|(?P<quoted>'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.|\"\")*\"|`(?:[^`]|``)*`)"
        rf"|{_NUMBER_OR_WORD}|{_PARAMETER}|{_OTHER}",
        re.DOTALL,
    ),
}


class QueryRefused(TerminalError):
    """The text is no single query. Facts: why (empty, too-long, not-closed, several, no-query, into), near."""

    code = "query-refused"


@dataclass(frozen=True, slots=True)
class Placed:
    """The place of a parameter."""

    name: str


@dataclass(frozen=True, slots=True)
class QueryText:
    """Parts in their order."""

    parts: tuple[str | Placed, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Parameters, each once, in the order of their first places."""
        return tuple(dict.fromkeys(part.name for part in self.parts if isinstance(part, Placed)))


def parse(text: str, dialect: Dialect) -> QueryText:
    """Part a text. Raises QueryRefused for what cannot be one query that only reads. That it only reads is not proven
    here: the transaction it runs in sees to that."""
    if len(text) > MAX_LENGTH:
        raise QueryRefused(why="too-long", near=str(MAX_LENGTH))
    text = text.strip().rstrip(";").rstrip()
    parts: list[str | Placed] = []
    begun = False
    for token in _TOKENS[dialect].finditer(text):
        name, word = token["parameter"], token["word"]
        if name is not None:
            parts.append(Placed(name))
            continue
        if token["other"] is not None:
            _check_other(token, text)
        if word is not None:
            _check_word(word.lower(), begun)
            begun = True
        parts.append(token[0])
    if not begun:
        raise QueryRefused(why="empty", near="")
    return QueryText(_joined(parts))


def _check_other(token: re.Match[str], text: str) -> None:
    sign = token[0]
    if sign == ";":
        raise QueryRefused(why="several", near=_near(text, token.start()))
    if sign in "'\"`" or text.startswith("/*", token.start()):
        raise QueryRefused(why="not-closed", near=_near(text, token.start()))


def _check_word(word: str, begun: bool) -> None:
    if not begun and word not in _BEGINNINGS:
        raise QueryRefused(why="no-query", near=word)
    if word == "into":
        raise QueryRefused(why="into", near=word)


def _near(text: str, place: int) -> str:
    return text[place : place + 30]


def _joined(parts: list[str | Placed]) -> tuple[str | Placed, ...]:
    joined: list[str | Placed] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        else:
            joined.append(part)
    return tuple(joined)
