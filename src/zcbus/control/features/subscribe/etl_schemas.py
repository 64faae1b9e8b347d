"""Requests and answers about ETL rules."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationInfo, field_validator

from zcbus.control.features.subscribe.schemas import Id
from zcbus.control.features.subscribe.transform_input import ColumnName
from zcbus.control.platform.faults import field_fault
from zcbus.control.platform.schema import Schema
from zcbus.protocol.transforms import ColumnExpression, ColumnMask, Transform

MaskMethod = Literal["hash", "partial", "fixed"]


class EtlRule(Schema):
    """Rule of one column. `expression`: SQL over the source's columns, of data type `type` (empty: as it gives); a
    column that the source does not have is added. `hash`, `partial`, `fixed`: masks; `partial` keeps `first` and `last`
    characters, `fixed` writes `value`."""

    column: ColumnName
    kind: Literal["expression", "hash", "partial", "fixed"]
    expression: str = Field(default="", max_length=4000, validate_default=True)
    type: str = Field(default="", max_length=40)
    first: int = Field(default=0, ge=0, le=1000)
    last: int = Field(default=0, ge=0, le=1000)
    value: str = Field(default="", max_length=4000)

    @field_validator("expression")
    @classmethod
    def _says_what(cls, expression: str, rule: ValidationInfo) -> str:
        if rule.data.get("kind") == "expression" and not expression.strip():
            raise field_fault("missing")
        return expression

    def as_expression(self) -> ColumnExpression:
        """As agents take it."""
        return ColumnExpression(column=self.column, expression=self.expression, type=self.type)

    def as_mask(self, method: MaskMethod) -> ColumnMask:
        """As agents take it."""
        return ColumnMask(column=self.column, method=method, first=self.first, last=self.last, value=self.value)


def _one_a_column(rules: list[EtlRule]) -> list[EtlRule]:
    if len({rule.column for rule in rules}) < len(rules):
        raise field_fault("one-rule-a-column")
    return rules


EtlRules = Annotated[list[EtlRule], Field(max_length=1000), AfterValidator(_one_a_column)]


def with_rules(transform: Transform, rules: Sequence[EtlRule]) -> Transform:
    """With these rules instead of those it has."""
    expressions = tuple(rule.as_expression() for rule in rules if rule.kind == "expression")
    masks = tuple(rule.as_mask(rule.kind) for rule in rules if rule.kind != "expression")
    return transform.model_copy(update={"expressions": expressions, "masks": masks})


class EtlTableChoice(Schema):
    """A subscribed table, by id."""

    table: Id


class EtlRuleAddition(EtlTableChoice):
    rule: EtlRule


class EtlRuleChange(EtlTableChoice):
    """`rule` replaces that of `column`."""

    column: ColumnName
    rule: EtlRule


class EtlRuleDeletion(EtlTableChoice):
    columns: Annotated[list[ColumnName], Field(min_length=1, max_length=1000)]
