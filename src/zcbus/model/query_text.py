"""Parsing of a query's text and its `:parameters`.

Texts are split by the rules of the server that will read them: comments, blanks and names differ between servers, and
a comment here that is none there would run unseen. Everything ambiguous is rejected, and comments are removed from
the text that is sent.
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
"""Patterns for QueryRules that servers have in common."""


@dataclass(frozen=True, slots=True)
class QueryRules:
    """Lexical rules of one kind of server."""

    tokens: re.Pattern[str]
    """Splits a text.

    Its groups: comment, text, quoted, escaped (rejected), blank, word, number, those of PARAMETER and OTHER.
    """
    rejected_words: frozenset[str]
    refused_functions: re.Pattern[str]
    """Names of functions with effects, in lower case."""
    assigns: bool = False
    """Whether `:=` sets a variable."""
    folds_quoted: bool = False
    """Whether names of functions ignore case also in quotes."""


class QueryRefused(TerminalError):
    """The text is not a single read-only query.

    Facts: why (empty, too-long, not-closed, several, no-query, into, procedure, function, hint, assignment, unclear),
    near.
    """

    code = "query-refused"


@dataclass(frozen=True, slots=True)
class ParameterUse:
    """Occurrence of a parameter."""

    name: str


@dataclass(frozen=True, slots=True)
class QueryText:
    """Parts in order, without comments."""

    parts: tuple[str | ParameterUse, ...]
    functions: frozenset[str] = frozenset()
    """Names before a parenthesis in the server's normal form, including key words."""

    @property
    def names(self) -> tuple[str, ...]:
        """Parameters, each once, in order of occurrence."""
        return tuple(dict.fromkeys(part.name for part in self.parts if isinstance(part, ParameterUse)))

    @property
    def literal(self) -> str:
        """The text where nothing is a parameter."""
        return "".join(f":{part.name}" if isinstance(part, ParameterUse) else part for part in self.parts)


def parse(text: str, rules: QueryRules) -> QueryText:
    """Split a text. Raises QueryRefused if it cannot be a single read-only query.

    That it only reads is not proven here: the server's own parser and the read-only transaction ensure it.
    """
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
        self.parts: list[str | ParameterUse] = []
        self.functions: set[str] = set()
        self.begun = False
        self._name: str | None = None
        """The last name, if only blanks follow it."""
        self._escapes = False
        """Such a name with escapes, which may continue in the next token."""

    def take(self, token: re.Match[str]) -> None:
        kind = token.lastgroup or ""
        if kind in ("comment", "blank"):
            self.parts.append(" " if kind == "comment" else token[0])
            return
        self._check(kind, token)
        if kind == "parameter":
            self.parts.append(ParameterUse(token["parameter"]))
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
            self._check_name(token)

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

    def _check_name(self, token: re.Match[str]) -> None:
        word = token[0].lower()
        if not self.begun and word not in _BEGINNINGS:
            raise QueryRefused(why="no-query", near=word)
        self.begun = True
        if word in self._rules.rejected_words:
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


def _joined(parts: list[str | ParameterUse]) -> tuple[str | ParameterUse, ...]:
    joined: list[str | ParameterUse] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        else:
            joined.append(part)
    return tuple(joined)
