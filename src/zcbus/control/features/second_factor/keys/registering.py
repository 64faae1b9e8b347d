"""Registration of a security key, and what becomes of registered ones."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.second_factor import codes, repository
from zcbus.control.features.second_factor.errors import KeyGoneError, KeyKnownError, TooManyKeysError
from zcbus.control.features.second_factor.keys import challenges
from zcbus.control.features.second_factor.keys import repository as keys
from zcbus.control.features.second_factor.keys.challenges import Asker
from zcbus.control.features.second_factor.keys.checking import needed_party
from zcbus.control.features.second_factor.schemas import KeyCeremony, NewKey
from zcbus.control.platform.services import Services

KEYS_PER_USER = 10


def offer(services: Services, user: Row[Any], asker: Asker) -> KeyCeremony:
    """Begin the registration of a key. Raises KeysUnavailableError, TooManyKeysError."""
    from zcbus.control.features.second_factor.keys import ceremony

    party = needed_party(services)
    with services.database.read() as connection:
        own = keys.keys_of(connection, user.id)
    _check_room(len(own))
    # A key that is registered already shall not be registered twice, under two names.
    known = [ceremony.KnownKey(key.credential_id, key.transports) for key in own if key.rp_id == party.id]
    challenge = challenges.begin(services, asker)
    return KeyCeremony(options=ceremony.creation_options(party, user.id, user.user_name, challenge, known))


def verified(services: Services, asker: Asker, given: NewKey) -> dict[str, Any]:
    """The columns of a key that an answer registers; it uses the challenge up. Never inside of a transaction. Raises
    KeysUnavailableError, KeyCeremonyOverError, KeyRefusedError."""
    from zcbus.control.features.second_factor.keys import ceremony

    party, challenge = needed_party(services), challenges.take(services, asker)
    made = ceremony.check_new(party, challenge, given.credential)
    return {
        "name": given.name.strip(),
        "rp_id": party.id,
        "credential_id": made.credential_id,
        "public_key": made.public_key,
        "sign_count": made.sign_count,
        "transports": made.transports,
    }


def keep(connection: Connection, user_id: str, key: dict[str, Any], now: datetime) -> list[str]:
    """Keep a key of `verified`. Where it is the user's first factor, two-step verification is on from now, and the
    recovery codes are returned. Needs a transaction that writes alone. Raises TooManyKeysError, KeyKnownError."""
    if keys.is_known(connection, key["credential_id"]):
        raise KeyKnownError
    _check_room(keys.count(connection, user_id))
    made: list[str] = []
    if repository.find(connection, user_id) is None:
        made = codes.new_recovery_codes()
        repository.insert(connection, user_id, now)
        repository.replace_recovery_codes(connection, user_id, map(codes.plain, made))
    keys.insert(connection, user_id, now=now, **key)
    return made


def found(connection: Connection, user_id: str, key_id: str) -> Row[Any]:
    """Raises KeyGoneError."""
    key = keys.find(connection, user_id, key_id)
    if key is None:
        raise KeyGoneError(id=key_id)
    return key


def _check_room(count: int) -> None:
    if count >= KEYS_PER_USER:
        raise TooManyKeysError(limit=KEYS_PER_USER)
