"""Signing in: limits, captcha, password, second factor, session; each in its own short transaction, hashing outside of
all."""

import contextlib
import hmac
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.account import service as accounts
from zcbus.control.features.account.proving import prove
from zcbus.control.features.captcha.pictures import check_captcha
from zcbus.control.features.captcha.slide import check_ticket
from zcbus.control.features.parameter import service as parameters
from zcbus.control.features.second_factor import checking as second_factor
from zcbus.control.features.second_factor.requirement import is_required
from zcbus.control.features.second_factor.schemas import Step
from zcbus.control.features.session import pending
from zcbus.control.features.session.errors import (
    AccountDisabledError,
    CredentialsWrongError,
    LoginFreeAbsentError,
    LoginFreeAccountError,
    NoAccountError,
)
from zcbus.control.features.session.schemas import (
    CameFrom,
    LoginAnswer,
    LoginRequest,
    LogoutRequest,
    SessionInformation,
)
from zcbus.control.platform.attempts import Origin, attempt_allowed, forget_attempts
from zcbus.control.platform.call import TOKEN_HEADER, Call
from zcbus.control.platform.errors import NotAuthenticatedError
from zcbus.control.platform.hosts import page_address
from zcbus.control.platform.known_devices import origin_of, remember_device
from zcbus.control.platform.secrets import Lasting
from zcbus.control.platform.services import Services
from zcbus.control.platform.sessions import (
    RESET_LIFETIME,
    SESSION_LIFETIME,
    create_token,
    find_principal,
    revoke_presented_token,
)

MUST_CHANGE_PASSWORD = 40200
SECOND_FACTOR_NEEDED = 40201
SET_UP_NEEDED = 40202


def login(call: Call, body: LoginRequest) -> LoginAnswer:
    """Sign in. Raises TooManyRequestsError, CaptchaExpiredError, CaptchaWrongError, CredentialsWrongError,
    AccountDisabledError; NoAccountError and DirectoryUnavailableError where there is a directory."""
    note_name(call, _digest(call.services, body.user_name))
    if call.services.settings.login_captcha:
        check_captcha(call.services, body.uuid, body.code)
        check_ticket(call.services, body.ticket)
    with call.services.database.read() as connection:
        user = accounts.find_credentials(connection, body.user_name)
        may_sign_in = user is not None and accounts.may_sign_in(connection, user)
        origin = origin_of(connection, user.id if user else None, body.device, call.where.address)
    attempt_allowed(call.services, body.user_name, origin)
    if user is not None:
        note_user(call, user)
    proof = prove(call.services, user, body.user_name, body.password)
    if proof is None:
        raise CredentialsWrongError
    if user is None:
        note_name(call, body.user_name[:50])
        raise NoAccountError(name=body.user_name[:50])
    if not may_sign_in:
        raise AccountDisabledError
    call.audit.after = {"userName": user.user_name, "proof": proof}
    return _proved(call, body, user, origin, demands_password=user.must_change_password and proof == "password")


def _proved(call: Call, body: LoginRequest, user: Row[Any], origin: Origin, *, demands_password: bool) -> LoginAnswer:
    """The second step where there is one, else a session."""
    now = call.services.clock.now()
    with call.services.database.write() as connection:
        forget_attempts(connection, user.user_name, origin)
        if second_factor.is_on(connection, user.id):
            call.answers(SECOND_FACTOR_NEEDED, "second-factor-required")
            steps = second_factor.steps_of(call.services, connection, user.id)
            return _second_step(call, connection, user, demands_password, steps)
        # A password that another user set must be changed first.
        if not demands_password and is_required(connection, user):
            call.answers(SET_UP_NEEDED, "second-factor-set-up")
            return _second_step(call, connection, user, demands_password, second_factor.possible_steps(call.services))
        device = remember_device(connection, user.id, body.device, now)
    answer = open_session(call, user, body, demands_password=demands_password)
    answer.device = device
    return answer


