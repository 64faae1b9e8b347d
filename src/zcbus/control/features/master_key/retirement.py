"""Retirement: a key leaves this host's key file once nothing needs it."""

from datetime import datetime, timedelta

from sqlalchemy import Connection

from zcbus.control.features.master_key.errors import (
    KeyNeededError,
    KeyNotUsedError,
    KeyRecentError,
    KeySealsError,
    KeyUnknownError,
)
from zcbus.control.features.master_key.holders import not_sealing
from zcbus.control.features.master_key.recording import record
from zcbus.control.features.master_key.resealing import census
from zcbus.control.key_check import sealing_key, sealing_since
from zcbus.control.platform.services import Services
from zcbus.kit.errors import TerminalError

SETTLED = timedelta(minutes=15)
"""How long after the change of keys texts of the old one may be under way: handles of a sign-in, and what a control
plane seals that has not looked yet (`platform.secrets.CURRENT_SECONDS`)."""


def retire(services: Services, key_id: str) -> bytes:
    """Remove a key from the file, with what must outlast it kept (`SecretBox.left_by`). Returns the key. Raises
    KeyUnknownError, KeySealsError, KeyNeededError, KeyNotUsedError, KeyRecentError, KeysFixedError: the file is then as
    it was."""
    box, key = services.secrets, _held(services, key_id)
    # Alone: no process writes between the look and the change of the file.
    with services.database.write_alone() as connection:
        refusal = _refusal(services, connection, key_id)
        if refusal is not None:
            raise refusal
        record(connection, services, "retire", {"key": key_id})
        if box.source is not None:
            left = box.left_by(key_id)
            box.use(box.source.change(lambda ring: ring.without(key_id, left)))
    return key


def refuse_if_needed(services: Services, key_id: str) -> bytes:
    """The key, if it can be retired now; raises as `retire`."""
    key, refusal = _held(services, key_id), needed_by(services, key_id)
    if refusal is not None:
        raise refusal
    return key


def needed_by(services: Services, key_id: str) -> TerminalError | None:
    """Why a key cannot be retired now; None: it can."""
    with services.database.read() as connection:
        return _refusal(services, connection, key_id)


def _held(services: Services, key_id: str) -> bytes:
    services.secrets.refresh()
    if key_id not in services.secrets.ring.keys:
        raise KeyUnknownError(key=key_id)
    return services.secrets.ring.keys[key_id]


def _refusal(services: Services, connection: Connection, key_id: str) -> TerminalError | None:
    box, now = services.secrets, services.clock.now()
    sealing = sealing_key(connection, box)
    if key_id == sealing:
        return KeySealsError(key=key_id)
    needing = {table: count for (table, key), count in census(connection).items() if key == key_id}
    if needing:
        where = ", ".join(sorted(needing))
        return KeyNeededError(key=key_id, count=sum(needing.values()), where=where)
    hosts = not_sealing(connection, now, sealing)
    if hosts:
        return KeyNotUsedError(key=sealing, hosts=", ".join(hosts))
    since = sealing_since(connection)
    return _recent(key_id, since, now)


def _recent(key_id: str, since: datetime | None, now: datetime) -> TerminalError | None:
    if since is None or now - since >= SETTLED:
        return None
    return KeyRecentError(key=key_id, until=f"{since + SETTLED:%H:%M:%S} UTC")
