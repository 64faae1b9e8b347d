"""Tokens of a statement: words, names, texts and signs."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from zcbus.connectors.mysql.connection.session import ServerVersion

ANSI_QUOTES = 4
NO_BACKSLASH_ESCAPES = 1 << 20
"""Bits of the SQL mode that a statement was run with."""

_SCANNER = re.compile(
    r"""(?P<blank>\s+)
      | (?P<executable>/\*(?P<maria>M)?!(?P<since>\d{5,6})?)
      | (?P<comment>/\*.*?\*/ | --(?=[\s\x00-\x1f]|$)[^\n]* | \#[^\n]*)
      | (?P<end>\*/)
      | (?P<text>[nN]?'(?:[^'\\]|''|\\.)*')
      | (?P<double>"(?:[^"\\]|""|\\.)*")
      | (?P<name>`(?:[^`]|``)*`)
      | (?P<bits>[bBxX]'[0-9a-fA-F]*')
      | (?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w$\u0080-\U0010ffff]))
      | (?P<word>@?[\w$\u0080-\U0010ffff]+)
      | (?P<sign>.)""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPES = {"0": "\0", "b": "\b", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a"}
_KEPT_ESCAPES = frozenset("%_")
"""MySQL reference manual, "String Literals": these keep their backslash where they are not part of a pattern."""
_ESCAPED = {sign: re.compile(rf"\\(.)|{sign}{sign}", re.DOTALL) for sign in ("'", '"')}


class NotUnderstood(Exception):
    """The statement is not one we can follow. A signal within the connector."""


class TokenKind(Enum):
    """Kind of a token."""

    WORD = "word"
    """A keyword or a name without quotes."""
    NAME = "name"
    TEXT = "text"
    NUMBER = "number"
    SIGN = "sign"


@dataclass(frozen=True, slots=True)
class Token:
    """`value`: without quotes, escapes resolved. `raw`: as written."""

    kind: TokenKind
    value: str
    raw: str

    @property
    def word(self) -> str:
        """In capitals; empty for tokens that cannot be a keyword."""
        return self.value.upper() if self.kind is TokenKind.WORD else ""


def tokens_of(statement: str, version: ServerVersion, sql_mode: int = 0) -> list[Token]:
    """The tokens, including version comments that this server executes.

    Raises NotUnderstood.
    """
    if sql_mode & NO_BACKSLASH_ESCAPES and "\\" in statement:
        raise NotUnderstood("a backslash that escapes nothing")
    return list(_Scan(statement, version, sql_mode).tokens())


class _Scan:
    def __init__(self, statement: str, version: ServerVersion, sql_mode: int) -> None:
        self._statement, self._version, self._mode = statement, version, sql_mode
        self._executable = 0

    def tokens(self) -> Iterator[Token]:
        at = 0
        while at < len(self._statement):
            found = _SCANNER.match(self._statement, at)
            assert found is not None
            at = found.end()
            kind = str(found.lastgroup)
            if kind == "executable":
                at = self._enter(found, at)
            elif kind == "end":
                self._leave(found[0])
            elif kind == "comment" and found[0].startswith("/*") and not found[0].endswith("*/"):
                raise NotUnderstood("a comment has no end")
            elif kind not in ("blank", "comment"):
                yield self._token(kind, found[0])

    def _enter(self, found: re.Match[str], at: int) -> int:
        """Enter the comment if this server executes it, else skip it."""
        if self._applies(bool(found["maria"]), int(found["since"] or 0)):
            self._executable += 1
            return at
        end = self._statement.find("*/", at)
        if end < 0:
            raise NotUnderstood("a comment has no end")
        return end + 2

    def _applies(self, only_mariadb: bool, since: int) -> bool:
        number = self._version.number
        own = number[0] * 10_000 + number[1] * 100 + number[2]
        if not self._version.mariadb:
            return not only_mariadb and since <= own
        # Numbers of MySQL's later versions do not mean MariaDB.
        return since <= own and (only_mariadb or not 50_700 <= since <= 99_999)

    def _leave(self, text: str) -> None:
        if not self._executable:
            raise NotUnderstood(f"unexpected {text}")
        self._executable -= 1

    def _token(self, kind: str, raw: str) -> Token:
        if kind == "name":
            return Token(TokenKind.NAME, raw[1:-1].replace("``", "`"), raw)
        if kind == "double" and self._mode & ANSI_QUOTES:
            return Token(TokenKind.NAME, raw[1:-1].replace('""', '"'), raw)
        if kind in ("text", "double"):
            return Token(TokenKind.TEXT, _unescaped(raw), raw)
        if kind == "number":
            return Token(TokenKind.NUMBER, raw, raw)
        if kind in ("word", "bits"):
            return Token(TokenKind.WORD, raw, raw)
        return Token(TokenKind.SIGN, raw, raw)


