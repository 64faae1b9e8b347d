"""Queries over policies, their versions, and customers' deliveries."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Label,
    Row,
    Select,
    Subquery,
    case,
    delete,
    func,
    literal,
    select,
    update,
)

from zcbus.control.platform.principal import Principal, local_principal
from zcbus.control.store.among import among
from zcbus.control.store.tables.policy import strategy, strategy_customer, strategy_table, strategy_version
from zcbus.control.store.tables.publish import publish_node
from zcbus.control.store.tables.subscribe import channel, customer, master, subscribed_table
from zcbus.kit.ids import new_id
from zcbus.model.states import SyncState
from zcbus.model.table_states import FAILED, WAITING

_LOADING = (SyncState.FULL_RUNNING, SyncState.FULL_ALLOWED)
_SETTLED = (SyncState.INCREMENTAL_RUNNING, SyncState.FULL_FINISHED)


def policies(principal: Principal) -> Select[Any]:
    """One row a policy: with its node's name, its newest version's number and contents, and the number of customers
    that have one."""
    given = (
        select(func.count())
        .select_from(strategy_customer)
        .where(strategy_customer.c.strategy_id == strategy.c.id, strategy_customer.c.version.is_not(None))
        .correlate(strategy)
        .scalar_subquery()
    )
    return (
        select(
            strategy,
            publish_node.c.name.label("node_name"),
            _newest("number"),
            _newest("contents"),
            given.label("customers"),
        )
        .outerjoin(publish_node, publish_node.c.id == strategy.c.node_id)
        .where(principal.visible(strategy.c.tenant_id))
    )


def _newest(name: str) -> Label[Any]:
    newest = (
        select(strategy_version.c[name])
        .where(strategy_version.c.strategy_id == strategy.c.id)
        .order_by(strategy_version.c.number.desc())
        .limit(1)
        .correlate(strategy)
        .scalar_subquery()
    )
    return newest.label(f"newest_{name}")


def find_policy(connection: Connection, principal: Principal, policy_id: str) -> Row[Any] | None:
    return connection.execute(policies(principal).where(strategy.c.id == policy_id)).first()


def policy_of_name(connection: Connection, principal: Principal, name: str) -> Row[Any] | None:
    """Of the caller's own tenant."""
    own = (strategy.c.tenant_id == principal.tenant_id, strategy.c.product_name == name)
    return connection.execute(policies(principal).where(*own)).first()


def name_is_taken(connection: Connection, tenant_id: str, name: str, besides: str | None) -> bool:
    same = (strategy.c.tenant_id == tenant_id, strategy.c.product_name == name, strategy.c.id != (besides or ""))
    return connection.execute(select(strategy.c.id).where(*same)).first() is not None


def insert_policy(connection: Connection, **values: Any) -> str:
    policy_id = new_id()
    connection.execute(strategy.insert().values(id=policy_id, **values))
    return policy_id


def change_policy(connection: Connection, policy_id: str, **values: Any) -> None:
    connection.execute(update(strategy).where(strategy.c.id == policy_id).values(**values))


def lock_draft(connection: Connection, policy_id: str) -> Mapping[str, Any]:
    """A policy's draft, locked until the transaction ends."""
    found = select(strategy.c.draft).where(strategy.c.id == policy_id).with_for_update()
    draft: Mapping[str, Any] = connection.execute(found).scalar_one()
    return draft


def lock_policy(connection: Connection, policy_id: str) -> bool:
    """Have a policy locked until the transaction ends; false: there is none."""
    return (
        connection.execute(select(strategy.c.id).where(strategy.c.id == policy_id).with_for_update()).first()
        is not None
    )


def versions(policy_id: str) -> Select[Any]:
    """One row a version, with the number of customers that have it."""
    given = (
        select(func.count())
        .select_from(strategy_customer)
        .where(
            strategy_customer.c.strategy_id == strategy_version.c.strategy_id,
            strategy_customer.c.version == strategy_version.c.number,
        )
        .correlate(strategy_version)
        .scalar_subquery()
    )
    return select(strategy_version, given.label("customers")).where(strategy_version.c.strategy_id == policy_id)


def find_version(connection: Connection, policy_id: str, number: int) -> Row[Any] | None:
    return connection.execute(versions(policy_id).where(strategy_version.c.number == number)).first()


def insert_version(connection: Connection, **values: Any) -> None:
    connection.execute(strategy_version.insert().values(**values))


def retire_version(connection: Connection, policy_id: str, number: int, at: datetime | None) -> None:
    this = (strategy_version.c.strategy_id == policy_id, strategy_version.c.number == number)
    connection.execute(update(strategy_version).where(*this).values(retired_at=at))


def deliveries(principal: Principal) -> Select[Any]:
    """One row a customer that has a policy, or was to have it. `tables`: how many it holds; `in_state`:
    and how many of them are in each state; `state`: the one of these that matters most."""
    newest = (
        select(func.max(strategy_version.c.number))
        .where(strategy_version.c.strategy_id == strategy.c.id, strategy_version.c.retired_at.is_(None))
        .correlate(strategy)
        .scalar_subquery()
    )
    held = _tables_held()
    return (
        select(
            strategy_customer,
            strategy.c.product_name,
            strategy.c.tenant_id,
            customer.c.name.label("customer_name"),
            customer.c.client_type,
            master.c.name.label("master_name"),
            channel.c.name.label("channel_name"),
            newest.label("newest"),
            _number(held, SyncState).label("tables"),
            _state(held).label("state"),
            *(func.coalesce(held.c[in_state(one)], 0).label(in_state(one)) for one in SyncState),
        )
        .join(strategy, strategy.c.id == strategy_customer.c.strategy_id)
        .join(customer, customer.c.id == strategy_customer.c.customer_id)
        .join(master, master.c.id == strategy_customer.c.master_id)
        .outerjoin(channel, channel.c.id == strategy_customer.c.channel_id)
        .outerjoin(held, held.c.delivery_id == strategy_customer.c.id)
        .where(principal.visible(strategy.c.tenant_id))
    )


