"""Calls of ETL rules: each is compiled against the source's structure before it is stored. A change of the rules begins
with a new full load, unless the table is never loaded."""

from typing import Any

from zcbus.control.features.subscribe import etl_rules
from zcbus.control.features.subscribe.editing import Edited
from zcbus.control.features.subscribe.endpoints import EDIT, VIEW
from zcbus.control.features.subscribe.etl_schemas import (
    EtlRule,
    EtlRuleAddition,
    EtlRuleChange,
    EtlRuleDeletion,
    EtlTableChoice,
)
from zcbus.control.features.subscribe.sheet_endpoints import api as api
from zcbus.control.platform.call import Call, Unit

_RULE = "/api/zcbus/subscribe/etl/rule"


@api.read(f"{_RULE}/list", VIEW)
def list_etl_rules(call: Call, body: EtlTableChoice) -> list[EtlRule]:
    """A subscribed table's rules, by column."""
    return etl_rules.list_rules(call, body.table)


@api.change(f"{_RULE}/add", EDIT, unit=Unit.OWN)
def add_etl_rule(call: Call, body: EtlRuleAddition) -> None:
    """Compute or mask a further column."""
    _note(call, etl_rules.add(call, body), {"added": body.rule.model_dump(mode="json", exclude_defaults=True)})


@api.change(f"{_RULE}/edit", EDIT, unit=Unit.OWN)
def edit_etl_rule(call: Call, body: EtlRuleChange) -> None:
    """Replace the rule of a column."""
    rule = body.rule.model_dump(mode="json", exclude_defaults=True)
    _note(call, etl_rules.edit(call, body), {"column": body.column, "rule": rule})


@api.change(f"{_RULE}/delete", EDIT, unit=Unit.OWN)
def delete_etl_rules(call: Call, body: EtlRuleDeletion) -> None:
    """Carry columns as they are again; computed ones that the source does not have are carried no more."""
    _note(call, etl_rules.delete(call, body), {"deleted": body.columns})


def _note(call: Call, edited: Edited, after: dict[str, Any]) -> None:
    row = edited.row
    call.audit.subject = f"{row.source_schema}.{row.source_table}"
    call.audit.before = {"state": row.current_state, "rules": etl_rules.plain_rules(row)}
    call.audit.after = {**after, "consequence": edited.change.consequence.value}
