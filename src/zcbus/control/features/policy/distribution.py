"""Distributing policies: the preview, one delivery after another, and what customers have."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import Row, select
from sqlalchemy.exc import SQLAlchemyError

from zcbus.control.features.policy import repository
from zcbus.control.features.policy.contents import PolicyContents
from zcbus.control.features.policy.delivery import (
    admitted,
    deliver,
    find_delivery,
    find_version,
    note_failure,
    revoke,
    roll_back,
)
from zcbus.control.features.policy.delivery_plan import DeliveryPlan, PlannedTable, TableAction, Target, make_plan
from zcbus.control.features.policy.distribution_schemas import (
    DELIVERIES,
    DeliveryResult,
    DistributionRequest,
    PlannedTableRecord,
    PolicyDeliveryPageRequest,
    PolicyDeliveryRecord,
    PreviewRecord,
)
from zcbus.control.features.policy.repository import in_state
from zcbus.control.features.subscribe import lookup, service
from zcbus.control.features.sync_link.planning import spell
from zcbus.control.features.sync_link.schemas import FindingRecord
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import StoreBusyError
from zcbus.control.platform.paging import Listing, Page, answer_page
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.progress import CallCancelledError
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.policy import strategy, strategy_customer
from zcbus.control.store.tables.subscribe import customer
from zcbus.kit.errors import ZcbusError
from zcbus.kit.logging import get_logger
from zcbus.model.states import SyncState

_log = get_logger("control.policy")


def preview(call: Call, request: DistributionRequest) -> list[PreviewRecord]:
    """What a version would change at each customer, with the findings of the pre-check; nothing is changed. A customer
    of whom that cannot be told is refused by a finding. Raises the errors of `find_version`."""
    principal = admitted(call)
    policy, contents = find_version(call, request.id, request.version)
    found = list[PreviewRecord]()
    for number, one in enumerate(request.targets):
        call.progress.step("policy-customers", len(request.targets))
        call.progress.reached(number, len(request.targets))
        target = Target(one.control_id, one.channel_id)
        try:
            found.append(_preview(make_plan(call, principal, policy, contents, target)))
        except CallCancelledError:
            raise
        except ZcbusError as error:
            found.append(_refused(call, principal, target, error))
    return found


def distribute(call: Call, request: DistributionRequest) -> list[DeliveryResult]:
    """Give a version to customers, one after another; one that fails stops none of the others. Raises the errors of
    `find_version`, and CallCancelledError: customers before that have the version."""
    principal = admitted(call)
    policy, contents = find_version(call, request.id, request.version)
    call.audit.subject = policy.product_name
    targets = [Target(one.control_id, one.channel_id) for one in request.targets]
    attempts = [
        _Attempt(policy.id, request.version, target, partial(_deliver, policy, request.version, contents, target))
        for target in targets
    ]
    return _perform(call, principal, attempts, "distribute")


def roll_back_all(call: Call, delivery_ids: Sequence[str]) -> list[DeliveryResult]:
    """Give customers the versions that they had before. Raises RecordNotFoundError, and as `distribute`."""
    principal = admitted(call)
    with call.services.database.read() as store:
        rows = [find_delivery(store, call.principal, one) for one in dict.fromkeys(delivery_ids)]
    call.audit.subject = ", ".join(dict.fromkeys(row.product_name for row in rows))
    attempts = [
        _Attempt(row.strategy_id, row.previous or 0, Target(row.master_id, row.channel_id), partial(_roll_back, row))
        for row in rows
    ]
    return _perform(call, principal, attempts, "roll-back")


def revoke_all(call: Call, delivery_ids: Sequence[str], *, keep_tables: bool) -> None:
    """Take policies from customers. Raises RecordNotFoundError."""
    principal = admitted(call)
    rows = [find_delivery(call.connection, call.principal, one) for one in dict.fromkeys(delivery_ids)]
    call.audit.subject = ", ".join(dict.fromkeys(row.product_name for row in rows))
    call.audit.before = {row.customer_name: {"policy": row.product_name, "version": row.version} for row in rows}
    done = {row.customer_name: revoke(call, principal, row, keep_tables=keep_tables) for row in rows}
    call.audit.after = {"action": "revoke", "keepTables": keep_tables, "tables": done}


def page(call: Call, request: PolicyDeliveryPageRequest) -> Page[PolicyDeliveryRecord]:
    """What customers have, by policy and customer."""
    statement = repository.deliveries(call.principal)
    if request.search.strip():
        names = (strategy.c.product_name, customer.c.name)
        statement = statement.where(any_contains(names, request.search.strip()))
    if request.policy is not None:
        statement = statement.where(strategy_customer.c.strategy_id == request.policy)
    if request.customer_id is not None:
        statement = statement.where(strategy_customer.c.customer_id == request.customer_id)
    if request.state:
        line = statement.subquery("line")
        statement = select(line).where(line.c.state.in_(request.state))
    usual = [statement.selected_columns[name] for name in ("product_name", "customer_name", "id")]
    return answer_page(call, request, Listing(DELIVERIES, statement, usual, partial(_record, ReasonTexts.of(call))))


@dataclass(frozen=True, slots=True)
class _Attempt:
    """What is to be done at one customer, and its version of which policy that is about."""

    policy_id: str
    version: int
    target: Target
    work: Callable[[Call, Principal], DeliveryPlan]


def _deliver(
    policy: Row[Any], number: int, contents: PolicyContents, target: Target, call: Call, principal: Principal
) -> DeliveryPlan:
    return deliver(call, principal, policy, number, contents, target)


def _roll_back(row: Row[Any], call: Call, principal: Principal) -> DeliveryPlan:
    return roll_back(call, principal, row)


def _perform(call: Call, principal: Principal, attempts: Sequence[_Attempt], action: str) -> list[DeliveryResult]:
    """One after another. The operation log has what was done even where the call is cancelled on the way."""
    results = list[DeliveryResult]()
    for number, attempt in enumerate(attempts):
        call.audit.after = _logged(results, action)
        call.progress.step("policy-customers", len(attempts))
        call.progress.reached(number, len(attempts))
        results.append(_result(call, principal, attempt))
    call.audit.after = _logged(results, action)
    return results


def _result(call: Call, principal: Principal, attempt: _Attempt) -> DeliveryResult:
    """What becomes of one customer. What fails is noted on the customer's line."""
    try:
        plan = attempt.work(call, principal)
    except CallCancelledError:
        raise
    except ZcbusError as error:
        return _failed(call, principal, attempt, error)
    except SQLAlchemyError as error:
        _log.error("delivery failed", policy=attempt.policy_id, master=attempt.target.master_id, exc_info=error)
        return _failed(call, principal, attempt, StoreBusyError())
    return DeliveryResult(
        control_id=plan.master.id,
        customer_name=plan.master.customer_name,
        done=True,
        version=attempt.version,
        tables={action: len(plan.of(action)) for action in TableAction if plan.of(action)},
    )


