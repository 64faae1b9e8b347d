"""What agents are ordered to keep, what they fetch, and what they report."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, delete, or_, select

from zcbus.control.features.container import agents
from zcbus.control.features.upload import service as uploads
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.principal import DEFAULT_TENANT
from zcbus.control.store.live import announce
from zcbus.control.store.tables.driver import driver, driver_container, driver_state
from zcbus.control.store.tables.upload import upload
from zcbus.protocol.drivers import Driver, DriverState


def drivers_of(connection: Connection, container_id: str) -> tuple[Driver, ...]:
    """Those that the hosts of a container keep."""
    statement = (
        select(driver.c.id, driver.c.name, upload.c.size, upload.c.sha256, driver.c.signature)
        .join(upload, upload.c.id == driver.c.id)
        .where(_ordered_in(container_id))
        .order_by(driver.c.name)
    )
    rows = connection.execute(statement)
    return tuple(
        Driver(id=row.id, name=row.name, size=row.size, sha256=row.sha256, signature=row.signature) for row in rows
    )


def save_reported(
    connection: Connection, agent_id: str, container_id: str, states: Sequence[DriverState], now: datetime
) -> None:
    """Replace what an agent reported before. Drivers that were removed meanwhile are left out."""
    ordered = set(connection.execute(select(driver.c.id).where(_ordered_in(container_id))).scalars())
    rows = [
        {
            "agent_id": agent_id,
            "driver_id": one.id,
            "state": one.state,
            "reason": one.reason.model_dump() if one.reason is not None else None,
            "reported_at": now,
        }
        for one in {state.id: state for state in states}.values()
        if one.id in ordered
    ]
    connection.execute(delete(driver_state).where(driver_state.c.agent_id == agent_id))
    if rows:
        connection.execute(driver_state.insert(), rows)
    # Drivers are the platform's, whichever tenant the host works for.
    announce(connection, "service", {DEFAULT_TENANT})


def file_for_agent(call: Call, agent_id: str, driver_id: str) -> Iterator[bytes]:
    """The file of a driver that an agent should keep. Raises RecordNotFoundError, and what `admit_agent` raises."""
    with call.services.database.read() as store:
        agent = agents.admit_agent(store, call.principal, agent_id)
        ordered = select(driver.c.id).where(driver.c.id == driver_id, _ordered_in(agent.container_id))
        if store.execute(ordered).first() is None:
            raise RecordNotFoundError(kind="driver", id=driver_id)
        row = uploads.find_any(store, driver_id, "driver")
    return uploads.content(call, row)


def _ordered_in(container_id: str) -> ColumnElement[bool]:
    chosen = select(driver_container.c.driver_id).where(driver_container.c.container_id == container_id)
    return or_(driver.c.everywhere, driver.c.id.in_(chosen))
