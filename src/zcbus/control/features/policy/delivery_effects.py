"""Effects of a delivery plan on the store, in one transaction.

The plan was made earlier, while agents were asked: its assumptions are checked again first.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row

from zcbus.control.features.container import service as containers
from zcbus.control.features.policy import repository
from zcbus.control.features.policy.delivery_plan import DeliveryPlan, PlannedTable, TableAction, facts_of
from zcbus.control.features.policy.errors import DeliveryOvertakenError
from zcbus.control.features.publish import service as publish
from zcbus.control.features.subscribe import lookup, master_lookup, service, steering, unbound
from zcbus.control.features.subscribe.addition import needs_snapshot
from zcbus.control.features.subscribe.service import NewSubscription
from zcbus.control.features.subscribe.settings_change import store_changes
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.principal import Principal
from zcbus.protocol.tasks import Begin

_STAYING = (TableAction.CHANGE, TableAction.RELOAD, TableAction.KEEP)


def carry_out(
    call: Call, store: StoreConnection, principal: Principal, plan: DeliveryPlan, begin: Begin | None
) -> list[str]:
    """Apply a plan to a master's subscriptions; returns the ids of the tables that the delivery holds. `begin`: of
    added tables. Raises DeliveryOvertakenError, RecordNotFoundError."""
    published = _check_unchanged(call, store, plan)
    # Removals come first: an added table may take the target's name.
    unbind(call, store, [one.stored for one in plan.of(TableAction.REMOVE) if one.stored is not None])
    _change(store, plan.of(TableAction.CHANGE, TableAction.RELOAD))
    held = [one.stored.id for one in plan.of(*_STAYING) if one.stored is not None]
    held += _resume(call, store, plan.of(TableAction.RESUME))
    held += _add(call, store, principal, plan, published, begin)
    services = [row.service_id for row in lookup.channels_of_master(store, principal, plan.master.id)]
    containers.notify_services(store, services)
    containers.notify_container(store, plan.master.container_id)
    return held


def unbind(call: Call, store: StoreConnection, rows: Sequence[Row[Any]]) -> None:
    """Unsubscribe tables; their positions are kept for a while."""
    ids = [row.id for row in rows]
    if ids:
        unbound.keep(store, ids, call.services.clock.now())
        service.remove_tables(store, ids)
        steering.notify_agents(store, rows)


def _check_unchanged(call: Call, store: StoreConnection, plan: DeliveryPlan) -> Mapping[str, Row[Any]]:
    """Check that the plan's assumptions still hold; returns the node's published tables by id. Raises
    DeliveryOvertakenError."""
    master, holders = plan.master, repository.holders(store, plan.master.id)
    now = {row.id: facts_of(row, holders) for row in master_lookup.subscribed_at(store, master.id)}
    published = {row.id: row for row in master_lookup.published_for(store, master)}
    wanted = [one.published for one in plan.tables if one.published is not None]
    keys = [(row.id, publish.RowKey.of(row)) for row in wanted]
    is_published = all(one in published and publish.RowKey.of(published[one]) == key for one, key in keys)
    targets = {(one.target.schema_name, one.target.table) for one in plan.tables if one.settings is not None}
    taken_since = master_lookup.taken_targets(store, master) - plan.taken
    if now != plan.seen or not is_published or targets & taken_since or _lost_places(call, store, plan):
        raise DeliveryOvertakenError(master=master.name)
    return published


def _lost_places(call: Call, store: StoreConnection, plan: DeliveryPlan) -> bool:
    """Whether a table that is to resume has lost its position."""
    places = {one.kept.published_table_id: one.kept.id for one in plan.tables if one.kept is not None}
    found = unbound.find(store, plan.master.id, list(places), None, call.services.clock.now()) if places else {}
    return any(table not in found or found[table].id != place for table, place in places.items())


def _change(store: StoreConnection, tables: Sequence[PlannedTable]) -> None:
    store_changes(store, [one.change for one in tables if one.change is not None])
    steering.notify_agents(store, [one.stored for one in tables if one.stored is not None])


def _resume(call: Call, store: StoreConnection, tables: Sequence[PlannedTable]) -> list[str]:
    kept = [(one.kept, one.settings) for one in tables if one.kept is not None and one.settings is not None]
    unbound.restore(store, [row for row, _ in kept], call.services.clock.now())
    service.change_tables(store, {row.id: (settings, row.settings["generation"]) for row, settings in kept})
    return [row.id for row, _ in kept]


def _add(
    call: Call,
    store: StoreConnection,
    principal: Principal,
    plan: DeliveryPlan,
    published: Mapping[str, Row[Any]],
    begin: Begin | None,
) -> list[str]:
    tables = [
        (published[one.published.id], one.settings)
        for one in plan.of(TableAction.ADD)
        if one.published is not None and one.settings is not None
    ]
    if not tables:
        return []
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
