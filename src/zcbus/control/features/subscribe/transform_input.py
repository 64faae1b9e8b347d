"""How a link document writes names, conditions, expressions and masks."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, ConfigDict, Field

from zcbus.control.platform.schema import Schema
from zcbus.protocol.transforms import ColumnExpression, ColumnMask, NameCase, NameRule, Transform

ColumnName = Annotated[str, Field(min_length=1, max_length=255)]
ExpressionText = Annotated[str, Field(min_length=1, max_length=4000)]
Constant = bool | int | float | Annotated[str, Field(max_length=4000)] | None
_Affix = Annotated[str, Field(max_length=64)]


def split_names(value: object) -> object:
    """`key1,key2` as a list; nothing: none."""
    if not isinstance(value, str):
        return value
    return [part.strip() for part in value.split(",")] if value.strip() else []


ColumnNames = Annotated[list[ColumnName], BeforeValidator(split_names)]
"""A list, or the names with commas between them."""


class NameRuleInput(Schema):
    """How target names derive from source names. `replace`: pattern → replacement, the first match counts, `*` stands
    for any text in both; then `case`, then `prefix` and `suffix`."""

    model_config = ConfigDict(extra="forbid")

    case: NameCase | None = None
    prefix: _Affix | None = None
    suffix: _Affix | None = None
    replace: dict[ColumnName, Annotated[str, Field(max_length=255)]] | None = Field(default=None, max_length=100)

    def rule(self) -> NameRule:
        """As agents take it."""
        return NameRule(
            case=self.case or "default",
            prefix=self.prefix or "",
            suffix=self.suffix or "",
            replace=tuple((self.replace or {}).items()),
        )


class LinkNames(Schema):
    """Rules for all names of a link; names of a single table take precedence."""

    model_config = ConfigDict(extra="forbid")

    schema_rule: NameRuleInput | None = Field(None, alias="schema")
    table: NameRuleInput | None = None
    column: NameRuleInput | None = None


class ExpressionInput(Schema):
    """A computed column with the type it is to have in the target (`text`, `decimal(12,2)`, …)."""

    model_config = ConfigDict(extra="forbid")

    expression: ExpressionText
    type: str = Field("", max_length=40)


class MaskInput(Schema):
    """How values are masked. `first`, `last`: characters that `partial` keeps; `value`: what `fixed` writes."""

    model_config = ConfigDict(extra="forbid")

    method: Literal["hash", "partial", "fixed"]
    first: int | None = Field(default=None, ge=0, le=1000)
    last: int | None = Field(default=None, ge=0, le=1000)
    value: str | None = Field(default=None, max_length=4000)


class TransformInput(Schema):
    """Transformation of a table's rows. `where`: SQL over the source's columns; `targetWhere`: over the target's.
    `constants`, `expressions`, `masks`: by column name in the source, or of a new column in the target."""

    where: ExpressionText | None = None
    target_where: ExpressionText | None = None
    constants: dict[ColumnName, Constant] | None = Field(default=None, max_length=500)
    expressions: dict[ColumnName, ExpressionText | ExpressionInput] | None = Field(default=None, max_length=500)
    masks: dict[ColumnName, Literal["hash"] | MaskInput] | None = Field(default=None, max_length=500)

    def transform(self, names: NameRuleInput | None, exact_names: bool) -> Transform:
        """As agents take it. `names`: the link's rule for columns."""
        constants = [
            ColumnExpression(column=name, expression=_literal(v)) for name, v in (self.constants or {}).items()
        ]
        expressions = [_expression(name, value) for name, value in (self.expressions or {}).items()]
        return Transform(
            where=self.where or "",
            target_where=self.target_where or "",
            expressions=(*constants, *expressions),
            masks=tuple(_mask(name, value) for name, value in (self.masks or {}).items()),
            names=names.rule() if names is not None else NameRule(),
            exact_names=exact_names,
        )


def _literal(value: bool | int | float | str | None) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return str(value).lower()


def _expression(column: str, value: str | ExpressionInput) -> ColumnExpression:
    if isinstance(value, str):
        return ColumnExpression(column=column, expression=value)
    return ColumnExpression(column=column, expression=value.expression, type=value.type)


def _mask(column: str, value: str | MaskInput) -> ColumnMask:
    if isinstance(value, str):
        return ColumnMask(column=column, method="hash")
    return ColumnMask(
        column=column, method=value.method, first=value.first or 0, last=value.last or 0, value=value.value or ""
    )
