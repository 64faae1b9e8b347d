"""The second step of a sign-in whose password was right: a code, a security key, or the set-up of one of both."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.account import service as accounts
from zcbus.control.features.second_factor import checking, set_up
from zcbus.control.features.second_factor.errors import SecondFactorOnError, SecondFactorWrongError
from zcbus.control.features.second_factor.keys import checking as keys
from zcbus.control.features.second_factor.keys import registering
from zcbus.control.features.second_factor.keys.challenges import Asker
from zcbus.control.features.second_factor.schemas import KeyCeremony, SetUp
from zcbus.control.features.session import pending
from zcbus.control.features.session.errors import AccountDisabledError
from zcbus.control.features.session.schemas import (
    CameFrom,
    KeyLogin,
    LoginAnswer,
    SecondFactorRequest,
    SetUpAnswer,
    SetUpCode,
    SetUpKey,
)
from zcbus.control.features.session.service import note_user, open_session
from zcbus.control.platform.attempts import Origin
from zcbus.control.platform.call import Call
from zcbus.control.platform.known_devices import origin_of, remember_device
from zcbus.control.platform.sessions import revoke_sessions_of


@dataclass(frozen=True, slots=True)
class _Waiting:
    """Whose sign-in waits, and where attempts at it count."""

    user: Row[Any]
    origin: Origin
    demands_password: bool


def give_code(call: Call, body: SecondFactorRequest) -> LoginAnswer:
    """Finish a sign-in that `login` answered with 40201. Raises SignInOverError, AccountDisabledError,
    TooManyRequestsError, SecondFactorWrongError."""
    services = call.services
    waiting = _waiting(call, body.token, body.device)
    user, origin = waiting.user, waiting.origin
    checking.code_allowed(services, user.id, origin)
    device = None
    with services.database.write() as connection:
        pending.spend_attempt(connection, body.token)
        kind = checking.take_code(services, connection, user.id, origin, body.code)
        if kind is not None:
            pending.end(connection, body.token)
            # Only now: a browser that knows the password alone stays a stranger.
            device = remember_device(connection, user.id, body.device, services.clock.now())
    # Behind the transaction, so that the attempt stays counted.
    if kind is None:
        raise SecondFactorWrongError
    call.audit.after = {"userName": user.user_name, "secondFactor": kind}
    answer = open_session(call, user, body, demands_password=waiting.demands_password)
    answer.device = device
    return answer


def ask_key(call: Call, token: str) -> KeyCeremony:
    """Ask for a security key, where `login` answered with 40201. Raises SignInOverError, AccountDisabledError, and as
    `keys.ask`."""
    user = _waiting(call, token, "").user
    return keys.ask(call.services, user.id, Asker("sign-in", token, "prove"))


def give_key(call: Call, body: KeyLogin) -> LoginAnswer:
    """As `give_code`, with a security key. Raises SignInOverError, AccountDisabledError, KeyCopiedError, and as
    `keys.verify`."""
    services = call.services
    waiting = _waiting(call, body.token, body.device)
    user, now = waiting.user, services.clock.now()
    with services.database.write() as connection:
        pending.spend_attempt(connection, body.token)
    use = keys.verify(services, user.id, Asker("sign-in", body.token, "prove"), body.key)
    with services.database.write() as connection:
        keys.take(connection, use, now)
        pending.end(connection, body.token)
        device = remember_device(connection, user.id, body.device, now)
    call.audit.after = {"userName": user.user_name, "secondFactor": "security-key", "key": use.name}
    answer = open_session(call, user, body, demands_password=waiting.demands_password)
    answer.device = device
    return answer


def begin_set_up(call: Call, token: str) -> SetUp:
    """A secret, where `login` answered with 40202. Raises SignInOverError, AccountDisabledError,
    SecondFactorOnError."""
    user = _waiting(call, token, "").user
    with call.services.database.read() as connection:
        return set_up.offer(call, connection, user)


def finish_set_up(call: Call, body: SetUpCode) -> SetUpAnswer:
    """Keep the second factor, end other sessions, and sign in. Raises as `begin_set_up`, SetUpOverError,
    SecondFactorWrongError."""
    waiting = _waiting(call, body.token, body.device)
    user = waiting.user
    with call.services.database.write_alone() as connection:
        pending.end(connection, body.token)
        codes = set_up.activate(call.services, connection, user.id, body.handle, body.code)
        device = _set_up(call, connection, user, body.device)
    return _signed_in(call, waiting, body, codes, device)


def begin_key_set_up(call: Call, token: str) -> KeyCeremony:
    """As `begin_set_up`, of a security key. Raises as it, and as `registering.offer`."""
    user = _waiting(call, token, "").user
    with call.services.database.read() as connection:
        _check_off(connection, user)
    return registering.offer(call.services, user, Asker("sign-in", token, "register"))


def finish_key_set_up(call: Call, body: SetUpKey) -> SetUpAnswer:
    """As `finish_set_up`, with a security key. Raises as `begin_key_set_up`, `registering.verified` and
    `registering.keep`."""
    waiting = _waiting(call, body.token, body.device)
    user, now = waiting.user, call.services.clock.now()
    key = registering.verified(call.services, Asker("sign-in", body.token, "register"), body.key)
    with call.services.database.write_alone() as connection:
        pending.end(connection, body.token)
        _check_off(connection, user)
        codes = registering.keep(connection, user.id, key, now)
        device = _set_up(call, connection, user, body.device)
    return _signed_in(call, waiting, body, codes, device)


def _check_off(connection: Connection, user: Row[Any]) -> None:
    # The password alone must not add a factor to those that there are.
    if checking.is_on(connection, user.id):
        raise SecondFactorOnError


def _set_up(call: Call, connection: Connection, user: Row[Any], device: str) -> str:
    """Ends the sessions that were opened without the second factor; the device is known from now."""
    now = call.services.clock.now()
    revoke_sessions_of(connection, user.id, now)
    return remember_device(connection, user.id, device, now)


def _signed_in(call: Call, waiting: _Waiting, came_from: CameFrom, codes: list[str], device: str) -> SetUpAnswer:
    call.audit.after = {"userName": waiting.user.user_name, "secondFactor": "set-up"}
    answer = open_session(call, waiting.user, came_from, demands_password=waiting.demands_password)
    return SetUpAnswer(**{**answer.model_dump(by_alias=True), "device": device, "recoveryCodes": codes})


def _waiting(call: Call, token: str, device: str) -> _Waiting:
    call.audit.after = None
    with call.services.database.read() as connection:
        begun = pending.find(connection, token, call.services.clock.now())
        user = accounts.get_user(connection, begun.user_id)
        may_sign_in = accounts.may_sign_in(connection, user)
        origin = origin_of(connection, user.id, device, call.where.address)
    note_user(call, user)
    if not may_sign_in:
        raise AccountDisabledError
    return _Waiting(user, origin, begun.demands_password)
