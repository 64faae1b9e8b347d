"""ETL rules of subscribed tables: which columns are computed or masked on their way. A column has one rule at most."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.subscribe.editing import Change, Edited, change_settings
from zcbus.control.features.subscribe.errors import EtlRuleRefusedError, EtlRuleTakenError, SettingsRefusedError
from zcbus.control.features.subscribe.etl_schemas import (
    EtlRule,
    EtlRuleAddition,
    EtlRuleChange,
    EtlRuleDeletion,
    with_rules,
)
from zcbus.control.features.subscribe.service import TableSettings
from zcbus.control.features.subscribe.sheet import find_row
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.protocol.transforms import Transform


def rules_of(row: Row[Any]) -> list[EtlRule]:
    """The rules of a row of `views.tables`, by column."""
    return _rules(Transform.model_validate(row.transform))


def list_rules(call: Call, table: str) -> list[EtlRule]:
    """Raises RecordNotFoundError."""
    return rules_of(find_row(call.connection, call.principal, table))


def add(call: Call, request: EtlRuleAddition) -> Edited:
    """Add a rule. Raises EtlRuleTakenError, and what change_settings does."""

    def change(before: TableSettings) -> TableSettings:
        rules = _rules(before.transform)
        _refuse_taken(rules, request.rule.column)
        return _with(before, [*rules, request.rule])

    return _change(call, request.table, change)


def edit(call: Call, request: EtlRuleChange) -> Edited:
    """Another rule instead of a column's; as `add`. Raises RecordNotFoundError too."""

    def change(before: TableSettings) -> TableSettings:
        rules = _without(before, [request.column])
        _refuse_taken(rules, request.rule.column)
        return _with(before, [*rules, request.rule])

    return _change(call, request.table, change)


def delete(call: Call, request: EtlRuleDeletion) -> Edited:
    """Remove the rules of columns; as `edit`."""
    return change_settings(call, request.table, lambda before: _with(before, _without(before, request.columns)))


def _change(call: Call, table: str, change: Change) -> Edited:
    try:
        return change_settings(call, table, change)
    except SettingsRefusedError as refused:
        raise EtlRuleRefusedError(**refused.facts) from refused


def plain_rules(row: Row[Any]) -> list[dict[str, Any]]:
    """For the operation log: a table's rules."""
    return [rule.model_dump(mode="json", exclude_defaults=True) for rule in rules_of(row)]


def _rules(transform: Transform) -> list[EtlRule]:
    rules = [
        EtlRule(column=one.column, kind="expression", expression=one.expression, type=one.type)
        for one in transform.expressions
    ]
    rules += [
        EtlRule(column=one.column, kind=one.method, first=one.first, last=one.last, value=one.value)
        for one in transform.masks
    ]
    return sorted(rules, key=lambda rule: rule.column)


def _without(settings: TableSettings, columns: Sequence[str]) -> list[EtlRule]:
    rules = {rule.column: rule for rule in _rules(settings.transform)}
    for column in columns:
        if rules.pop(column, None) is None:
            raise RecordNotFoundError(kind="etl-rule", id=column)
    return list(rules.values())


def _refuse_taken(rules: Sequence[EtlRule], column: str) -> None:
    if any(rule.column == column for rule in rules):
        raise EtlRuleTakenError(column=column)


def _with(settings: TableSettings, rules: Sequence[EtlRule]) -> TableSettings:
    return replace(settings, transform=with_rules(settings.transform, rules))
