"""API tokens for automated clients. A token acts as its user; its text is shown only when it is created."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.account import repository
from zcbus.control.features.account.errors import TokenUnknownError, UserUnknownError
from zcbus.control.platform.sessions import NewToken, create_token, revoke_token

ADMINISTRATOR = "admin"


@dataclass(frozen=True, slots=True)
class TokenRecord:
    """A token without its text."""

    id: str
    name: str
    user_name: str
    created_at: datetime
    expires_at: datetime | None


def create_api_token(
    connection: Connection,
    now: datetime,
    *,
    name: str,
    user_name: str = ADMINISTRATOR,
    lifetime: timedelta | None = None,
) -> NewToken:
    """Make a token; without `lifetime` it does not expire. Raises UserUnknownError."""
    user = repository.find_user_by_name(connection, user_name)
    if user is None:
        raise UserUnknownError(name=user_name)
    return create_token(connection, user_id=user.id, kind="api", now=now, lifetime=lifetime, name=name)


def list_api_tokens(connection: Connection) -> list[TokenRecord]:
    """Tokens that were not revoked, the oldest first."""
    return [_record(row) for row in repository.select_api_tokens(connection)]


def revoke_api_token(connection: Connection, now: datetime, token_id: str) -> None:
    """End a token at once. Raises TokenUnknownError when there is none or it was ended before."""
    if token_id not in {row.id for row in repository.select_api_tokens(connection)}:
        raise TokenUnknownError(id=token_id)
    revoke_token(connection, token_id, now)


def _record(row: Row[Any]) -> TokenRecord:
    return TokenRecord(row.id, row.name or "", row.user_name, row.created_at, row.expires_at)
