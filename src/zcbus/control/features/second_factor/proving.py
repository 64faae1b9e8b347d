"""Proof that it is the user: the own password, and a second factor. What weakens or adds second factors asks for it:
a stolen session must not do that."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.account import service as accounts
from zcbus.control.features.account.own_password import check_sign_in_password, origin_of_session
from zcbus.control.features.second_factor.checking import Kind, code_allowed, is_on, take_code
from zcbus.control.features.second_factor.errors import SecondFactorOffError, SecondFactorWrongError
from zcbus.control.features.second_factor.keys import checking as keys
from zcbus.control.features.second_factor.keys.challenges import asker_of
from zcbus.control.features.second_factor.keys.checking import KeyUse
from zcbus.control.features.second_factor.schemas import KeyAnswer, Proof
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import ForbiddenError


@contextmanager
def proved(call: Call, body: Proof) -> Iterator[Connection]:
    """A transaction that writes alone, for a caller who gave the own password and a second factor. Raises
    CurrentPasswordWrongError, TooManyRequestsError, SecondFactorOffError, SecondFactorWrongError, and as
    `proved_by_key`."""
    call.audit.after = None
    with call.services.database.read() as connection:
        user = own_account(call, connection)
        if not is_on(connection, user.id):
            raise SecondFactorOffError(name=user.user_name)
    check_sign_in_password(call.services, call.principal, user, body.current_password)
    use = use_of_key(call, body.key)
    if use is None:
        code_allowed(call.services, user.id, origin_of_session(call.principal))
    with call.services.database.write_alone() as connection:
        call.audit.after = {"provedBy": _take(call, connection, body.code, use)}
        yield connection


def use_of_key(call: Call, answer: KeyAnswer | None) -> KeyUse | None:
    """The use of one of the caller's keys that an answer proves. Never inside of a transaction. Raises
    KeysUnavailableError, KeyCeremonyOverError, KeyRefusedError."""
    if answer is None:
        return None
    return keys.verify(call.services, call.principal.user_id, asker_of(call, "prove"), answer)


def own_account(call: Call, connection: Connection) -> Row[Any]:
    """The caller's account. Programs have no second factor: the caller must be a signed-in user. Raises
    ForbiddenError."""
    if call.principal.kind != "session":
        raise ForbiddenError(menuKey="", operation="second-factor")
    return accounts.get_user(connection, call.principal.user_id)


def _take(call: Call, connection: Connection, code: str, use: KeyUse | None) -> Kind:
    if use is not None:
        keys.take(connection, use, call.services.clock.now())
        return "security-key"
    kind = take_code(call.services, connection, call.principal.user_id, origin_of_session(call.principal), code)
    if kind is None:
        raise SecondFactorWrongError
    return kind
