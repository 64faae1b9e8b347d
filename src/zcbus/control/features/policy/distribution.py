"""Distribution of policies: preview, deliveries, and customers' versions."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from sqlalchemy import Row, select

from zcbus.control.features.policy import repository
from zcbus.control.features.policy.delivery import (
    admitted,
    deliver,
    find_delivery,
    find_version,
    revoke,
    roll_back,
)
from zcbus.control.features.policy.delivery_plan import DeliveryPlan, PlannedTable, Target, make_plan
from zcbus.control.features.policy.distribution_schemas import (
    DELIVERIES,
    DeliveryResult,
    DistributionRequest,
    PlannedTableRecord,
    PolicyDeliveryPageRequest,
    PolicyDeliveryRecord,
    PreviewRecord,
    TargetChoice,
)
from zcbus.control.features.policy.repository import in_state
from zcbus.control.features.policy.rollout import Attempt, facts_of, names_of, perform
from zcbus.control.features.subscribe import service
from zcbus.control.features.sync_link.planning import spell
from zcbus.control.features.sync_link.schemas import FindingRecord
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import Listing, Page, answer_page
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.progress import CallCancelledError
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.policy import strategy, strategy_customer
from zcbus.control.store.tables.subscribe import customer
from zcbus.kit.errors import ZcbusError
from zcbus.model.states import SyncState


def preview(call: Call, request: DistributionRequest) -> list[PreviewRecord]:
    """The changes of a version at each customer, with the findings of the pre-check, without any change. A customer
    that cannot be checked gets a finding. Raises the errors of `find_version`."""
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
    """Give a version to customers, wave after wave (`rollout.perform`); one that fails stops none of its wave. Raises
    the errors of `find_version`, and CallCancelledError: customers before that have the version."""
    principal = admitted(call)
    policy, contents = find_version(call, request.id, request.version)
    call.audit.subject = policy.product_name

    def attempt(one: TargetChoice) -> Attempt:
        target = Target(one.control_id, one.channel_id)
        work = partial(deliver, call, principal, policy, request.version, contents, target)
        return Attempt(policy.id, request.version, target, work, one.wave)

    return perform(call, principal, [attempt(one) for one in request.targets], "distribute")


def roll_back_all(call: Call, delivery_ids: Sequence[str]) -> list[DeliveryResult]:
    """Give customers the versions that they had before. Raises RecordNotFoundError, and CallCancelledError as
    `distribute`."""
    principal = admitted(call)
    with call.services.database.read() as store:
        rows = [find_delivery(store, call.principal, one) for one in dict.fromkeys(delivery_ids)]
    call.audit.subject = ", ".join(dict.fromkeys(row.product_name for row in rows))

    def attempt(row: Row[Any]) -> Attempt:
        target = Target(row.master_id, row.channel_id)
        return Attempt(row.strategy_id, row.previous or 0, target, partial(roll_back, call, principal, row))

    return perform(call, principal, [attempt(row) for row in rows], "roll-back")


def revoke_all(call: Call, delivery_ids: Sequence[str], *, keep_tables: bool) -> None:
    """Take policies from customers. Raises RecordNotFoundError."""
    principal = admitted(call)
    rows = [find_delivery(call.connection, call.principal, one) for one in dict.fromkeys(delivery_ids)]
    call.audit.subject = ", ".join(dict.fromkeys(row.product_name for row in rows))
    call.audit.before = {row.customer_name: {"policy": row.product_name, "version": row.version} for row in rows}
    done = {row.customer_name: revoke(call, principal, row, keep_tables=keep_tables) for row in rows}
    call.audit.after = {"action": "revoke", "keepTables": keep_tables, "tables": done}


def page(call: Call, request: PolicyDeliveryPageRequest) -> Page[PolicyDeliveryRecord]:
    """Versions of customers, by policy and customer."""
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


def _refused(call: Call, principal: Principal, target: Target, error: ZcbusError) -> PreviewRecord:
    customer_name, name = names_of(call, principal, target.master_id)
    texts, facts = ReasonTexts.of(call), facts_of(error)
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
