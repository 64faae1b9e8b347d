"""Giving a version of a policy to customers, and taking it back.

Each customer is one delivery: pre-check first, then everything it changes in one transaction. A customer whose
pre-check finds an error gets nothing of the version and keeps what it has; the others go on.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row

from zcbus.control.features.container import service as containers
from zcbus.control.features.policy import policies, repository
from zcbus.control.features.policy.contents import PolicyContents
from zcbus.control.features.policy.delivery_plan import DeliveryPlan, PlannedTable, TableAction, Target, make_plan
from zcbus.control.features.policy.errors import (
    DeliveryOvertakenError,
    DeliveryRefusedError,
    NothingToRollBackError,
    PolicyNodeGoneError,
    VersionRetiredError,
)
from zcbus.control.features.publish import service as publish
from zcbus.control.features.subscribe import lookup, master_lookup, service, sheet, steering, unbound
from zcbus.control.features.subscribe.addition import from_now_on, needs_snapshot
from zcbus.control.features.subscribe.endpoints import CREATE, DELETE, EDIT
from zcbus.control.features.subscribe.service import NewSubscription
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.principal import Principal
from zcbus.kit.errors import ZcbusError
from zcbus.model.states import LoadMode
from zcbus.protocol.tasks import Begin

_ADDED = (TableAction.ADD, TableAction.RESUME)
_STAYING = (TableAction.CHANGE, TableAction.RELOAD, TableAction.KEEP)


def admitted(call: Call) -> Principal:
    """The caller as customers admit him: whoever distributes may do himself what a delivery does to their tables.
    Raises ForbiddenError."""
    admitted_by = [access.admit(call.principal).entered_by or frozenset() for access in (CREATE, EDIT, DELETE)]
    return replace(call.principal, entered_by=frozenset.intersection(*admitted_by))


def find_version(call: Call, policy_id: str, number: int) -> tuple[Row[Any], PolicyContents]:
    """A policy and a version that may be distributed. Raises RecordNotFoundError, VersionRetiredError,
    PolicyNodeGoneError."""
    with call.services.database.read() as store:
        policy = policies.find(store, call.principal, policy_id)
        version = policies.find_version(store, policy.id, number)
    if policy.node_id is None:
        raise PolicyNodeGoneError(name=policy.product_name)
    if version.retired_at is not None:
        raise VersionRetiredError(name=policy.product_name, version=number)
    return policy, PolicyContents.model_validate(version.contents)


def deliver(
    call: Call, principal: Principal, policy: Row[Any], number: int, contents: PolicyContents, target: Target
) -> DeliveryPlan:
    """Give a version to one customer; returns what was done. What fails is noted of the customer. Raises
    DeliveryRefusedError, and what `make_plan` raises."""
    try:
        plan = make_plan(call, principal, policy, contents, target)
        if plan.errors:
            raise DeliveryRefusedError(errors=len(plan.errors), first=plan.errors[0].text)
        begin = from_now_on(call, plan.master) if contents.load is LoadMode.INCREMENTAL and _begins(plan) else None
        with call.services.database.write() as store:
            _check_unchanged(store, plan)
            _store(call, store, principal, policy, number, plan, begin)
    except ZcbusError as error:
        _note_failure(call, principal, policy, number, target, error)
        raise
    return plan


def roll_back(call: Call, principal: Principal, delivery: Row[Any]) -> DeliveryPlan:
    """Give a customer the version that it had before. Raises NothingToRollBackError, and as
    `deliver`; a retired version is no hindrance to those that had it."""
    if delivery.previous is None:
        raise NothingToRollBackError(customer=delivery.customer_name)
    with call.services.database.read() as store:
        policy = policies.find(store, call.principal, delivery.strategy_id)
        contents = policies.contents_of(store, policy, delivery.previous)
    target = Target(delivery.master_id, delivery.channel_id)
    return deliver(call, principal, policy, delivery.previous, contents, target)


def revoke(call: Call, principal: Principal, delivery: Row[Any], *, keep_tables: bool) -> list[str]:
    """Take a policy from a customer; returns the tables that it held. `keep_tables`: they stay subscribed, as tables of
    the customer's own; else they are unbound. The target's data stays."""
    store = call.connection
    rows = sheet.rows_of(store, principal, repository.tables_held(store, delivery.id))
    if not keep_tables:
        _unbind(call, store, rows)
    repository.delete_delivery(store, delivery.id)
    return [f"{row.source_schema}.{row.source_table}" for row in rows]


def find_delivery(store: StoreConnection, principal: Principal, delivery_id: str) -> Row[Any]:
    """Raises RecordNotFoundError."""
    row = repository.find_delivery(store, principal, delivery_id)
    if row is None:
        raise RecordNotFoundError(kind="policy-delivery", id=delivery_id)
    return row


def _begins(plan: DeliveryPlan) -> bool:
    return bool(plan.of(TableAction.ADD))


def _check_unchanged(store: StoreConnection, plan: DeliveryPlan) -> None:
    """Raises DeliveryOvertakenError where the master's tables are others than those of the plan by now."""
    now = master_lookup.subscribed_at(store, plan.master.id)
    if {row.id: row.generation for row in now} != plan.generations:
        raise DeliveryOvertakenError(master=plan.master.name)


