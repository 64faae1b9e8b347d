"""What becomes of a table's names and values on their way to the target."""

from typing import Literal

from zcbus.protocol.base import Message

NameCase = Literal["default", "upper", "lower"]


class NameRule(Message):
    """How a name in the target follows from the name in the source: replaced, then in upper or lower case, then with
    prefix and suffix around it."""

    case: NameCase = "default"
    prefix: str = ""
    suffix: str = ""
    replace: tuple[tuple[str, str], ...] = ()
    """(pattern, replacement) pairs, of which the first that fits counts. `*` in the pattern stands for any text, the
    same `*` in the replacement for what it stood for; without `*` the whole name must be equal."""

    def apply(self, name: str) -> str:
        """The name in the target."""
        name = self._replaced(name)
        if self.case != "default":
            name = name.upper() if self.case == "upper" else name.lower()
        return f"{self.prefix}{name}{self.suffix}"

    def _replaced(self, name: str) -> str:
        for pattern, replacement in self.replace:
            before, star, behind = pattern.partition("*")
            if not star:
                if name == pattern:
                    return replacement
            elif len(name) >= len(before) + len(behind) and name.startswith(before) and name.endswith(behind):
                return replacement.replace("*", name[len(before) : len(name) - len(behind)])
        return name


class ColumnExpression(Message):
    """A column whose values are computed. A column of the source keeps its place, a new one is added."""

    column: str
    """Name in the source, or of a new column in the target."""
    expression: str
    """SQL over the source's columns; see zcbus.engine.transform.expressions."""
    type: str = ""
    """`decimal(12,2)`, `text`, …; empty: the source column's type, or what the expression gives."""


class ColumnMask(Message):
    """A column whose values are hidden. NULL stays NULL."""

    column: str
    """Name in the source."""
    method: Literal["hash", "partial", "fixed"]
    """hash: the same value gives the same 64 hexadecimal digits everywhere in the installation, so that rows can still
    be joined. partial: only the first and last characters stay. fixed: everybody gets `value`."""
    first: int = 0
    last: int = 0
    value: str = ""


class Transform(Message):
    """Everything that is done to a table's rows, in this order: the source condition, expressions and masks, names,
    the target condition."""

    where: str = ""
    """Only rows for which it is true are carried; over the source's columns."""
    expressions: tuple[ColumnExpression, ...] = ()
    masks: tuple[ColumnMask, ...] = ()
    names: NameRule = NameRule()
    """Of columns that have no name of their own in the mapping."""
    target_where: str = ""
    """Only rows for which it is true are written; over the target's columns and values."""
    exact_names: bool = False
    """Columns of a target table that is there already are found by their exact names; else ignoring case."""

    @property
    def changes_rows(self) -> bool:
        """Whether more than names is changed."""
        return bool(self.where or self.target_where or self.expressions or self.masks)


NO_TRANSFORM = Transform()
