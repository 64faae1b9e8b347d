"""Uses of security keys as the second step: asked for by a challenge, checked, counted."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.second_factor.errors import KeyCopiedError, KeyRefusedError, KeysUnavailableError
from zcbus.control.features.second_factor.keys import challenges, repository
from zcbus.control.features.second_factor.keys.challenges import Asker
from zcbus.control.features.second_factor.keys.party import RelyingParty, relying_party
from zcbus.control.features.second_factor.schemas import KeyAnswer, KeyCeremony
from zcbus.control.platform.services import Services
from zcbus.kit.logging import get_logger

_log = get_logger("control.second-factor")


@dataclass(frozen=True, slots=True)
class KeyUse:
    """A right signature of a user's key, and the key's count of signatures."""

    key_id: str
    name: str
    sign_count: int


def needed_party(services: Services) -> RelyingParty:
    """Raises KeysUnavailableError."""
    party = relying_party(services.settings)
    if party is None:
        raise KeysUnavailableError
    return party


def can_use(services: Services, connection: Connection, user_id: str) -> bool:
    """Whether the user has a key that works at this platform's address."""
    party = relying_party(services.settings)
    return party is not None and bool(_usable(connection, user_id, party))


def ask(services: Services, user_id: str, asker: Asker) -> KeyCeremony:
    """Begin a use of one of the user's keys. Raises KeysUnavailableError, KeyRefusedError where there is none."""
    from zcbus.control.features.second_factor.keys import ceremony

    party = needed_party(services)
    with services.database.read() as connection:
        keys = _usable(connection, user_id, party)
    if not keys:
        raise KeyRefusedError
    known = [ceremony.KnownKey(key.credential_id, key.transports) for key in keys]
    return KeyCeremony(options=ceremony.request_options(party, challenges.begin(services, asker), known))


def verify(services: Services, user_id: str, asker: Asker, answer: KeyAnswer) -> KeyUse:
    """The use that an answer proves; it uses the challenge up. Never inside of a transaction. Raises
    KeysUnavailableError, KeyCeremonyOverError, KeyRefusedError."""
    from zcbus.control.features.second_factor.keys import ceremony

    party, challenge = needed_party(services), challenges.take(services, asker)
    with services.database.read() as connection:
        key = repository.find_usable(connection, user_id, party.id, answer.id)
    if key is None:
        raise KeyRefusedError
    return KeyUse(key.id, key.name, ceremony.check_use(party, challenge, key.public_key, answer))


def take(connection: Connection, use: KeyUse, now: datetime) -> None:
    """Count a use. Raises KeyCopiedError."""
    if not repository.take_use(connection, use.key_id, use.sign_count, now):
        _log.warning("security key counts backwards", key=use.key_id, count=use.sign_count)
        raise KeyCopiedError(name=use.name)


def _usable(connection: Connection, user_id: str, party: RelyingParty) -> list[Row[Any]]:
    return [key for key in repository.keys_of(connection, user_id) if key.rp_id == party.id]
