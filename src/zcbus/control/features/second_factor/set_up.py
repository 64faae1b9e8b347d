"""Set-up of a second factor: a secret is offered, and stored once its first code is given."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import orjson
from sqlalchemy import Connection, Row

from zcbus.control.features.second_factor import codes, repository
from zcbus.control.features.second_factor.checking import has_authenticator, is_on
from zcbus.control.features.second_factor.errors import SecondFactorOnError, SecondFactorWrongError, SetUpOverError
from zcbus.control.features.second_factor.schemas import SetUp
from zcbus.control.platform.call import Call
from zcbus.control.platform.hosts import page_address
from zcbus.control.platform.secrets import SecretUnreadableError
from zcbus.control.platform.services import Services
from zcbus.control.store.sealed import place
from zcbus.control.store.tables.identity import second_factor

LIFETIME = timedelta(minutes=15)


def offer(call: Call, connection: Connection, user: Row[Any]) -> SetUp:
    """Offer a secret to a user, sealed in a handle. It is not stored until its first code is given. Raises
    SecondFactorOnError where there is an authenticator."""
    if has_authenticator(connection, user.id):
        raise SecondFactorOnError
    secret, expires = codes.new_secret(), call.services.clock.now() + LIFETIME
    content = orjson.dumps({"secret": secret, "expires": expires.timestamp()}).decode()
    host = urlsplit(page_address(call.request, call.services.settings)).hostname
    return SetUp(
        secret=secret,
        address=codes.address(secret, f"{user.user_name}@{host}"),
        handle=call.services.secrets.seal(content, _handle_context(user.id)),
    )


def activate(services: Services, connection: Connection, user_id: str, handle: str, code: str) -> list[str]:
    """Keep the secret that a handle carries, once its first code has come, and return the recovery codes. Needs a
    transaction that writes alone. Raises SetUpOverError, SecondFactorWrongError, SecondFactorOnError."""
    sealed, step = _proved(services, user_id, handle, code)
    if is_on(connection, user_id):
        raise SecondFactorOnError
    made = codes.new_recovery_codes()
    repository.insert(connection, user_id, services.clock.now(), sealed, step)
    repository.replace_recovery_codes(connection, user_id, map(codes.plain, made))
    return made


def add(services: Services, connection: Connection, user_id: str, handle: str, code: str) -> None:
    """As `activate`, next to the security keys of a user who proved to have one; the recovery codes stay. Raises as
    `activate`, and SecondFactorOnError where there is an authenticator."""
    sealed, step = _proved(services, user_id, handle, code)
    if has_authenticator(connection, user_id):
        raise SecondFactorOnError
    repository.set_authenticator(connection, user_id, sealed, step)


def _proved(services: Services, user_id: str, handle: str, code: str) -> tuple[str, int]:
    """The secret of a handle, sealed for the store, and the time step of its first code."""
    secret = _opened(services, user_id, handle)
    steps = codes.steps_of(secret, codes.plain(code), services.clock.now())
    if not steps:
        raise SecondFactorWrongError
    return services.secrets.seal(secret, place(second_factor.c.sealed_secret, user_id)), steps[0]


def _opened(services: Services, user_id: str, handle: str) -> str:
    try:
        content = orjson.loads(services.secrets.open(handle, _handle_context(user_id)))
    except (ValueError, SecretUnreadableError):
        raise SetUpOverError from None
    if content["expires"] <= services.clock.now().timestamp():
        raise SetUpOverError
    secret: str = content["secret"]
    return secret


def _handle_context(user_id: str) -> str:
    return f"second-factor-set-up:{user_id}"
