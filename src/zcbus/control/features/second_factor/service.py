"""How people turn two-step verification on and off, and how others remove it."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.account import service as accounts
from zcbus.control.features.account.errors import UserUnknownError
from zcbus.control.features.account.own_password import check_sign_in_password, origin_of_session
from zcbus.control.features.second_factor import codes, repository, set_up
from zcbus.control.features.second_factor.checking import code_allowed, is_on, take_code
from zcbus.control.features.second_factor.errors import (
    SecondFactorOffError,
    SecondFactorRequiredError,
    SecondFactorWrongError,
)
from zcbus.control.features.second_factor.requirement import is_required
from zcbus.control.features.second_factor.schemas import Proof, RecoveryCodes, SecondFactorState, SetUp, TurnOn
from zcbus.control.platform import audit
from zcbus.control.platform.audit import AuditNote, Circumstances
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import ForbiddenError
from zcbus.control.platform.principal import local_principal
from zcbus.control.platform.services import Services
from zcbus.control.platform.sessions import revoke_sessions_of


def state(call: Call) -> SecondFactorState:
    """The caller's own."""
    row = repository.find(call.connection, call.principal.user_id)
    return SecondFactorState(
        is_on=row is not None,
        turned_on_at=row.turned_on_at if row else None,
        recovery_codes_left=repository.count_recovery_codes(call.connection, call.principal.user_id),
    )


def begin(call: Call) -> SetUp:
    """Offer a secret to the caller. It is not stored until its first code is given. Raises SecondFactorOnError."""
    return set_up.offer(call, call.connection, _own_account(call, call.connection))


def turn_on(call: Call, body: TurnOn) -> RecoveryCodes:
    """Turn two-step verification on, and end the caller's other sessions, which were opened without it.

    Raises CurrentPasswordWrongError, TooManyRequestsError, SetUpOverError, SecondFactorWrongError, SecondFactorOnError.
    """
    call.audit.after = None
    services = call.services
    with services.database.read() as connection:
        user = _own_account(call, connection)
    check_sign_in_password(services, call.principal, user, body.current_password)
    with services.database.write_alone() as connection:
        made = set_up.activate(services, connection, user.id, body.handle, body.code)
        revoke_sessions_of(connection, user.id, services.clock.now(), kept=call.principal.session_id)
    return RecoveryCodes(codes=made)


def turn_off(call: Call, body: Proof) -> None:
    """Turn two-step verification off. Raises SecondFactorRequiredError, and as `_proved`."""
    with _proved(call, body) as connection:
        if is_required(connection, accounts.get_user(connection, call.principal.user_id)):
            raise SecondFactorRequiredError
        repository.remove(connection, call.principal.user_id)


def renew_recovery_codes(call: Call, body: Proof) -> RecoveryCodes:
    """Replace the recovery codes. Raises as `_proved`."""
    made = codes.new_recovery_codes()
    with _proved(call, body) as connection:
        repository.replace_recovery_codes(connection, call.principal.user_id, map(codes.plain, made))
    return RecoveryCodes(codes=made)


def remove(connection: Connection, user: Row[Any], now: datetime) -> None:
    """Remove a user's lost second factor, and end the user's sessions. Raises SecondFactorOffError."""
    if not repository.remove(connection, user.id):
        raise SecondFactorOffError(name=user.user_name)
    revoke_sessions_of(connection, user.id, now)


def remove_by_name(services: Services, user_name: str) -> None:
    """As `remove`, for the operator of the platform's host, with a record in the operation log. Raises
    UserUnknownError, SecondFactorOffError."""
    with services.database.write() as connection:
        user = accounts.find_credentials(connection, user_name)
        if user is None:
            raise UserUnknownError(name=user_name)
        remove(connection, user, services.clock.now())
        where = Circumstances("user_remove_second_factor", "zcbus user remove-second-factor", "", "")
        note = AuditNote(subject=user.user_name, tenant_id=user.tenant_id)
        audit.record(connection, services, local_principal(), where, note)


@contextmanager
def _proved(call: Call, body: Proof) -> Iterator[Connection]:
    """A transaction for a caller who gave the own password and a code. Raises CurrentPasswordWrongError,
    TooManyRequestsError, SecondFactorOffError, SecondFactorWrongError."""
    call.audit.after = None
    services, origin = call.services, origin_of_session(call.principal)
    with services.database.read() as connection:
        user = _own_account(call, connection)
        if not is_on(connection, user.id):
            raise SecondFactorOffError(name=user.user_name)
    check_sign_in_password(services, call.principal, user, body.current_password)
    code_allowed(services, user.id, origin)
    with services.database.write() as connection:
        kind = take_code(services, connection, user.id, origin, body.code)
        if kind is None:
            raise SecondFactorWrongError
        call.audit.after = {"provedBy": kind}
        yield connection


def _own_account(call: Call, connection: Connection) -> Row[Any]:
    """The caller's account. Programs have no second factor: the caller must be a signed-in user. Raises
    ForbiddenError."""
    if call.principal.kind != "session":
        raise ForbiddenError(menuKey="", operation="second-factor")
    return accounts.get_user(connection, call.principal.user_id)
