"""Checks codes of second factors, each once, and slows guessing down."""

from typing import Any, Literal

from sqlalchemy import Connection, Row

from zcbus.control.features.second_factor import codes, repository
from zcbus.control.features.second_factor.keys.checking import can_use
from zcbus.control.features.second_factor.keys.party import relying_party
from zcbus.control.features.second_factor.schemas import Step
from zcbus.control.platform.attempts import CODES_PER_ACCOUNT, Origin, attempt_allowed, forget_attempts
from zcbus.control.platform.services import Services
from zcbus.control.store.sealed import place
from zcbus.control.store.tables.identity import second_factor

Kind = Literal["authenticator", "recovery-code", "security-key"]


def is_on(connection: Connection, user_id: str) -> bool:
    """Whether signing in with the password needs a second step."""
    return repository.find(connection, user_id) is not None


def has_authenticator(connection: Connection, user_id: str) -> bool:
    """Whether one of the user's second factors is an authenticator."""
    row = repository.find(connection, user_id)
    return row is not None and row.sealed_secret != ""


def steps_of(services: Services, connection: Connection, user_id: str) -> list[Step]:
    """What the user can do as the second step here; a recovery code is always good in its place."""
    steps: list[Step] = ["authenticator"] if has_authenticator(connection, user_id) else []
    return [*steps, "security-key"] if can_use(services, connection, user_id) else steps


def possible_steps(services: Services) -> list[Step]:
    """What can be set up here as a second step."""
    return ["authenticator", "security-key"] if relying_party(services.settings) else ["authenticator"]


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
    if row.sealed_secret and _take_step(services, connection, row, code):
        return "authenticator"
    return "recovery-code" if repository.take_recovery_code(connection, user_id, code) else None


def _take_step(services: Services, connection: Connection, row: Row[Any], code: str) -> bool:
    secret = services.secrets.open(row.sealed_secret, place(second_factor.c.sealed_secret, row.user_id))
    steps = codes.steps_of(secret, code, services.clock.now())
    return any(repository.take_step(connection, row.user_id, step) for step in steps)


def _counted_as(user_id: str) -> str:
    # Apart from passwords: the right password must not make room for more guesses of codes.
    return f"second-factor:{user_id}"
