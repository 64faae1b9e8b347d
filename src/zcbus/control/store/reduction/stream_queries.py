"""Stream queries."""

from functools import cache
from typing import Any

from sqlalchemy import Connection, Select, or_, select

from zcbus.control.store.among import among
from zcbus.control.store.reduction.rows import Moment, save
from zcbus.control.store.tables.container import service
from zcbus.control.store.tables.stream import computation
from zcbus.model.reduction import Origin
from zcbus.model.reduction.services import Worker
from zcbus.model.reduction.stream_queries import StreamQueryFacts, computation_state
from zcbus.model.states import DesiredState, SyncState


def reduce_stream_queries(connection: Connection, moment: Moment, services: set[str]) -> None:
    """Reduce the marked stream queries and those of services that changed."""
    changed = []
    concerned = or_(computation.c.unreduced, among(computation.c.service_id, services))
    rows = connection.execute(_facts().where(concerned)).all()
    if not rows:
        return
    for row in rows:
        known = StreamQueryFacts(
            reported=SyncState(row.state),
            reported_generation=row.reported_generation,
            generation=row.generation,
            worker=Worker(row.worker),
            desired=row.desired == DesiredState.RUNNING,
        )
        state, origin = computation_state(known)
        if state != row.current_state:
            reported_since = row.observed_since if origin is Origin.SERVICE else row.reported_at
            since = moment.since(row.current_since, reported_since)
            changed.append({"row_id": row.id, "current_state": state, "current_since": since})
    save(connection, computation, changed)


@cache
def _facts() -> Select[Any]:
    columns = ("id", "state", "reported_at", "reported_generation", "generation", "current_state", "current_since")
    of_service = service.c.worker, service.c.desired, service.c.observed_since
    found: Select[Any] = select(*(computation.c[name] for name in columns), *of_service)
    return found.join(service, service.c.id == computation.c.service_id)
