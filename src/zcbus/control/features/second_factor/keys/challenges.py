"""Challenges that security keys sign: random, for one purpose of one session or sign-in, good once, five minutes."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import Connection, delete

from zcbus.control.features.second_factor.errors import KeyCeremonyOverError
from zcbus.control.platform.call import Call
from zcbus.control.platform.services import Services
from zcbus.control.platform.token_hash import token_hash
from zcbus.control.store.tables.identity import key_challenge

LIFETIME = timedelta(minutes=5)

_BYTES = 32


@dataclass(frozen=True, slots=True)
class Asker:
    """Whose challenge it is: a session (its id) or a sign-in that waits (its token), and what for. A challenge of one
    is none of another."""

    holder: Literal["session", "sign-in"]
    name: str
    purpose: Literal["register", "prove"]

    @property
    def hash(self) -> str:
        return token_hash(f"{self.holder}:{self.purpose}:{self.name}")


def asker_of(call: Call, purpose: Literal["register", "prove"]) -> Asker:
    """The caller's session."""
    return Asker("session", call.principal.session_id or "", purpose)


def begin(services: Services, asker: Asker) -> bytes:
    """A new challenge, in the place of the asker's last one."""
    challenge, now = secrets.token_bytes(_BYTES), services.clock.now()
    values = {"asker_hash": asker.hash, "challenge": challenge.hex(), "expires_at": now + LIFETIME}
    # Alone: two at the same moment would both find that there is none.
    with services.database.write_alone() as connection:
        connection.execute(delete(key_challenge).where(key_challenge.c.asker_hash == asker.hash))
        connection.execute(key_challenge.insert().values(**values))
    return challenge


def take(services: Services, asker: Asker) -> bytes:
    """Use the challenge up, whatever comes of it: in a transaction of its own. Raises KeyCeremonyOverError."""
    own = delete(key_challenge).where(key_challenge.c.asker_hash == asker.hash)
    with services.database.write() as connection:
        row = connection.execute(own.returning(key_challenge.c.challenge, key_challenge.c.expires_at)).one_or_none()
    if row is None or row.expires_at <= services.clock.now():
        raise KeyCeremonyOverError
    return bytes.fromhex(row.challenge)


def remove_old(connection: Connection, now: datetime) -> None:
    """Delete challenges that came back too late or never."""
    connection.execute(delete(key_challenge).where(key_challenge.c.expires_at <= now))
