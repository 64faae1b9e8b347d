"""How people turn two-step verification on and off, and how others remove it."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.account import service as accounts
from zcbus.control.features.account.errors import UserUnknownError
from zcbus.control.features.account.own_password import check_sign_in_password
from zcbus.control.features.second_factor import codes, repository, set_up
from zcbus.control.features.second_factor.checking import is_on
from zcbus.control.features.second_factor.errors import (
    LastFactorError,
    SecondFactorOffError,
    SecondFactorRequiredError,
)
from zcbus.control.features.second_factor.keys import checking as key_checking
from zcbus.control.features.second_factor.keys import repository as keys
from zcbus.control.features.second_factor.keys.party import relying_party
from zcbus.control.features.second_factor.proving import own_account, proved, use_of_key
from zcbus.control.features.second_factor.requirement import is_required
from zcbus.control.features.second_factor.schemas import (
    Proof,
    RecoveryCodes,
    SecondFactorState,
    SecurityKeyRecord,
    SetUp,
    TurnOn,
)
from zcbus.control.platform import audit
from zcbus.control.platform.audit import AuditNote, Circumstances
from zcbus.control.platform.call import Call
from zcbus.control.platform.principal import local_principal
from zcbus.control.platform.services import Services
from zcbus.control.platform.sessions import revoke_sessions_of


def state(call: Call) -> SecondFactorState:
    """The caller's own."""
    connection, user_id = call.connection, call.principal.user_id
    row, party = repository.find(connection, user_id), relying_party(call.services.settings)
    own = keys.keys_of(connection, user_id)
    return SecondFactorState(
        is_on=row is not None,
        turned_on_at=row.turned_on_at if row else None,
        has_authenticator=row is not None and row.sealed_secret != "",
        keys=[_record(key, party.id if party else None) for key in own],
        recovery_codes_left=repository.count_recovery_codes(connection, user_id),
        is_required=is_required(connection, accounts.get_user(connection, user_id)),
        key_address=party.origin if party else None,
    )


def _record(key: Row[Any], rp_id: str | None) -> SecurityKeyRecord:
    usable = key.rp_id == rp_id
    return SecurityKeyRecord(id=key.id, name=key.name, created_at=key.created_at, used_at=key.used_at, is_usable=usable)


def begin(call: Call) -> SetUp:
    """Offer a secret to the caller. It is not stored until its first code is given. Raises SecondFactorOnError."""
    return set_up.offer(call, call.connection, own_account(call, call.connection))


def turn_on(call: Call, body: TurnOn) -> RecoveryCodes:
    """Turn two-step verification on, and end the caller's other sessions, which were opened without it; where it is on
    with security keys, add the authenticator to them.

    Raises CurrentPasswordWrongError, TooManyRequestsError, SetUpOverError, SecondFactorWrongError, SecondFactorOnError,
    and as `proving.use_of_key`.
    """
    call.audit.after = None
    services = call.services
    with services.database.read() as connection:
        user = own_account(call, connection)
    check_sign_in_password(services, call.principal, user, body.current_password)
    use = use_of_key(call, body.key)
    with services.database.write_alone() as connection:
        if use is not None and is_on(connection, user.id):
            key_checking.take(connection, use, services.clock.now())
            set_up.add(services, connection, user.id, body.handle, body.code)
            return RecoveryCodes(codes=[])
        made = set_up.activate(services, connection, user.id, body.handle, body.code)
        revoke_sessions_of(connection, user.id, services.clock.now(), kept=call.principal.session_id)
    return RecoveryCodes(codes=made)


def remove_authenticator(call: Call, body: Proof) -> None:
    """Remove the authenticator; security keys stay. Raises LastFactorError, and as `proved`."""
    user_id = call.principal.user_id
    with proved(call, body) as connection:
        if keys.count(connection, user_id) == 0:
            raise LastFactorError
        repository.set_authenticator(connection, user_id, "", 0)


def turn_off(call: Call, body: Proof) -> None:
    """Turn two-step verification off, whatever its factors. Raises SecondFactorRequiredError, and as `proved`."""
    with proved(call, body) as connection:
        turn_off_proved(call, connection)


def turn_off_proved(call: Call, connection: Connection) -> None:
    """Remove the caller's factors. Raises SecondFactorRequiredError."""
    if is_required(connection, accounts.get_user(connection, call.principal.user_id)):
        raise SecondFactorRequiredError
    repository.remove(connection, call.principal.user_id)


def renew_recovery_codes(call: Call, body: Proof) -> RecoveryCodes:
    """Replace the recovery codes. Raises as `proved`."""
    made = codes.new_recovery_codes()
    with proved(call, body) as connection:
        repository.replace_recovery_codes(connection, call.principal.user_id, map(codes.plain, made))
    return RecoveryCodes(codes=made)


def remove(connection: Connection, user: Row[Any], now: datetime) -> None:
    """Remove a user's lost second factors, and end the user's sessions. Raises SecondFactorOffError."""
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
