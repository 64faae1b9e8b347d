"""A person changes the own password."""

from zcbus.control.features.account import passwords, repository, service
from zcbus.control.features.account.errors import (
    PasswordsDifferError,
    PasswordUnchangedError,
    UserUnknownError,
)
from zcbus.control.features.account.first_start import forget_initial_password
from zcbus.control.features.account.own_password import check_own_password
from zcbus.control.features.account.schemas import ChangePasswordRequest
from zcbus.control.platform.call import TOKEN_HEADER, Call
from zcbus.control.platform.errors import ForbiddenError, NotAuthenticatedError
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.sessions import find_principal


def change_password(call: Call, body: ChangePasswordRequest) -> None:
    """Check the rules, store the new password, end every session of the user."""
    principal, password_hash, is_built_in = _who(call, body)
    _check(call, body, principal, password_hash)
    hashed = passwords.hash_password(body.new_password)
    services = call.services
    with services.database.write() as connection:
        service.replace_password(connection, principal.user_id, hashed, services.clock.now(), must_change=False)
    if is_built_in:
        forget_initial_password(services.settings.data_dir)


def _who(call: Call, body: ChangePasswordRequest) -> tuple[Principal, str, bool]:
    token = body.token or call.request.headers.get(TOKEN_HEADER)
    if not token:
        raise NotAuthenticatedError
    with call.services.database.read() as connection:
        principal = find_principal(call.services, connection, token)
        if principal.kind not in ("session", "reset"):
            raise ForbiddenError(menuKey="", operation="change-password")
        user = repository.find_user(connection, principal.user_id)
    if user is None:
        raise UserUnknownError(name=principal.user_name)
    call.principal = principal
    return principal, user.password_hash, user.user_type == service.USER_TYPE_BUILT_IN


def _check(call: Call, body: ChangePasswordRequest, principal: Principal, password_hash: str) -> None:
    if body.new_password != body.confirm_password:
        raise PasswordsDifferError
    passwords.check_rules(body.new_password, call.services.settings.password_longest)
    if principal.kind == "session" or body.current_password:
        check_own_password(call.services, principal, password_hash, body.current_password)
    if passwords.is_correct(body.new_password, password_hash):
        raise PasswordUnchangedError