def _second_step(
    call: Call, connection: Connection, user: Row[Any], demands_password: bool, steps: list[Step]
) -> LoginAnswer:
    call.audit.after = {**(call.audit.after or {}), "secondFactor": "asked"}
    token = pending.begin(connection, user.id, call.services.clock.now(), demands_password)
    return LoginAnswer(token=token, second_steps=steps)


def note_name(call: Call, name: str) -> None:
    """Whose sign-in it is, for the operation log."""
    call.audit.user_name, call.audit.after = name, {"userName": name}


def note_user(call: Call, user: Row[Any]) -> None:
    """Like `note_name`, of an account: its tenant's log then has the sign-in, even one that fails."""
    note_name(call, user.user_name)
    call.audit.user_id, call.audit.tenant_id = user.id, user.tenant_id


def _digest(services: Services, name: str) -> str:
    """A name that no account has, for the operation log: equal ones stay recognisable. People type passwords there."""
    key = services.secrets.derive_lasting(Lasting.UNKNOWN_NAMES)
    return f"unknown:{hmac.digest(key, name.encode(), 'sha256').hex()[:16]}"


def login_free(call: Call, body: CameFrom) -> LoginAnswer:
    """Open a session without signing in, for the account that the operator named. Built-in accounts are refused.

    Raises LoginFreeAbsentError, LoginFreeAccountError.
    """
    name = call.services.settings.login_free
    if name is None:
        raise LoginFreeAbsentError
    call.audit.user_name = name[:50]
    with call.services.database.read() as connection:
        user = accounts.find_credentials(connection, name)
        may_sign_in = user is not None and accounts.may_sign_in(connection, user)
    if user is None or not may_sign_in or user.user_type == accounts.USER_TYPE_BUILT_IN:
        raise LoginFreeAccountError(name=name)
    note_user(call, user)
    answer = open_session(call, user, body, demands_password=False)
    answer.login_free = True
    return answer


def logout(call: Call, body: LogoutRequest) -> None:
    """End a session. A token that is unknown or over already is no error."""
    token = body.token or call.request.headers.get(TOKEN_HEADER)
    if not token:
        return
    with contextlib.suppress(NotAuthenticatedError):
        call.principal = find_principal(call.services, call.connection, token)
    revoke_presented_token(call.connection, token, call.services.clock.now())


def describe(call: Call) -> SessionInformation:
    """The signed-in user."""
    return SessionInformation(
        user=accounts.describe(call.connection, call.principal),
        customer_list=accounts.tenants_of(call.connection, call.principal),
        deployment=call.services.settings.deployment,
    )


def open_session(call: Call, user: Row[Any], came_from: CameFrom, *, demands_password: bool) -> LoginAnswer:
    """Open a session for a user whose identity is proved; none where the tenant's console is elsewhere."""
    services = call.services
    with services.database.write() as connection:
        elsewhere = parameters.front_address(connection, user.tenant_id)
        if elsewhere and not elsewhere.startswith(page_address(call.request, call.services.settings)):
            call.audit.user_id, call.audit.tenant_id = user.id, user.tenant_id
            return LoginAnswer(front_address=elsewhere)
        created = create_token(
            connection,
            user_id=user.id,
            kind="reset" if demands_password else "session",
            now=services.clock.now(),
            lifetime=RESET_LIFETIME if demands_password else SESSION_LIFETIME,
            address=call.where.address,
            agent=call.request.headers.get("user-agent", "")[:300] or None,
        )
        answer = _answer(call, connection, created.token)
        answer.source_url = parameters.source_address(connection, came_from.source_url)
    if demands_password:
        call.answers(MUST_CHANGE_PASSWORD, "password-change-required")
    return answer


def _answer(call: Call, connection: Connection, token: str) -> LoginAnswer:
    principal = find_principal(call.services, connection, token)
    call.audit.user_id, call.audit.tenant_id = principal.user_id, principal.tenant_id
    return LoginAnswer(
        token=token,
        customer_list=accounts.tenants_of(connection, principal),
        user=accounts.describe(connection, principal),
    )
