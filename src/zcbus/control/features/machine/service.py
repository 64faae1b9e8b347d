"""Credentials of agents' hosts: stored once they have worked, with the key that the host presented."""

import asyncio
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.container import agents
from zcbus.control.features.machine import repository, ssh
from zcbus.control.features.machine.errors import (
    MachineKeyChangedError,
    MachinePasswordNeededError,
    MachineUnknownError,
)
from zcbus.control.features.machine.schemas import MachineRecord, MachineUpdate
from zcbus.control.features.machine.ssh import Access
from zcbus.control.platform.call import Call
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.secrets import SecretBox
from zcbus.control.store.sealed import place
from zcbus.control.store.tables.machine import machine

MENU_KEY = "container"

_USUAL_PORT = 22


def describe(connection: Connection, principal: Principal, device_id: str) -> MachineRecord:
    """The stored credentials of a host without the password. Raises RecordNotFoundError."""
    agent = agents.find_agent(connection, principal, device_id)
    return _record(agent, repository.find(connection, device_id))


def access_to(connection: Connection, secrets: SecretBox, device_id: str) -> Access:
    """How to sign in to an agent's host. Raises MachineUnknownError."""
    row = repository.find(connection, device_id)
    if row is None:
        raise MachineUnknownError
    return Access(
        row.host, row.port, row.user_name, secrets.open(row.secret, place(machine.c.secret, device_id)), row.host_key
    )


def update(call: Call, body: MachineUpdate) -> MachineRecord:
    """Sign in with the given credentials, and store them if that works.

    Raises RecordNotFoundError, AgentChoiceNeededError, MachinePasswordNeededError, MachineKeyChangedError,
    MachineUnreachableError, MachineRefusedError.
    """
    services = call.services
    with services.database.read() as connection:
        agent = agents.find_or_only(connection, call.principal, body.device_id)
        known = repository.find(connection, agent.id)
    call.audit.subject, call.audit.before = agent.host, _plain(_record(agent, known)) if known else None
    host = body.host or agent.host
    password = body.password or _stored_password(services.secrets, known, Access(host, body.port, body.user, "", ""))
    host_key = asyncio.run(_proven_key(Access(host, body.port, body.user, password, ""), known, body.host_key))
    with services.database.write() as connection:
        repository.save(
            connection,
            agent.id,
            host=host,
            port=body.port,
            user_name=body.user,
            secret=services.secrets.seal(password, place(machine.c.secret, agent.id)),
            host_key=host_key,
            updated_at=services.clock.now(),
        )
        record = _record(agent, repository.find(connection, agent.id))
    call.audit.after = _plain(record)
    return record


def _stored_password(secrets: SecretBox, known: Row[Any] | None, asked: Access) -> str:
    """The stored password, only for the host, port and user it was given for: it must not be sent elsewhere."""
    if known is None or (known.host, known.port, known.user_name) != (asked.host, asked.port, asked.user):
        raise MachinePasswordNeededError
    return secrets.open(known.secret, place(machine.c.secret, known.device_id))


async def _proven_key(access: Access, known: Row[Any] | None, confirmed: str) -> str:
    """The key to pin: the one that the same host presented before, else the one it presents now. Signs in with it.
    `confirmed`: the fingerprint of another key that the caller vouches for."""
    shown = await ssh.shown_key(access.host, access.port)
    is_same_host = known is not None and (known.host, known.port) == (access.host, access.port)
    if known is not None and is_same_host and shown != known.host_key and ssh.fingerprint(shown) != confirmed:
        facts = {"known": ssh.fingerprint(known.host_key), "shown": ssh.fingerprint(shown)}
        raise MachineKeyChangedError(host=access.host, port=str(access.port), **facts)
    await ssh.prove(Access(access.host, access.port, access.user, access.password, shown))
    return shown


def _record(agent: Row[Any], row: Row[Any] | None) -> MachineRecord:
    return MachineRecord(
        device_id=agent.id,
        host=row.host if row else agent.host,
        port=row.port if row else _USUAL_PORT,
        user=row.user_name if row else "",
        password="",
        password_kept=row is not None,
        host_key=ssh.fingerprint(row.host_key) if row else "",
        updated_at=row.updated_at if row else None,
    )


def _plain(record: MachineRecord) -> dict[str, Any]:
    return record.model_dump(mode="json", by_alias=True, include={"host", "port", "user", "host_key"})
