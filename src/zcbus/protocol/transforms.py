"""Transforms of a table's names and values between source and target."""

from typing import Literal

from zcbus.protocol.base import Message

NameCase = Literal["default", "upper", "lower"]


class NameRule(Message):
    """Rule for names in the target: replacement, then upper or lower case, then prefix and suffix."""

    case: NameCase = "default"
    prefix: str = ""
    suffix: str = ""
    replace: tuple[tuple[str, str], ...] = ()
    """(pattern, replacement) pairs, of which the first match applies.

    `*` in the pattern matches any text and `*` in the replacement inserts it; a pattern without `*` matches the whole
    name.
    """

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
    """A column with computed values. A column of the source keeps its position, a new one is appended."""

    column: str
    """Name in the source, or of the new column in the target."""
    expression: str
    """SQL over the source's columns; see zcbus.engine.transform.expressions."""
    type: str = ""
    """`decimal(12,2)`, `text`, …; empty: the source column's type, or that of the expression."""


class ColumnMask(Message):
    """A column with masked values. NULL stays NULL."""

    column: str
    """Name in the source."""
    method: Literal["hash", "partial", "fixed"]
    """hash: equal values give equal 64 hexadecimal digits in the whole installation, so rows can still be joined.

    partial: only the first and last characters stay. fixed: the constant `value`.
    """
    first: int = 0
    last: int = 0
    value: str = ""


class Transform(Message):
    """All transforms of a table's rows, in the order of execution.

    These are the source condition, expressions and masks, names, and the target condition.
    """

    where: str = ""
    """Condition on source columns: only rows for which it is true are replicated."""
    expressions: tuple[ColumnExpression, ...] = ()
    masks: tuple[ColumnMask, ...] = ()
    names: NameRule = NameRule()
    """Naming rule for columns without a name in the mapping."""
    target_where: str = ""
    """Condition on the target's columns and values: only rows for which it is true are written."""
    exact_names: bool = False
    """Columns of an existing target table are matched by exact names; false: ignoring case."""

    @property
    def changes_rows(self) -> bool:
        """Whether values change, not only names."""
        return bool(self.where or self.target_where or self.expressions or self.masks)


NO_TRANSFORM = Transform()
