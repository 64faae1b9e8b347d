"""The text of a query, parted into what its author wrote and the places of `:parameters`.

Texts are cut by the rules of the server that will read them: where a comment begins and ends, what is blank and what
is part of a name differ between servers, and what is a comment here but not there would run unseen. What no rule makes
certain is refused, and comments are left out of what is sent.
"""

import re
from dataclasses import dataclass

from zcbus.kit.errors import TerminalError

MAX_LENGTH = 65_536
_BEGINNINGS = frozenset({"select", "with", "values"})

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")

BLANK = r"(?P<blank>[ \t\n\r\f\v]+)"
PARAMETER = r"(?P<cast>::)|(?P<assignment>:=)|:(?P<parameter>[A-Za-z][A-Za-z0-9_]*)"
OTHER = r"(?P<other>.)"
NAME_BEGIN = r"[A-Za-z_]|[^\x00-\x7f]"
"""Parts of patterns for QueryRules that servers have in common."""


@dataclass(frozen=True, slots=True)
class QueryRules:
    """How one kind of server reads texts."""

    tokens: re.Pattern[str]
    """Cuts a text. Its groups: comment, text, quoted, escaped (refused), blank, word, number, those of PARAMETER and
    OTHER."""
    refused_words: frozenset[str]
    refused_functions: re.Pattern[str]
    """Names of functions that have effects, in lower case."""
    assigns: bool = False
    """Whether `:=` sets a variable."""
    folds_quoted: bool = False
    """Whether names of functions are compared without case also where they are quoted."""


class QueryRefused(TerminalError):
    """The text is no single query that only reads. Facts: why (empty, too-long, not-closed, several, no-query, into,
    procedure, function, hint, assignment, unclear), near."""

    code = "query-refused"


@dataclass(frozen=True, slots=True)
class Placed:
    """The place of a parameter."""

    name: str


@dataclass(frozen=True, slots=True)
class QueryText:
    """Parts in their order, without comments."""

    parts: tuple[str | Placed, ...]
    functions: frozenset[str] = frozenset()
    """Names in front of a parenthesis as the server compares them, key words among them."""

    @property
    def names(self) -> tuple[str, ...]:
        """Parameters, each once, in the order of their first places."""
        return tuple(dict.fromkeys(part.name for part in self.parts if isinstance(part, Placed)))

    @property
    def literal(self) -> str:
        """The text where nothing is a parameter."""
        return "".join(f":{part.name}" if isinstance(part, Placed) else part for part in self.parts)


def parse(text: str, rules: QueryRules) -> QueryText:
    """Part a text. Raises QueryRefused for what cannot be one query that only reads. That it only reads is not proven
    here: the server's own parser and the transaction it runs in see to that."""
    if len(text) > MAX_LENGTH:
        raise QueryRefused(why="too-long", near=str(MAX_LENGTH))
    reader = _Reader(text.strip().rstrip(";").rstrip(), rules)
    for token in rules.tokens.finditer(reader.text):
        reader.take(token)
    if not reader.begun:
        raise QueryRefused(why="empty", near="")
    return QueryText(_joined(reader.parts), frozenset(reader.functions))


class _Reader:
    def __init__(self, text: str, rules: QueryRules) -> None:
        self.text, self._rules = text, rules
        self.parts: list[str | Placed] = []
        self.functions: set[str] = set()
        self.begun = False
        self._name: str | None = None
        """The name that was read last, with nothing but blanks behind it."""
        self._escapes = False
        """The same of a text with escapes, which may go on in the next one."""

    def take(self, token: re.Match[str]) -> None:
        kind = token.lastgroup or ""
        if kind in ("comment", "blank"):
            self.parts.append(" " if kind == "comment" else token[0])
            return
        self._check(kind, token)
        if kind == "parameter":
            self.parts.append(Placed(token["parameter"]))
        else:
            self.parts.append(token[0])
        if token[0] == "(" and self._name is not None:
            self._call(self._name)
        self._name = self._named(kind, token[0])
        self._escapes = kind == "text" and token[0][0] in "eE"

    def _check(self, kind: str, token: re.Match[str]) -> None:
        if kind == "other":
            self._check_sign(token)
        elif kind == "escaped" or (kind == "text" and self._escapes):
            self._refuse("unclear", token)
        elif kind == "assignment" and self._rules.assigns:
            self._refuse("assignment", token)
        elif kind == "word":
            self._check_word(token)

    def _check_sign(self, token: re.Match[str]) -> None:
        sign, behind = token[0], self.text[token.start() : token.start() + 3]
        if sign == ";":
            self._refuse("several", token)
        if behind == "/*+":
            self._refuse("hint", token)
        if sign in "'\"`" or behind.startswith("/*"):
            self._refuse("not-closed", token)
        if sign.isdigit() or behind.startswith("--") or behind.startswith("*/") or _CONTROL.match(sign):
            self._refuse("unclear", token)

    def _check_word(self, token: re.Match[str]) -> None:
        word = token[0].lower()
        if not self.begun and word not in _BEGINNINGS:
            raise QueryRefused(why="no-query", near=word)
        self.begun = True
        if word in self._rules.refused_words:
            raise QueryRefused(why=word, near=word)

    def _call(self, name: str) -> None:
        if self._rules.refused_functions.fullmatch(name):
            raise QueryRefused(why="function", near=name)
        self.functions.add(name)

    def _named(self, kind: str, text: str) -> str | None:
        if kind == "word":
            return text.lower()
        if kind != "quoted":
            return None
        sign = text[0]
        name = text[1:-1].replace(sign * 2, sign)
        return name.lower() if self._rules.folds_quoted else name

    def _refuse(self, why: str, token: re.Match[str]) -> None:
        raise QueryRefused(why=why, near=self.text[token.start() : token.start() + 30])


def _joined(parts: list[str | Placed]) -> tuple[str | Placed, ...]:
    joined: list[str | Placed] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        else:
            joined.append(part)
    return tuple(joined)