def _tables_held() -> Subquery:
    """One row a delivery that holds tables: how many are in each state."""
    state = subscribed_table.c.current_state
    return (
        select(
            strategy_table.c.delivery_id,
            *(func.sum(case((state == one, 1), else_=0)).label(in_state(one)) for one in SyncState),
        )
        .join(subscribed_table, subscribed_table.c.id == strategy_table.c.subscribed_table_id)
        .group_by(strategy_table.c.delivery_id)
        .subquery("held")
    )


def in_state(state: SyncState) -> str:
    """The column of `deliveries` that has the number of tables in a state."""
    return f"in_{state.value.replace('-', '_')}"


def _number(held: Subquery, states: Iterable[SyncState]) -> ColumnElement[int]:
    return sum((func.coalesce(held.c[in_state(one)], 0) for one in states), start=literal(0))


def _state(held: Subquery) -> ColumnElement[str]:
    moving = [one for one in SyncState if one not in _SETTLED]
    return case(
        (strategy_customer.c.version.is_(None), "failed"),
        (_number(held, FAILED) > 0, "error"),
        (_number(held, _LOADING) > 0, "loading"),
        (_number(held, WAITING) > 0, "waiting"),
        (_number(held, [SyncState.SUSPENDED]) > 0, "suspended"),
        (_number(held, moving) > 0, "waiting"),
        else_="active",
    )


def find_delivery(connection: Connection, principal: Principal, delivery_id: str) -> Row[Any] | None:
    return connection.execute(deliveries(principal).where(strategy_customer.c.id == delivery_id)).first()


def states_of(connection: Connection, policy_id: str, master_ids: Sequence[str]) -> Sequence[str]:
    """`state` of `deliveries` of a policy at some masters, in no order."""
    lines = deliveries(local_principal()).subquery("line")
    wanted = (lines.c.strategy_id == policy_id, among(lines.c.master_id, master_ids))
    return connection.execute(select(lines.c.state).where(*wanted)).scalars().all()


def newest_version(connection: Connection, policy_id: str) -> int | None:
    """The newest version that may be distributed."""
    offered = (strategy_version.c.strategy_id == policy_id, strategy_version.c.retired_at.is_(None))
    newest: int | None = connection.execute(select(func.max(strategy_version.c.number)).where(*offered)).scalar_one()
    return newest


def deliveries_of(connection: Connection, principal: Principal, policy_id: str) -> Sequence[Row[Any]]:
    """A policy's `deliveries` that a version came to, by customer."""
    line = strategy_customer.c
    held = deliveries(principal).where(line.strategy_id == policy_id, line.version.is_not(None))
    return connection.execute(held.order_by(customer.c.name, line.id)).all()


def delivery_of(connection: Connection, policy_id: str, customer_id: str) -> Row[Any] | None:
    """A customer's version of a policy."""
    pair = (strategy_customer.c.strategy_id == policy_id, strategy_customer.c.customer_id == customer_id)
    return connection.execute(select(strategy_customer).where(*pair)).first()


def save_delivery(connection: Connection, known: str | None, **values: Any) -> str:
    """Change a delivery, or make one; returns its id."""
    if known is not None:
        connection.execute(update(strategy_customer).where(strategy_customer.c.id == known).values(**values))
        return known
    delivery_id = new_id()
    connection.execute(strategy_customer.insert().values(id=delivery_id, **values))
    return delivery_id


def delete_delivery(connection: Connection, delivery_id: str) -> None:
    connection.execute(delete(strategy_customer).where(strategy_customer.c.id == delivery_id))


def holders(connection: Connection, master_id: str) -> dict[str, str]:
    """Which delivery holds each of a master's subscribed tables: delivery by subscribed table."""
    wanted = (
        select(strategy_table.c.subscribed_table_id, strategy_table.c.delivery_id)
        .join(subscribed_table, subscribed_table.c.id == strategy_table.c.subscribed_table_id)
        .join(channel, channel.c.id == subscribed_table.c.channel_id)
        .where(channel.c.master_id == master_id)
    )
    return {row.subscribed_table_id: row.delivery_id for row in connection.execute(wanted)}


def tables_held(connection: Connection, delivery_id: str) -> Sequence[str]:
    """Ids of the subscribed tables that a delivery holds."""
    held = select(strategy_table.c.subscribed_table_id).where(strategy_table.c.delivery_id == delivery_id)
    return connection.execute(held).scalars().all()


def hold_tables(connection: Connection, delivery_id: str, table_ids: Iterable[str]) -> None:
    """From now on a delivery holds these tables and no others."""
    connection.execute(delete(strategy_table).where(strategy_table.c.delivery_id == delivery_id))
    rows = [{"subscribed_table_id": one, "delivery_id": delivery_id} for one in table_ids]
    if rows:
        connection.execute(strategy_table.insert(), rows)
