"""Which version of an agent or a control plane ran since when."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, and_, delete, exists, select

from zcbus.control.store.tables.deployment import deployment
from zcbus.kit.ids import new_id

_HOST_LENGTH, _VERSION_LENGTH = 255, 50


@dataclass(frozen=True, slots=True)
class Program:
    """An agent, or a control plane (`container_id` None)."""

    id: str
    host: str
    container_id: str | None = None


def note_version(connection: Connection, program: Program, version: str, now: datetime) -> None:
    """Record a deployment if the program starts with another version than before."""
    known = select(deployment.c.version).where(deployment.c.program == program.id)
    newest = known.order_by(deployment.c.deployed_at.desc(), deployment.c.id.desc()).limit(1)
    previous = connection.execute(newest).scalar()
    if previous == version[:_VERSION_LENGTH]:
        return
    connection.execute(
        deployment.insert().values(
            id=new_id(),
            container_id=program.container_id,
            program=program.id,
            host=program.host[:_HOST_LENGTH],
            version=version[:_VERSION_LENGTH],
            previous=previous,
            deployed_at=now,
        )
    )


def remove_older(connection: Connection, limit: datetime) -> None:
    """Delete deployments before `limit`, except the newest of each program: the next one is compared with it."""
    newer = deployment.alias()
    is_followed = exists().where(
        and_(newer.c.program == deployment.c.program, newer.c.deployed_at > deployment.c.deployed_at)
    )
    connection.execute(delete(deployment).where(deployment.c.deployed_at < limit, is_followed))
