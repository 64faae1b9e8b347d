"""Delivery of a policy's version to customers, and its revocation.

Each customer is one delivery: the pre-check first, then all its changes in one transaction. A customer with a pre-check
error gets nothing of the version and stays unchanged; the others continue.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row

from zcbus.control.features.policy import policies, repository
from zcbus.control.features.policy.contents import PolicyContents
from zcbus.control.features.policy.delivery_effects import carry_out, unbind
from zcbus.control.features.policy.delivery_plan import DeliveryPlan, TableAction, Target, make_plan
from zcbus.control.features.policy.errors import (
    DeliveryOvertakenError,
    DeliveryRefusedError,
    NothingToRollBackError,
    PolicyNodeGoneError,
    VersionRetiredError,
)
from zcbus.control.features.subscribe import lookup, sheet
from zcbus.control.features.subscribe.addition import current_position
from zcbus.control.features.subscribe.endpoints import CREATE, DELETE, EDIT
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.principal import Principal
from zcbus.model.states import LoadMode


def admitted(call: Call) -> Principal:
    """The caller with the rights on customers: a distributor needs the rights for what a delivery does to their tables.
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
    """Deliver a version to one customer, completely or not at all; returns the changes. Raises DeliveryRefusedError,
    DeliveryOvertakenError, RecordNotFoundError, and what `make_plan` raises."""
    plan = make_plan(call, principal, policy, contents, target)
    if plan.errors:
        raise DeliveryRefusedError(errors=len(plan.errors), first=plan.errors[0].text)
    is_incremental = contents.load is LoadMode.INCREMENTAL and bool(plan.of(TableAction.ADD))
    begin = current_position(call, plan.master) if is_incremental else None
    with call.services.database.write() as store:
        _check_known(store, policy, plan)
        _save(call, store, policy, number, plan, carry_out(call, store, principal, plan, begin))
    return plan


def roll_back(call: Call, principal: Principal, delivery: Row[Any]) -> DeliveryPlan:
    """Restore a customer's previous version, also a retired one. Raises NothingToRollBackError, and as `deliver`."""
    if delivery.previous is None:
        raise NothingToRollBackError(customer=delivery.customer_name)
    with call.services.database.read() as store:
        policy = policies.find(store, call.principal, delivery.strategy_id)
        contents = policies.contents_of(store, policy, delivery.previous)
    target = Target(delivery.master_id, delivery.channel_id)
    return deliver(call, principal, policy, delivery.previous, contents, target)


def revoke(call: Call, principal: Principal, delivery: Row[Any], *, keep_tables: bool) -> list[str]:
    """Take a policy from a customer; returns the tables that it held. `keep_tables`: they stay subscribed, as tables of
    the customer's own; else they are unbound. The target's data stays. Raises RecordNotFoundError."""
    store = call.connection
    # A customer whom the caller does not reach keeps both, the policy and its tables.
    lookup.find_master(store, principal, delivery.master_id)
    rows = sheet.rows_of(store, principal, repository.tables_held(store, delivery.id))
    if not keep_tables:
        unbind(call, store, rows)
    repository.delete_delivery(store, delivery.id)
    return [f"{row.source_schema}.{row.source_table}" for row in rows]


def find_delivery(store: StoreConnection, principal: Principal, delivery_id: str) -> Row[Any]:
    """Raises RecordNotFoundError."""
    row = repository.find_delivery(store, principal, delivery_id)
    if row is None:
        raise RecordNotFoundError(kind="policy-delivery", id=delivery_id)
    return row


def deliveries_of(store: StoreConnection, principal: Principal, policy_id: str) -> Sequence[Row[Any]]:
    """Rows of the customers that have a version of a policy, by name."""
    return repository.deliveries_of(store, principal, policy_id)


def states_at(store: StoreConnection, policy_id: str, master_id: str) -> Sequence[str]:
    """The `DeliveryState` of a policy at a master; (): the customer does not have it."""
    return repository.states_of(store, policy_id, [master_id])


def note_failure(
    call: Call,
    principal: Principal,
    policy_id: str,
    number: int,
    target: Target,
    code: str,
    facts: Mapping[str, str],
) -> None:
    """Record on a customer's line why a delivery failed; the customer's tables stay unchanged."""
    with call.services.database.write() as store:
        try:
            policy = policies.find(store, call.principal, policy_id)
            master = lookup.find_master(store, principal, target.master_id)
        except RecordNotFoundError:
            return
        known = repository.delivery_of(store, policy.id, master.customer_id)
        failed = {"failed_version": number, "reason": {"code": code, "facts": facts}}
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


def _save(
    call: Call, store: StoreConnection, policy: Row[Any], number: int, plan: DeliveryPlan, held: Sequence[str]
) -> None:
    known = plan.delivery
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
        given_at=call.services.clock.now(),
    )
    repository.hold_tables(store, delivery_id, held)


def _check_known(store: StoreConnection, policy: Row[Any], plan: DeliveryPlan) -> None:
    """Whether the customer's delivery is still the one that the plan is about. Locks the policy. Raises
    RecordNotFoundError, DeliveryOvertakenError."""
    if not repository.lock_policy(store, policy.id):
        raise RecordNotFoundError(kind="policy", id=policy.id)
    now = repository.delivery_of(store, policy.id, plan.master.customer_id)
    if _standing(now) != _standing(plan.delivery):
        raise DeliveryOvertakenError(master=plan.master.name)


def _standing(delivery: Row[Any] | None) -> tuple[Any, ...] | None:
    return None if delivery is None else (delivery.id, delivery.version, delivery.master_id)


def _previous(known: Row[Any] | None, number: int) -> int | None:
    """The version before this one; the same one delivered again has none but that which it followed."""
    if known is None:
        return None
    before: int | None = known.previous if known.version == number else known.version
    return before
