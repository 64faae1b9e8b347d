"""Tokens of agents: each belongs to one host's account, expires, and is replaced while it is used.

A token that is older than ROTATED_AFTER is answered with a new one. The old one stays valid until the new one is used:
a lost answer does no harm.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, delete, select, update

from zcbus.control.platform.errors import HostRemovedError, NotAuthenticatedError, SessionExpiredError
from zcbus.control.platform.principal import DEFAULT_TENANT, Principal
from zcbus.control.platform.token_hash import token_hash
from zcbus.control.store.tables.container import host_account, host_token
from zcbus.kit.ids import new_id

LIFETIME = timedelta(days=90)
ROTATED_AFTER = timedelta(days=1)
_PREFIX = "host."


@dataclass(frozen=True, slots=True)
class Host:
    """The identity that an agent claims."""

    agent_id: str
    name: str
    machine_code: str


def is_host_token(token: str) -> bool:
    """Whether the token is one of an agent."""
    return token.startswith(_PREFIX)


def create_account(connection: Connection, container_id: str, host: Host | None, now: datetime) -> str:
    """Make a host's account; returns its id. Without `host` it belongs to the first agent that registers with it."""
    account_id = new_id()
    connection.execute(
        host_account.insert().values(id=account_id, container_id=container_id, created_at=now, **_columns(host))
    )
    return account_id


def issue_token(connection: Connection, account_id: str, now: datetime) -> str:
    """Make a token for an account; its text is known only here."""
    token = _PREFIX + secrets.token_urlsafe(32)
    connection.execute(
        host_token.insert().values(
            id=new_id(),
            account_id=account_id,
            token_hash=token_hash(token),
            created_at=now,
            expires_at=now + LIFETIME,
        )
    )
    return token


def find_host(connection: Connection, token: str, now: datetime) -> Principal:
    """The agent that holds the token. Raises NotAuthenticatedError, SessionExpiredError, HostRemovedError."""
    row = connection.execute(_TOKEN_HOST.where(host_token.c.token_hash == token_hash(token))).one_or_none()
    if row is None:
        raise NotAuthenticatedError
    if row.removed_at is not None:
        raise HostRemovedError(host=row.host or "")
    if row.expires_at <= now:
        raise SessionExpiredError
    name = f"agent {row.host}" if row.host else "agent"
    return Principal(
        "agent",
        row.account_id,
        name,
        DEFAULT_TENANT,
        (),
        frozenset(),
        spans_tenants=False,
        session_id=row.token_id,
        certified=row.certified,
    )


def find_account(connection: Connection, account_id: str) -> Row[Any]:
    """The account of an authenticated agent."""
    return connection.execute(select(host_account).where(host_account.c.id == account_id)).one()


def account_of_agent(connection: Connection, agent_id: str) -> Row[Any] | None:
    """The account that an agent's id belongs to; None: the id is free."""
    belongs = (host_account.c.agent_id == agent_id) & host_account.c.removed_at.is_(None)
    return connection.execute(select(host_account).where(belongs)).one_or_none()


def bind(connection: Connection, account_id: str, host: Host) -> None:
    """From now on the account is this host's alone."""
    connection.execute(update(host_account).where(host_account.c.id == account_id).values(**_columns(host)))


def renewed_token(connection: Connection, principal: Principal, now: datetime) -> str | None:
    """Forget the tokens that the presented one replaced; a new one where the presented one is due."""
    tokens = connection.execute(select(host_token).where(host_token.c.account_id == principal.user_id)).all()
    presented = next((row for row in tokens if row.id == principal.session_id), None)
    if presented is None:
        return None
    _forget(connection, [row for row in tokens if row.created_at < presented.created_at])
    if now - presented.created_at < ROTATED_AFTER:
        return None
    _forget(connection, [row for row in tokens if row.created_at > presented.created_at])
    return issue_token(connection, principal.user_id, now)


def require_certificate(connection: Connection, account_id: str) -> None:
    """From now on the account's tokens count only together with the certificate in its name."""
    connection.execute(update(host_account).where(host_account.c.id == account_id).values(certified=True))


def revoke_host(connection: Connection, agent_id: str, now: datetime) -> None:
    """Refuse every token of an agent from now on, and free its id."""
    belongs = (host_account.c.agent_id == agent_id) & host_account.c.removed_at.is_(None)
    connection.execute(update(host_account).where(belongs).values(removed_at=now))


def remove_expired(connection: Connection, now: datetime) -> None:
    """Forget tokens that can no longer be used, and accounts that were removed and have none."""
    connection.execute(delete(host_token).where(host_token.c.expires_at <= now))
    used = select(host_token.c.account_id)
    unused = host_account.c.removed_at.is_not(None) & host_account.c.id.not_in(used)
    connection.execute(delete(host_account).where(unused))


def _forget(connection: Connection, rows: Sequence[Row[Any]]) -> None:
    if rows:
        connection.execute(delete(host_token).where(host_token.c.id.in_([row.id for row in rows])))


def _columns(host: Host | None) -> dict[str, str]:
    if host is None:
        return {}
    return {"agent_id": host.agent_id, "host": host.name[:255], "machine_code": host.machine_code[:64]}


_TOKEN_HOST = select(
    host_token.c.id.label("token_id"),
    host_token.c.expires_at,
    host_account.c.id.label("account_id"),
    host_account.c.host,
    host_account.c.certified,
    host_account.c.removed_at,
).join(host_account, host_account.c.id == host_token.c.account_id)
