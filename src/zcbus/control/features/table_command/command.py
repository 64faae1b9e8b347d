"""Orders to tables: the one way of every page, the command line and programs.

Refused tables stop none of the others. Each order writes its own part of the call's one record in the operation log.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row

from zcbus.control.features.subscribe import sheet
from zcbus.control.features.subscribe.sheet_schemas import SheetChoice
from zcbus.control.features.table_command import published, subscribed
from zcbus.control.features.table_command.order import PLAIN, Effect, Order, Parameters
from zcbus.control.features.table_command.sides import side_of
from zcbus.control.platform.call import Call
from zcbus.control.platform.outcomes import TableResult, note_outcomes
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.model.table_verbs import TableVerb

EFFECTS: Mapping[TableVerb, Effect] = {**subscribed.EFFECTS, **published.EFFECTS}
NOTHING_TO_DO = "nothing-to-do"
NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Chosen:
    """The tables that an order is for. `rows`: of `subscribe.views.tables` or `publish.views.tables`, by the verb's
    side. `unknown`: names or ids that mean no table of the caller's."""

    rows: Sequence[Row[Any]]
    unknown: Sequence[str] = ()

    @classmethod
    def by_id(cls, rows: Sequence[Row[Any]], asked: Sequence[str]) -> "Chosen":
        """The rows found for the requested ids."""
        known = {row.id for row in rows}
        return cls(rows, [one for one in dict.fromkeys(asked) if one not in known])


@dataclass(frozen=True, slots=True)
class Examined:
    """Result of the rules. `refused`: code by id of the row; `met`: ids of tables that already are as ordered."""

    taken: list[Row[Any]]
    refused: Mapping[str, str]
    met: frozenset[str]


def examine(
    principal: Principal,
    verb: TableVerb,
    chosen: Chosen,
    parameters: Parameters = PLAIN,
    refused: Mapping[str, str] = NONE,
) -> Examined:
    """Which tables an order would change, without changing any. `refused`: those that are refused already."""
    side = side_of(verb)
    taken, against, met = list[Row[Any]](), dict[str, str](), set[str]()
    for row in chosen.rows:
        verdict = side.judge(verb, row, principal, parameters)
        if code := refused.get(row.id) or verdict.refusal:
            against[row.id] = code
        elif verdict.is_met:
            met.add(row.id)
        else:
            taken.append(row)
    return Examined(taken, against, frozenset(met))


def order(
    call: Call,
    store: StoreConnection,
    verb: TableVerb,
    chosen: Chosen,
    parameters: Parameters = PLAIN,
    *,
    subject: str | None = None,
    refused: Mapping[str, str] = NONE,
) -> list[TableResult]:
    """Give an order to tables; refused ones stay unchanged. Answers a result per table.

    `store`: a transaction to write in. `subject`: the owner of the tables, for the operation log. `refused`: code by id
    of tables that were refused when the order was prepared. Raises what the effect raises; then nothing is changed.
    """
    examined = examine(call.principal, verb, chosen, parameters, refused)
    if examined.taken:
        EFFECTS[verb](Order(call, store, parameters), examined.taken)
    results = results_of(call, verb, chosen, examined)
    call.audit.before = {side_of(verb).name(row): _before(verb, row) for row in examined.taken}
    unchanged = [one.table for one in results if one.code == NOTHING_TO_DO]
    facts = {**parameters.noted(), **({"unchanged": unchanged} if unchanged else {})}
    note_outcomes(call, results, verb.value, subject or _link_of(chosen.rows), **facts)
    return results


def _link_of(rows: Sequence[Row[Any]]) -> str | None:
    """The name of the link that has all the tables; None: there is none."""
    links = {(row.link_id, row.link_name) for row in rows if hasattr(row, "link_id")}
    (link_id, name), *others = links or {(None, None)}
    return name if link_id is not None and not others else None


def results_of(call: Call, verb: TableVerb, chosen: Chosen, examined: Examined) -> list[TableResult]:
    """The result per table, in the caller's language."""
    texts = ReasonTexts.of(call)
    known = [_result(verb, row, examined, texts) for row in chosen.rows]
    code = side_of(verb).unknown
    reason = texts.text(code, {})
    unknown = [TableResult(id=one, table=one, done=False, code=code, reason=reason) for one in chosen.unknown]
    return [*known, *unknown]


def _result(verb: TableVerb, row: Row[Any], examined: Examined, texts: ReasonTexts) -> TableResult:
    name = side_of(verb).name(row)
    code = examined.refused.get(row.id) or (NOTHING_TO_DO if row.id in examined.met else "")
    facts = {"table": name, "action": verb.value, "state": str(row.current_state)} if code else {}
    reason = texts.text(code, facts) if code else ""
    return TableResult(
        id=row.id, table=name, done=row.id not in examined.refused, reason=reason, code=code, facts=facts
    )


def _before(verb: TableVerb, row: Row[Any]) -> dict[str, Any]:
    """For the operation log: how a table was before an order changed it."""
    kept = subscribed.NOTED.get(verb, {})
    return {"state": row.current_state, **{name: getattr(row, column) for name, column in kept.items()}}


def order_on_sheet(
    call: Call, choice: SheetChoice, verb: TableVerb, parameters: Parameters = PLAIN
) -> list[TableResult]:
    """An order to chosen rows of a data sheet."""
    chosen = Chosen.by_id(sheet.rows_of(call.connection, call.principal, choice.tables), choice.tables)
    return order(call, call.connection, verb, chosen, parameters)
