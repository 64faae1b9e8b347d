"""Every stored state is what the stored facts reduce to."""

from typing import Any

from sqlalchemy import Connection, Table, select

from zcbus.control.features.service.overdue import reduce_overdue
from zcbus.control.platform.services import Services
from zcbus.control.store.tables.container import service
from zcbus.control.store.tables.publish import published_table
from zcbus.control.store.tables.stream import computation
from zcbus.control.store.tables.subscribe import channel, subscribed_table
from zcbus.control.store.tables.sync_link import sync_link

_OF_ALL = ("current_state", "unreduced")
_REDUCED: dict[Table, tuple[str, ...]] = {
    service: (*_OF_ALL, "worker", "worker_started_at", "has_run"),
    channel: _OF_ALL,
    published_table: (*_OF_ALL, "current_origin"),
    subscribed_table: (*_OF_ALL, "current_origin", "is_up", "has_trouble"),
    computation: _OF_ALL,
    sync_link: _OF_ALL,
}


def assert_states_hold(services: Services) -> None:
    """No change of a fact was stored without the states that follow from it."""
    reduce_overdue(services)
    with services.database.read() as connection:
        stored = _states(connection)
    if not any(stored.values()):
        return
    with services.database.write() as connection:
        services.database.states.mark_all(connection)
    with services.database.read() as connection:
        assert stored == _states(connection)


def _states(connection: Connection) -> dict[str, list[tuple[Any, ...]]]:
    found = {}
    for table, names in _REDUCED.items():
        wanted = select(table.c.id, *(table.c[name] for name in names)).order_by(table.c.id)
        found[table.name] = [tuple(row) for row in connection.execute(wanted)]
    return found
