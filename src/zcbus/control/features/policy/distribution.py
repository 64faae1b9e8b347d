"""Distributing policies: the preview, one delivery after another, and what customers have."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, Row

from zcbus.control.features.policy import repository
from zcbus.control.features.policy.delivery import admitted, deliver, find_delivery, find_version, revoke, roll_back
from zcbus.control.features.policy.delivery_plan import DeliveryPlan, PlannedTable, TableAction, Target, make_plan
from zcbus.control.features.policy.distribution_schemas import (
    DELIVERIES,
    DeliveryResult,
    DeliveryState,
    DistributionRequest,
    PlannedTableRecord,
    PolicyDeliveryPageRequest,
    PolicyDeliveryRecord,
    PreviewRecord,
)
from zcbus.control.features.subscribe import lookup, service
from zcbus.control.features.sync_link.planning import spell
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import Page, part_of
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.progress import CallCancelledError
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.policy import strategy, strategy_customer
from zcbus.control.store.tables.subscribe import customer
from zcbus.kit.errors import ZcbusError
from zcbus.model.states import SyncState
from zcbus.model.table_states import FAILED, WAITING

_LOADING = frozenset({SyncState.FULL_RUNNING, SyncState.FULL_ALLOWED})
_SETTLED = frozenset({SyncState.INCREMENTAL_RUNNING, SyncState.FULL_FINISHED})


def preview(call: Call, request: DistributionRequest) -> list[PreviewRecord]:
    """What a version would change at each customer, with the findings of the pre-check; nothing is changed. Raises the
    errors of `find_version` and `make_plan`."""
    principal = admitted(call)
    policy, contents = find_version(call, request.id, request.version)
    targets = [Target(one.control_id, one.channel_id) for one in request.targets]
    return [_preview(make_plan(call, principal, policy, contents, target)) for target in targets]


def distribute(call: Call, request: DistributionRequest) -> list[DeliveryResult]:
    """Give a version to customers, one after another; one that fails stops none of the others. Raises the errors of
    `find_version`."""
    principal = admitted(call)
    policy, contents = find_version(call, request.id, request.version)
    call.audit.subject = policy.product_name
    results = list[DeliveryResult]()
    for one in request.targets:
        target = Target(one.control_id, one.channel_id)
        results.append(
            _attempt(
                call,
                principal,
                target.master_id,
                partial(deliver, call, principal, policy, request.version, contents, target),
                request.version,
            )
        )
    return _told(call, results, "distribute")


def roll_back_all(call: Call, delivery_ids: Sequence[str]) -> list[DeliveryResult]:
    """Give customers the versions that they had before. Raises RecordNotFoundError."""
    principal = admitted(call)
    with call.services.database.read() as store:
        rows = [find_delivery(store, call.principal, one) for one in dict.fromkeys(delivery_ids)]
    call.audit.subject = ", ".join(dict.fromkeys(row.product_name for row in rows))
    results = [
        _attempt(
            call,
            principal,
            row.master_id,
            partial(roll_back, call, principal, row),
            row.previous or 0,
        )
        for row in rows
    ]
    return _told(call, results, "roll-back")


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
    DELIVERIES.check(request)
    statement = repository.deliveries(call.principal)
    if request.search.strip():
        names = (strategy.c.product_name, customer.c.name)
        statement = statement.where(any_contains(names, request.search.strip()))
    if request.policy is not None:
        statement = statement.where(strategy_customer.c.strategy_id == request.policy)
    if request.customer_id is not None:
        statement = statement.where(strategy_customer.c.customer_id == request.customer_id)
    usual: list[ColumnElement[Any]] = [strategy.c.product_name, customer.c.name, strategy_customer.c.id]
    order = usual
    if request.sort is not None:
        column = statement.selected_columns[DELIVERIES.columns[request.sort]]
        order = [column.asc() if request.order == "asc" else column.desc(), *usual]
    found = list(call.connection.execute(statement.order_by(*order)).all())
    rows = part_of(found, request)
    states = repository.states_held(call.connection, [row.id for row in rows])
    texts = ReasonTexts.of(call)
    return Page(records=[_record(row, states.get(row.id, {}), texts) for row in rows], total=len(found))


def _attempt(
    call: Call, principal: Principal, master_id: str, work: Callable[[], DeliveryPlan], version: int
) -> DeliveryResult:
    try:
        plan = work()
    except CallCancelledError:
        raise
    except ZcbusError as error:
        facts = {name: str(value) for name, value in error.facts.items()}
        return DeliveryResult(
            control_id=master_id,
            customer_name=_customer_name(call, principal, master_id),
            done=False,
            version=version,
            tables={},
            code=error.code,
            reason=ReasonTexts.of(call).text(error.code, facts),
        )
    return DeliveryResult(
        control_id=master_id,
        customer_name=plan.master.customer_name,
        done=True,
        version=version,
        tables={action: len(plan.of(action)) for action in TableAction if plan.of(action)},
    )


def _customer_name(call: Call, principal: Principal, master_id: str) -> str:
    with call.services.database.read() as store:
        try:
            return str(lookup.find_master(store, principal, master_id).customer_name)
        except ZcbusError:
            return master_id


def _told(call: Call, results: list[DeliveryResult], action: str) -> list[DeliveryResult]:
    call.audit.after = {
        "action": action,
        "customers": {
            one.customer_name: {"version": one.version, **({} if one.done else {"refused": one.reason})}
            for one in results
        },
    }
    return results


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


def _record(row: Row[Any], states: dict[str, int], texts: ReasonTexts) -> PolicyDeliveryRecord:
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
        state=_state(row, states),
        tables=sum(states.values()),
        tables_by_state=states,
        failed_version=row.failed_version,
        reason=texts.record(row.reason),
        asked_by=row.asked_by,
        given_at=row.given_at,
    )


def _state(row: Row[Any], states: dict[str, int]) -> DeliveryState:
    """The state that matters most of its tables'."""
    present = {SyncState(state) for state in states}
    if row.version is None:
        return "failed"
    if present & FAILED:
        return "error"
    if present & _LOADING:
        return "loading"
    if present & WAITING:
        return "waiting"
    if SyncState.SUSPENDED in present:
        return "suspended"
    return "active" if present <= _SETTLED else "waiting"
