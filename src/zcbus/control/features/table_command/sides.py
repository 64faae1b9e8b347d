"""Facts for the rules about the rows of either side."""

from typing import Any, NamedTuple, Protocol

from sqlalchemy import Row

from zcbus.control.features.publish.listing import facts_of as published_facts
from zcbus.control.features.subscribe.tables import facts_of as subscribed_facts
from zcbus.control.features.subscribe.tables import link_rights
from zcbus.control.features.table_command.order import Parameters
from zcbus.control.platform.principal import Principal
from zcbus.model.table_verbs import PUBLISHED, SUBSCRIBED, TableVerb


class Verdict(NamedTuple):
    """`refusal`: code of the reason; empty: none. `is_met`: the table is as ordered already."""

    refusal: str
    is_met: bool


class Side(Protocol):
    """Publishing or subscribing. `unknown`: code for an id that is no table of the caller's."""

    unknown: str

    def judge(self, verb: TableVerb, row: Row[Any], principal: Principal, parameters: Parameters) -> Verdict:
        """Verdict of a verb's rule on a table."""
        ...

    def name(self, row: Row[Any]) -> str:
        """`schema.table` in the source."""
        ...


class _Subscribe:
    """Rows of `subscribe.views.tables`."""

    unknown = "sheet-unknown"

    def judge(self, verb: TableVerb, row: Row[Any], principal: Principal, parameters: Parameters) -> Verdict:
        rule = SUBSCRIBED[verb]
        facts = parameters.narrow(subscribed_facts(row, link_rights(principal)), row)
        return Verdict(rule.refusal(facts), rule.is_met(facts))

    def name(self, row: Row[Any]) -> str:
        return f"{row.source_schema}.{row.source_table}"


class _Publish:
    """Rows of `publish.views.tables`."""

    unknown = "table-not-published"

    def judge(self, verb: TableVerb, row: Row[Any], principal: Principal, parameters: Parameters) -> Verdict:
        rule, facts = PUBLISHED[verb], published_facts(row)
        return Verdict(rule.refusal(facts), rule.is_met(facts))

    def name(self, row: Row[Any]) -> str:
        return f"{row.schema_name}.{row.table_name}"


_SUBSCRIBE, _PUBLISH = _Subscribe(), _Publish()


def side_of(verb: TableVerb) -> Side:
    """The side whose tables take a verb."""
    return _SUBSCRIBE if verb in SUBSCRIBED else _PUBLISH
