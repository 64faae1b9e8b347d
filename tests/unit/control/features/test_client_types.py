"""Which transforms a process takes, and whose customers a call reaches."""

from dataclasses import replace

import pytest
import sqlalchemy as sa

from zcbus.control.features.subscribe.client_types import authorise_customers, lacks_rules, reached
from zcbus.control.platform.errors import ForbiddenError
from zcbus.control.platform.principal import Operation, local_principal
from zcbus.control.store.tables.subscribe import customer
from zcbus.protocol.transforms import ColumnExpression, ColumnMask, NameRule, Transform

EXPRESSION = ColumnExpression(column="a", expression="1")
MASK = ColumnMask(column="a", method="hash")


@pytest.mark.parametrize(
    ("transform", "lacks"),
    [
        (Transform(), True),
        (Transform(names=NameRule(case="upper", prefix="x"), exact_names=True), True),
        (Transform(where="id > 1"), False),
        (Transform(target_where="id > 1"), False),
        (Transform(expressions=(EXPRESSION,)), False),
        (Transform(masks=(MASK,)), False),
    ],
    ids=["nothing", "names", "condition", "target-condition", "expression", "mask"],
)
def test_names_alone_are_no_rule(transform: Transform, lacks: bool) -> None:
    assert lacks_rules("databus", transform) is lacks
    assert not lacks_rules("client", transform)


def test_a_call_reaches_those_behind_the_entries_that_allow_it() -> None:
    somebody = replace(
        local_principal(), permissions=frozenset({("databus", Operation.EDIT), ("subscribe", Operation.VIEW)})
    )
    access = authorise_customers(Operation.EDIT)
    assert _types(reached(access.admit(somebody), customer.c.tenant_id, customer.c.client_type)) == [["databus"]]
    viewing = authorise_customers(Operation.VIEW).admit(somebody)
    assert _types(reached(viewing, customer.c.tenant_id, customer.c.client_type)) == [["client"]]
    with pytest.raises(ForbiddenError):
        authorise_customers(Operation.DELETE).admit(somebody)
    # Without a caller: the platform reads everything.
    assert _types(reached(local_principal(), customer.c.tenant_id, customer.c.client_type)) == []


def _types(condition: sa.ColumnElement[bool]) -> list[list[str]]:
    return [value for value in condition.compile().params.values() if isinstance(value, list)]
