"""Checks codes of second factors, each once, and slows guessing down."""

from typing import Literal

from sqlalchemy import Connection

from zcbus.control.features.second_factor import codes, repository
from zcbus.control.platform.attempts import CODES_PER_ACCOUNT, Origin, attempt_allowed, forget_attempts
from zcbus.control.platform.services import Services
from zcbus.control.store.sealed import place
from zcbus.control.store.tables.identity import second_factor

Kind = Literal["authenticator", "recovery-code"]


def is_on(connection: Connection, user_id: str) -> bool:
    """Whether signing in with the password needs a code as well."""
    return repository.find(connection, user_id) is not None


def code_allowed(services: Services, user_id: str, origin: Origin) -> None:
    """Count an attempt before `take_code`. Raises TooManyRequestsError."""
    attempt_allowed(services, _counted_as(user_id), origin, CODES_PER_ACCOUNT)


def take_code(services: Services, connection: Connection, user_id: str, origin: Origin, code: str) -> Kind | None:
    """Use a code up and return its kind; None when it is wrong or used. The attempt was counted before."""
    kind = _take(services, connection, user_id, codes.plain(code))
    if kind is not None:
        forget_attempts(connection, _counted_as(user_id), origin)
    return kind


def _take(services: Services, connection: Connection, user_id: str, code: str) -> Kind | None:
    row = repository.find(connection, user_id)
    if row is None:
        return None
    secret = services.secrets.open(row.sealed_secret, place(second_factor.c.sealed_secret, user_id))
    for step in codes.steps_of(secret, code, services.clock.now()):
        if repository.take_step(connection, user_id, step):
            return "authenticator"
    return "recovery-code" if repository.take_recovery_code(connection, user_id, code) else None


def _counted_as(user_id: str) -> str:
    # Apart from passwords: the right password must not make room for more guesses of codes.
    return f"second-factor:{user_id}"
