"""Stored connections that a request names instead of giving their options: access rights and destinations."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row

from zcbus.control.features.container.service import find_destination
from zcbus.control.features.datasource import repository
from zcbus.control.features.datasource.schemas import ConnectionChoice, Side
from zcbus.control.platform.agent_requests import Destination
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.menus import CUSTOMER_PAGES
from zcbus.control.platform.principal import Operation


@dataclass(frozen=True, slots=True)
class Stored:
    """A data source's row, the agent that uses it, and its load type where it has one."""

    destination: Destination
    row: Row[Any]
    load_type: str | None = None


def check(call: Call, choices: Iterable[ConnectionChoice]) -> None:
    """A stored connection is for callers who may edit its owner. Raises ForbiddenError."""
    for choice in choices:
        if choice.link_id is not None:
            authorise("sync-link", Operation.EDIT).check(call.principal)
        if choice.node_master is not None:
            authorise("publish", Operation.EDIT).check(call.principal)


def find(call: Call, store: StoreConnection, choice: ConnectionChoice, side: Side) -> Stored | None:
    """The named data source, and the agent that uses it; None: none is named. Raises RecordNotFoundError and, for a
    database behind an entry that the caller may not edit, ForbiddenError."""
    if choice.link_id is not None:
        return _of_link(call, store, choice.link_id, choice.side or side)
    if choice.node_master is not None:
        return _of_node(call, store, choice.node_master)
    if choice.database_id is not None:
        return _of_database(call, store, choice.database_id)
    return None


def _of_link(call: Call, store: StoreConnection, link_id: str, side: Side) -> Stored:
    row = repository.find_of_link(store, link_id, side, call.principal)
    if row is None:
        raise RecordNotFoundError(kind="sync-link", id=link_id)
    return Stored(Destination(row.container_id, row.container_name), row)


def _of_node(call: Call, store: StoreConnection, node_id: str) -> Stored:
    row = repository.find_of_node(store, node_id, call.principal)
    if row is None:
        raise RecordNotFoundError(kind="publish-node", id=node_id)
    return Stored(Destination(row.container_id, row.container_name), row)


def _of_database(call: Call, store: StoreConnection, database_id: str) -> Stored:
    row = repository.find_of_database(store, database_id, call.principal)
    if row is None:
        raise RecordNotFoundError(kind="customer-database", id=database_id)
    authorise(CUSTOMER_PAGES[row.client_type], Operation.EDIT).check(call.principal)
    return Stored(find_destination(store, call.principal), row, row.load_type)