def _failed(call: Call, principal: Principal, attempt: _Attempt, error: ZcbusError) -> DeliveryResult:
    facts = _facts(error)
    try:
        note_failure(call, principal, attempt.policy_id, attempt.version, attempt.target, error.code, facts)
    except SQLAlchemyError as lost:
        # The caller hears of it all the same.
        _log.error("failure not noted", policy=attempt.policy_id, master=attempt.target.master_id, exc_info=lost)
    return DeliveryResult(
        control_id=attempt.target.master_id,
        customer_name=_names(call, principal, attempt.target.master_id)[0],
        done=False,
        version=attempt.version,
        tables={},
        code=error.code,
        reason=ReasonTexts.of(call).text(error.code, facts),
    )


def _facts(error: ZcbusError) -> dict[str, str]:
    return {name: str(value) for name, value in error.facts.items() if name != "findings"}


def _names(call: Call, principal: Principal, master_id: str) -> tuple[str, str]:
    """Of a master's customer and of the master, as far as the caller may see them."""
    try:
        with call.services.database.read() as store:
            master = lookup.find_master(store, principal, master_id)
    except (ZcbusError, SQLAlchemyError):
        return master_id, master_id
    return master.customer_name, master.name


def _logged(results: Sequence[DeliveryResult], action: str) -> dict[str, Any]:
    return {
        "action": action,
        "customers": {
            one.customer_name: {"version": one.version, **({} if one.done else {"refused": one.reason})}
            for one in results
        },
    }


def _refused(call: Call, principal: Principal, target: Target, error: ZcbusError) -> PreviewRecord:
    customer_name, name = _names(call, principal, target.master_id)
    texts, facts = ReasonTexts.of(call), _facts(error)
    text, remedy = texts.text(error.code, facts), texts.remedy(error.code, facts)
    finding = FindingRecord(level="error", table="", column="", code=error.code, text=text, remedy=remedy, advice="")
    return PreviewRecord(
        control_id=target.master_id,
        customer_name=customer_name,
        control_name=name,
        ok=False,
        version=None,
        tables=[],
        findings=[finding],
    )


def _preview(plan: DeliveryPlan) -> PreviewRecord:
    return PreviewRecord(
        control_id=plan.master.id,
        customer_name=plan.master.customer_name,
        control_name=plan.master.name,
        ok=not plan.errors,
        version=plan.delivery.version if plan.delivery is not None else None,
        tables=[_planned(one) for one in plan.tables],
        findings=list(plan.findings),
    )


_FIELDS = {
    "target": "target",
    "columns": "columns",
    "key": "key",
    "load": "load",
    "clean": "clean",
    "ddl": "ddl",
    "indexes": "indexes",
    "append_only": "key",
}
_TRANSFORM = {
    "where": "where",
    "target_where": "targetWhere",
    "expressions": "rules",
    "masks": "rules",
    "names": "columnNames",
    "exact_names": "columnNames",
}


def _planned(one: PlannedTable) -> PlannedTableRecord:
    return PlannedTableRecord(
        source=spell(one.source),
        target=spell(one.target),
        action=one.action,
        fields=_fields(one),
        adopted=one.adopted,
    )


def _fields(one: PlannedTable) -> list[str]:
    """Names of the settings that differ, as the console calls them."""
    if one.stored is None or one.settings is None:
        return []
    before, after = service.settings_of(one.stored), one.settings
    differing = [shown for name, shown in _FIELDS.items() if getattr(before, name) != getattr(after, name)]
    differing += [
        shown for name, shown in _TRANSFORM.items() if getattr(before.transform, name) != getattr(after.transform, name)
    ]
    return list(dict.fromkeys(differing))


def _record(texts: ReasonTexts, row: Row[Any]) -> PolicyDeliveryRecord:
    return PolicyDeliveryRecord(
        id=row.id,
        policy=row.strategy_id,
        product_name=row.product_name,
        customer_id=row.customer_id,
        customer_name=row.customer_name,
        client_type=row.client_type,
        control_id=row.master_id,
        control_name=row.master_name,
        channel_id=row.channel_id,
        channel_name=row.channel_name,
        version=row.version,
        previous=row.previous,
        newest=row.newest,
        state=row.state,
        tables=row.tables,
        tables_by_state={state: count for state in SyncState if (count := row._mapping[in_state(state)])},
        failed_version=row.failed_version,
        reason=texts.record(row.reason),
        asked_by=row.asked_by,
        given_at=row.given_at,
    )
