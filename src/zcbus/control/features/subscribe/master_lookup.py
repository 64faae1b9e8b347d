"""Tables and channels of a master, for features that subscribe tables at it."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, select

from zcbus.control.features.subscribe import lookup, table_repository, views
from zcbus.control.features.subscribe.customers import refuse_of_link
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.principal import Principal


def own_master(store: Connection, principal: Principal, master_id: str) -> Row[Any]:
    """A master that no sync link steers. Raises RecordNotFoundError, SubscriberOfLinkError."""
    return refuse_of_link(lookup.find_master(store, principal, master_id))


def check_channel(store: Connection, principal: Principal, master_id: str, channel_id: str) -> None:
    """Raises RecordNotFoundError for an id that is not a channel of the master."""
    if lookup.find_channel(store, principal, channel_id).master_id != master_id:
        raise RecordNotFoundError(kind="channel", id=channel_id)


def published_for(store: Connection, master: Row[Any]) -> Sequence[Row[Any]]:
    """The tables that the node of a master's row publishes, by name."""
    return table_repository.select_published(store, master.node_id)


def subscribed_at(store: Connection, master_id: str) -> Sequence[Row[Any]]:
    """A master's tables, as rows of `views.tables`."""
    table = views.tables()
    return store.execute(select(table).where(table.c.master_id == master_id)).all()


def taken_targets(store: Connection, master: Row[Any]) -> frozenset[tuple[str, str]]:
    """Schema and name of every table that is replicated into the target of a master's row."""
    return frozenset(table_repository.select_targets(store, master.target_id))
