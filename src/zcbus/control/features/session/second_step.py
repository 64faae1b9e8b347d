"""The second step of a sign-in whose password was right: a code, or the set-up of a second factor."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.account import service as accounts
from zcbus.control.features.second_factor import checking, set_up
from zcbus.control.features.second_factor.errors import SecondFactorWrongError
from zcbus.control.features.second_factor.schemas import SetUp
from zcbus.control.features.session import pending
from zcbus.control.features.session.errors import AccountDisabledError
from zcbus.control.features.session.schemas import LoginAnswer, SecondFactorRequest, SetUpAnswer, SetUpCode
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
        revoke_sessions_of(connection, user.id, call.services.clock.now())
        device = remember_device(connection, user.id, body.device, call.services.clock.now())
    call.audit.after = {"userName": user.user_name, "secondFactor": "set-up"}
    answer = open_session(call, user, body, demands_password=waiting.demands_password)
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
