"""Row conditions with the same meaning in every database.

There is no NOT: callers invert the signs instead, which has the same meaning for NULL. So a part may be left out
wherever additional rows do no harm.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Sign = Literal["=", "<>", "<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A column's value compared with a canonical text of the column's type.

    Texts are only tested for equality; whether case or trailing blanks count depends on the database.
    """

    column: str
    sign: Sign
    value: str


@dataclass(frozen=True, slots=True)
class NullTest:
    """Whether a column is NULL, or is not."""

    column: str
    is_null: bool


@dataclass(frozen=True, slots=True)
class Membership:
    """A column's value is one of these canonical texts, at least one; as `Comparison` with `=`."""

    column: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Junction:
    """All of the parts are true, or any of them."""

    word: Literal["AND", "OR"]
    parts: "tuple[Condition, ...]"


Condition = Comparison | NullTest | Membership | Junction


def written(condition: Condition, identifier: Callable[[str], str], literal: Callable[[str, str], str]) -> str:
    """The condition as SQL. `literal`: a column's canonical text (column, text) as a term."""
    match condition:
        case Comparison(column, sign, value):
            return f"{identifier(column)} {sign} {literal(column, value)}"
        case NullTest(column, is_null):
            return f"{identifier(column)} IS {'' if is_null else 'NOT '}NULL"
        case Membership(column, values):
            return f"{identifier(column)} IN ({', '.join(literal(column, value) for value in values)})"
        case Junction(word, parts):
            return "(" + f" {word} ".join(written(part, identifier, literal) for part in parts) + ")"
