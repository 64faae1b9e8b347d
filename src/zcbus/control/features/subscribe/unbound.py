"""Kept positions of unbound tables. Subscribed again at their master, they resume with their settings. A table's
position is kept in its target, by its id; the store keeps id and settings."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, Subquery, delete, func, or_, select

from zcbus.control.features.subscribe.table_repository import SETTINGS, insert_tables, new_table_row
from zcbus.control.store.among import among
from zcbus.control.store.tables.publish import published_table
from zcbus.control.store.tables.subscribe import channel, subscribed_table, unbound_table
from zcbus.model.states import LoadMode, SyncState

GRACE = timedelta(days=7)

# States of tables that have a position among the changes, or are loaded.
_WITH_POSITION = (
    SyncState.FULL_FINISHED,
    SyncState.INCREMENTAL_ALLOWED,
    SyncState.INCREMENTAL_RUNNING,
    SyncState.SUSPENDED,
    SyncState.TABLE_LOCKED,
    SyncState.INCREMENTAL_ERROR,
)
_SETTINGS = (*SETTINGS, "begin", "error_limit", "dml_skip", "ddl_skip", "skip_revision", "moves")


def keep(store: Connection, table_ids: Collection[str], now: datetime) -> None:
    """Keep the positions of tables that are about to be unbound, if they have one; delete those kept too long."""
    store.execute(delete(unbound_table).where(unbound_table.c.unbound_at < now - GRACE))
    _forget_earlier(store, table_ids)
    loaded = or_(subscribed_table.c.load_finished_at.is_not(None), subscribed_table.c.load_mode == LoadMode.INCREMENTAL)
    with_position = select(subscribed_table).where(
        among(subscribed_table.c.id, table_ids),
        subscribed_table.c.state.in_(_WITH_POSITION),
        subscribed_table.c.reported_generation == subscribed_table.c.generation,
        subscribed_table.c.reported_moves == subscribed_table.c.moves,
        loaded,
    )
    rows = [
        {
            "id": row.id,
            "channel_id": row.channel_id,
            "published_table_id": row.published_table_id,
            "settings": {name: getattr(row, name) for name in _SETTINGS},
            "unbound_at": now,
        }
        for row in store.execute(with_position)
    ]
    if rows:
        store.execute(unbound_table.insert(), rows)


def forget(store: Connection, published: Collection[str]) -> None:
    """Delete the positions of unbound tables: changes of their published tables (by id) will be missing."""
    store.execute(delete(unbound_table).where(among(unbound_table.c.published_table_id, published)))


def kept(master_id: str, now: datetime) -> Subquery:
    """When a master's tables were unbound: one row per published table with a kept position."""
    return (
        select(unbound_table.c.published_table_id, func.max(unbound_table.c.unbound_at).label("unbound_at"))
        .join(channel, channel.c.id == unbound_table.c.channel_id)
        .where(channel.c.master_id == master_id, unbound_table.c.unbound_at >= now - GRACE)
        .group_by(unbound_table.c.published_table_id)
        .subquery("kept_place")
    )


def find(
    store: Connection, master_id: str, table_ids: Collection[str], channel_id: str | None, now: datetime
) -> Mapping[str, Row[Any]]:
    """The newest kept position of each published table that has one at a master, or at one of its channels. None for a
    table whose rows have another key now."""
    query = (
        select(unbound_table, published_table.c.key_columns, published_table.c.append_only)
        .join(channel, channel.c.id == unbound_table.c.channel_id)
        .join(published_table, published_table.c.id == unbound_table.c.published_table_id)
        .where(
            channel.c.master_id == master_id,
            among(unbound_table.c.published_table_id, table_ids),
            unbound_table.c.unbound_at >= now - GRACE,
        )
        .order_by(unbound_table.c.unbound_at)
    )
    rows = store.execute(query if channel_id is None else query.where(channel.c.id == channel_id))
    return {row.published_table_id: row for row in rows if _has_same_key(row)}


def _has_same_key(row: Row[Any]) -> bool:
    kept = row.settings
    return bool((kept["key_columns"], kept.get("append_only", False)) == (row.key_columns, row.append_only))


def restore(store: Connection, kept: Sequence[Row[Any]], now: datetime) -> None:
    """Subscribe tables again, by the ids that they had."""
    rows = [
        new_table_row(
            one.channel_id,
            now,
            id=one.id,
            published_table_id=one.published_table_id,
            reported_moves=one.settings["moves"],
            **one.settings,
        )
        for one in kept
    ]
    if rows:
        insert_tables(store, rows)
        store.execute(delete(unbound_table).where(unbound_table.c.id.in_([one.id for one in kept])))


def _forget_earlier(store: Connection, table_ids: Collection[str]) -> None:
    """Older kept positions of these tables at the same masters: outdated, since the tables were resumed."""
    own, its = subscribed_table.alias("own"), channel.alias("its_channel")
    earlier = (
        select(unbound_table.c.id)
        .join(channel, channel.c.id == unbound_table.c.channel_id)
        .join(its, its.c.master_id == channel.c.master_id)
        .join(own, (own.c.channel_id == its.c.id) & (own.c.published_table_id == unbound_table.c.published_table_id))
        .where(among(own.c.id, table_ids))
    )
    store.execute(delete(unbound_table).where(unbound_table.c.id.in_(earlier)))