def _store(
    call: Call,
    store: StoreConnection,
    principal: Principal,
    policy: Row[Any],
    number: int,
    plan: DeliveryPlan,
    begin: Begin | None,
) -> None:
    # What is removed goes first: its target's name may be taken by what is added.
    _unbind(call, store, [one.stored for one in plan.of(TableAction.REMOVE) if one.stored is not None])
    _change(store, [one for one in plan.of(TableAction.CHANGE, TableAction.RELOAD) if one.stored is not None])
    held = [one.stored.id for one in plan.of(*_STAYING) if one.stored is not None]
    held += _resume(call, store, plan.of(TableAction.RESUME))
    held += _add(call, store, principal, plan, begin)
    known, now = plan.delivery, call.services.clock.now()
    delivery_id = repository.save_delivery(
        store,
        known.id if known is not None else None,
        strategy_id=policy.id,
        customer_id=plan.master.customer_id,
        master_id=plan.master.id,
        channel_id=plan.channel_id,
        version=number,
        previous=_previous(known, number),
        failed_version=None,
        reason=None,
        asked_by=call.principal.user_name,
        given_at=now,
    )
    repository.hold_tables(store, delivery_id, held)
    services = [row.service_id for row in lookup.channels_of_master(store, principal, plan.master.id)]
    containers.notify_services(store, services)
    containers.notify_container(store, plan.master.container_id)


def _previous(known: Row[Any] | None, number: int) -> int | None:
    """The version before this one; the same one delivered again has none but that which it followed."""
    if known is None:
        return None
    before: int | None = known.previous if known.version == number else known.version
    return before


def _unbind(call: Call, store: StoreConnection, rows: Sequence[Row[Any]]) -> None:
    ids = [row.id for row in rows]
    if ids:
        unbound.keep(store, ids, call.services.clock.now())
        service.remove_tables(store, ids)
        steering.notify_agents(store, rows)


def _change(store: StoreConnection, tables: Sequence[PlannedTable]) -> None:
    service.change_tables(
        store,
        {
            one.stored.id: (one.settings, one.stored.generation)
            for one in tables
            if one.stored is not None and one.settings is not None
        },
    )
    reloading = [one for one in tables if one.action is TableAction.RELOAD]
    for held in (False, True):
        for beside in (False, True):
            rows = [
                one.stored
                for one in reloading
                if one.stored is not None and one.stored.suspended is held and one.is_exchanged is beside
            ]
            if rows:
                steering.start_generation(
                    store, rows, Begin(mode="full", beside=True) if beside else None, suspended=held
                )
    steering.notify_agents(store, [one.stored for one in tables if one.stored is not None])


def _resume(call: Call, store: StoreConnection, tables: Sequence[PlannedTable]) -> list[str]:
    kept = [one.kept for one in tables if one.kept is not None]
    unbound.restore(store, kept, call.services.clock.now())
    service.change_tables(
        store,
        {
            one.kept.id: (one.settings, one.kept.settings["generation"])
            for one in tables
            if one.kept is not None and one.settings is not None
        },
    )
    return [row.id for row in kept]


def _add(
    call: Call, store: StoreConnection, principal: Principal, plan: DeliveryPlan, begin: Begin | None
) -> list[str]:
    tables = [
        (one.published, one.settings)
        for one in plan.of(TableAction.ADD)
        if one.published is not None and one.settings is not None
    ]
    channels = _channels(store, principal, plan)
    fresh = {row.id: row.generation + 1 for row, settings in tables if needs_snapshot(row, settings)}
    new: list[NewSubscription] = []
    for row, settings in tables:
        channel_id = min(channels, key=lambda name: (channels[name], name))
        channels[channel_id] += 1
        generation = max(1, fresh.get(row.id, row.generation))
        new.append(NewSubscription(channel_id, row.id, settings, generation, begin))
    keys = {row.id: publish.RowKey.of(row) for row, _ in tables}
    publish.change_tables(store, {table_id: (keys[table_id], number) for table_id, number in fresh.items()})
    service.take_newest_snapshot(store, fresh)
    return service.subscribe_tables(store, new, call.services.clock.now())


def _channels(store: StoreConnection, principal: Principal, plan: DeliveryPlan) -> Counter[str]:
    """Tables by channel, of those that further ones may go to. Raises RecordNotFoundError."""
    channels = lookup.channels_of_master(store, principal, plan.master.id)
    found = {row.id: row.tables_total for row in channels if plan.channel_id in (None, row.id)}
    if not found:
        raise RecordNotFoundError(kind="channel", id=plan.channel_id or "-")
    return Counter(found)


def _note_failure(
    call: Call, principal: Principal, policy: Row[Any], number: int, target: Target, error: ZcbusError
) -> None:
    """So that the customer's line tells it; what the customer has stays as it is."""
    facts = {name: str(value) for name, value in error.facts.items() if name != "findings"}
    with call.services.database.write() as store:
        try:
            master = lookup.find_master(store, principal, target.master_id)
        except RecordNotFoundError:
            return
        known = repository.delivery_of(store, policy.id, master.customer_id)
        failed = {"failed_version": number, "reason": {"code": error.code, "facts": facts}}
        if known is not None:
            repository.save_delivery(store, known.id, **failed)
        elif master.node_id == policy.node_id and master.link_id is None:
            repository.save_delivery(
                store,
                None,
                strategy_id=policy.id,
                customer_id=master.customer_id,
                master_id=master.id,
                channel_id=target.channel_id,
                asked_by=call.principal.user_name,
                given_at=call.services.clock.now(),
                **failed,
            )
