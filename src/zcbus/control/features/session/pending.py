"""Sign-ins with a pending second factor or set-up: a token good for that alone, for five minutes and five attempts.

Not a kind of session: only the call that takes the code accepts these tokens.
"""

import secrets
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, delete, select, update

from zcbus.control.features.session.errors import SignInOverError
from zcbus.control.platform.token_hash import token_hash
from zcbus.control.store.tables.identity import pending_sign_in

LIFETIME = timedelta(minutes=5)
ATTEMPTS = 5


def begin(connection: Connection, user_id: str, now: datetime, demands_password: bool) -> str:
    """The token of a sign-in whose password was right; `demands_password`: and must be changed at its end."""
    token = secrets.token_urlsafe(32)
    values = {
        "user_id": user_id,
        "demands_password": demands_password,
        "attempts_left": ATTEMPTS,
        "expires_at": now + LIFETIME,
    }
    connection.execute(pending_sign_in.insert().values(token_hash=token_hash(token), **values))
    return token


def find(connection: Connection, token: str, now: datetime) -> Row[Any]:
    """The sign-in: user_id, demands_password. Raises SignInOverError for a token that is unknown, used, or too old."""
    open_one = (pending_sign_in.c.token_hash == token_hash(token)) & (pending_sign_in.c.expires_at > now)
    row = connection.execute(select(pending_sign_in).where(open_one)).one_or_none()
    if row is None:
        raise SignInOverError
    return row


def spend_attempt(connection: Connection, token: str) -> None:
    """Count an attempt. Raises SignInOverError when none is left, also after calls at the same moment."""
    left = (pending_sign_in.c.token_hash == token_hash(token)) & (pending_sign_in.c.attempts_left > 0)
    fewer = update(pending_sign_in).where(left).values(attempts_left=pending_sign_in.c.attempts_left - 1)
    if connection.execute(fewer).rowcount == 0:
        raise SignInOverError


def end(connection: Connection, token: str) -> None:
    """The token has done its work. Raises SignInOverError when a call at the same moment was first."""
    used = delete(pending_sign_in).where(pending_sign_in.c.token_hash == token_hash(token))
    if connection.execute(used).rowcount == 0:
        raise SignInOverError


def remove_old(connection: Connection, now: datetime) -> None:
    """Delete sign-ins that were not completed in time."""
    connection.execute(delete(pending_sign_in).where(pending_sign_in.c.expires_at <= now))