def _unescaped(raw: str) -> str:
    """Only the sign that encloses the text stands for itself when it is doubled."""
    sign = raw[-1]
    body = raw[raw.index(sign) + 1 : -1]
    return _ESCAPED[sign].sub(lambda found: sign if found[1] is None else _escape(found[1]), body)


def _escape(character: str) -> str:
    return f"\\{character}" if character in _KEPT_ESCAPES else _ESCAPES.get(character, character)


class Reader:
    """Cursor over tokens. Keywords are returned in capitals; an unexpected token raises NotUnderstood."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens, self._at = tokens, 0

    @property
    def token(self) -> Token | None:
        """The next one; None at the end."""
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def word(self, ahead: int = 0) -> str:
        """The keyword or sign at the cursor; empty if it is neither."""
        place = self._at + ahead
        if place >= len(self._tokens):
            return ""
        token = self._tokens[place]
        return token.value if token.kind is TokenKind.SIGN else token.word

    def skip(self, *words: str) -> bool:
        """Skip these words if all of them come next."""
        if any(self.word(place) != word for place, word in enumerate(words)):
            return False
        self._at += len(words)
        return True

    def one_of(self, *words: str) -> str:
        """Skip one of these words if it comes next; returns it, or empty."""
        found = self.word()
        if found and found in words:
            self._at += 1
            return found
        return ""

    def expect(self, *words: str) -> None:
        """Skip these words."""
        if not self.skip(*words):
            raise NotUnderstood(f"expected {' '.join(words)} in front of {self.rest()[:40]!r}")

    def take(self) -> Token:
        """The next token."""
        token = self.token
        if token is None:
            raise NotUnderstood("the statement ends too early")
        self._at += 1
        return token

    def name(self) -> str:
        """A name, quoted or not."""
        token = self.take()
        if token.kind in (TokenKind.WORD, TokenKind.NAME):
            return token.value
        raise NotUnderstood(f"expected a name, found {token.raw!r}")

    def text(self) -> str:
        """A text in quotes."""
        token = self.take()
        if token.kind is not TokenKind.TEXT:
            raise NotUnderstood(f"expected a text, found {token.raw!r}")
        return token.value

    def group(self) -> list[Token]:
        """The tokens between the parentheses that open here."""
        self.expect("(")
        found: list[Token] = []
        depth = 1
        while True:
            token = self.take()
            depth += {"(": 1, ")": -1}.get(token.value if token.kind is TokenKind.SIGN else "", 0)
            if not depth:
                return found
            found.append(token)

    def clause(self) -> list[Token]:
        """The tokens up to the next comma outside of parentheses, which stays."""
        start, depth = self._at, 0
        while (token := self.token) is not None:
            sign = token.value if token.kind is TokenKind.SIGN else ""
            if not depth and sign == ",":
                break
            depth += {"(": 1, ")": -1}.get(sign, 0)
            self._at += 1
        return list(self._tokens[start : self._at])

    def rest(self) -> str:
        """The remaining tokens as text."""
        return " ".join(token.raw for token in self._tokens[self._at :])


def clauses(tokens: Sequence[Token]) -> list[list[Token]]:
    """The parts between commas outside of parentheses."""
    reader = Reader(tokens)
    found: list[list[Token]] = []
    while reader.token is not None:
        found.append(reader.clause())
        if not reader.skip(","):
            break
    return found
