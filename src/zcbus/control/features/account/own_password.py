"""Check of the own password before an action that a stolen session must not do."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.account import passwords
from zcbus.control.features.account.errors import CurrentPasswordWrongError
from zcbus.control.features.account.proving import prove
from zcbus.control.platform.attempts import Origin, attempt_allowed, forget_attempts, known_origin
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.services import Services


def origin_of_session(principal: Principal) -> Origin:
    """The origin of attempts within a session: counted apart, so that others' guesses do not delay it."""
    return known_origin(f"session:{principal.session_id}")


def check_own_password(services: Services, principal: Principal, password_hash: str, given: str) -> None:
    """Raise CurrentPasswordWrongError, or TooManyRequestsError after several wrong ones. Slow on purpose, and opens
    transactions of its own: must not be called inside of one."""
    _check(services, principal, lambda: passwords.is_correct(given, password_hash))


def check_sign_in_password(services: Services, principal: Principal, user: Row[Any], given: str) -> None:
    """As `check_own_password`, for any password that signs the user in, also the directory's. Raises
    DirectoryUnavailableError as well."""
    _check(services, principal, lambda: prove(services, user, user.user_name, given) is not None)


def _check(services: Services, principal: Principal, is_right: Callable[[], bool]) -> None:
    origin = origin_of_session(principal)
    attempt_allowed(services, principal.user_name, origin)
    if not is_right():
        raise CurrentPasswordWrongError
    with services.database.write() as connection:
        forget_attempts(connection, principal.user_name, origin)
