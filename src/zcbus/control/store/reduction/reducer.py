"""When states are reduced: before a write transaction commits, before it reads what it changed, and by time."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Engine, event, update

from zcbus.control.store.reduction.links import reduce_links
from zcbus.control.store.reduction.published_tables import reduce_published
from zcbus.control.store.reduction.rows import Moment
from zcbus.control.store.reduction.services import facts, reduce, reduce_channels, reduce_services
from zcbus.control.store.reduction.stream_queries import reduce_stream_queries
from zcbus.control.store.reduction.subscribed_tables import reduce_subscribed
from zcbus.control.store.tables.container import service
from zcbus.control.store.tables.publish import published_table
from zcbus.control.store.tables.stream import computation
from zcbus.control.store.tables.subscribe import channel, subscribed_table
from zcbus.control.store.tables.sync_link import sync_link, sync_task
from zcbus.kit.clock import Clock

_KEY = "zcbus_states"
_MARKED = (service, published_table, subscribed_table, computation, channel, sync_link)
_WATCHED = frozenset(table.name for table in (*_MARKED, sync_task))


@dataclass(slots=True)
class _Changes:
    """Writes of an open transaction since its states were reduced."""

    reducer: "Reducer"
    tables: set[str] = field(default_factory=set)
    all_links: bool = False
    """A link got or lost tables, or got its task: no row is marked for it."""
    deferred: bool = False


class Reducer:
    """Reduces what transactions change. Safe for many threads."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.expired = False
        """Whether the installation's registration has ended, as of the last check."""

    @contextmanager
    def watching(self, connection: Connection) -> Iterator[None]:
        """A transaction that is about to write. Its states are reduced when the block ends."""
        connection.info[_KEY] = _Changes(self)
        try:
            yield
            self.reduce(connection)
        finally:
            connection.info.pop(_KEY, None)

    def overdue(self, connection: Connection) -> list[str]:
        """Services whose state is another one by now though no fact changed: progress and agents are too long ago, or
        the registration is over."""
        moment = self._moment()
        rows = connection.execute(facts()).all()
        return [row.id for row in rows if reduce(row, moment)["current_state"] != row.current_state]

    def mark(self, connection: Connection, service_ids: list[str]) -> None:
        """Have services reduced, with all that depends on them."""
        connection.execute(update(service).where(service.c.id.in_(service_ids)).values(unreduced=True))

    def mark_all(self, connection: Connection) -> None:
        """Have everything reduced again, as by a program whose rules may be others."""
        for table in _MARKED:
            connection.execute(update(table).values(unreduced=True))

    def _moment(self) -> Moment:
        return Moment(self._clock.now(), self.expired)

    def reduce(self, connection: Connection) -> None:
        """Reduce what the open transaction has changed."""
        changes: _Changes = connection.info[_KEY]
        tables, changes.tables = changes.tables, set()
        if not tables:
            return
        all_links, changes.all_links = changes.all_links, False
        connection.info.pop(_KEY)
        try:
            self._reduce_tables(connection, tables, all_links=all_links)
        finally:
            connection.info[_KEY] = changes

    def _reduce_tables(self, connection: Connection, written: set[str], *, all_links: bool) -> None:
        moment = self._moment()
        services = reduce_services(connection, moment) if service.name in written else set()
        if services or channel.name in written:
            reduce_channels(connection, services)
        sources = published_table.name in written
        channels: set[str] = set()
        if services or sources or subscribed_table.name in written:
            # Before the published tables' marks are taken away: they say whose subscribers are concerned.
            channels = reduce_subscribed(connection, moment, services, sources=sources)
        if services or sources:
            reduce_published(connection, moment, services)
        if services or computation.name in written:
            reduce_stream_queries(connection, moment, services)
        if services or channels or all_links or sync_link.name in written:
            reduce_links(connection, moment, services, None if all_links else channels)


@contextmanager
def deferred(connection: Connection) -> Iterator[None]:
    """A block that reads no states: what it changes is reduced once, afterwards."""
    changes: _Changes | None = connection.info.get(_KEY)
    if changes is None:
        yield
        return
    changes.deferred = True
    try:
        yield
    finally:
        changes.deferred = False


def watch(engine: Engine) -> None:
    """Note what is written by transactions of an engine; reduce before they read it."""
    event.listen(engine, "before_execute", _note)


def _note(connection: Connection, statement: Any, *_: object) -> None:
    changes: _Changes | None = connection.info.get(_KEY)
    if changes is None:
        return
    if getattr(statement, "is_dml", False):
        name = statement.table.name
        if name in _WATCHED:
            changes.tables.add(name)
            changes.all_links |= name == sync_task.name or (name == subscribed_table.name and not statement.is_update)
    elif getattr(statement, "is_select", False) and not changes.deferred:
        changes.reducer.reduce(connection)
