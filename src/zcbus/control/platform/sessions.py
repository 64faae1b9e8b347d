"""Session and API tokens: created once, stored as hashes, checked at every call."""

import hmac
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Row, bindparam, delete, literal, null, select, update

from zcbus.control.platform.errors import (
    NotAuthenticatedError,
    SessionExpiredError,
    SessionRevokedError,
    TokenExpiredError,
    TokenRevokedError,
)
from zcbus.control.platform.host_tokens import find_host, is_host_token
from zcbus.control.platform.principal import LOCAL_USER, Principal, local_principal
from zcbus.control.platform.services import Services
from zcbus.control.platform.token_hash import token_hash
from zcbus.control.store.change_events import notify
from zcbus.control.store.tables import identity
from zcbus.kit.ids import new_id

TokenKind = Literal["session", "api", "reset"]

SESSION_LIFETIME = timedelta(days=1)
RESET_LIFETIME = timedelta(minutes=15)

_NOTED_EVERY = timedelta(minutes=1)
_NORMAL = "0"


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token just made: the only time its text is known."""

    id: str
    token: str
    expires_at: datetime | None


def create_token(
    connection: Connection,
    *,
    user_id: str,
    kind: TokenKind,
    now: datetime,
    lifetime: timedelta | None,
    name: str | None = None,
    address: str | None = None,
    agent: str | None = None,
    service_account_id: str | None = None,
) -> NewToken:
    """Store a new token for a user."""
    # Hexadecimal, since a token that begins with a dash would look like an option on a command line.
    created = NewToken(new_id(), secrets.token_hex(32), now + lifetime if lifetime else None)
    connection.execute(
        identity.session.insert().values(
            id=created.id,
            token_hash=token_hash(created.token),
            user_id=user_id,
            kind=kind,
            name=name,
            address=address,
            agent=agent,
            created_at=now,
            used_at=now,
            expires_at=created.expires_at,
            service_account_id=service_account_id,
        )
    )
    return created


def revoke_token(connection: Connection, session_id: str, now: datetime) -> None:
    """End one session or API token."""
    _revoke(connection, identity.session.c.id == session_id, now)


def revoke_presented_token(connection: Connection, token: str, now: datetime) -> None:
    """End the session of this token; API tokens are not ended by signing out."""
    table = identity.session
    _revoke(connection, (table.c.token_hash == token_hash(token)) & table.c.kind.in_(("session", "reset")), now)


def revoke_sessions_of(connection: Connection, user_id: str, now: datetime, kept: str | None = None) -> None:
    """End every session of a user, on every device, but the one named, and every sign-in that waits for a second
    factor; API tokens stay."""
    table = identity.session
    own = (table.c.user_id == user_id) & table.c.kind.in_(("session", "reset"))
    _revoke(connection, own & (table.c.id != kept) if kept else own, now)
    pending = identity.pending_sign_in
    connection.execute(delete(pending).where(pending.c.user_id == user_id))


def find_principal(services: Services, connection: Connection, token: str) -> Principal:
    """The holder of a token. Raises NotAuthenticatedError (unknown), SessionExpiredError, SessionRevokedError
    (of API tokens TokenExpiredError, TokenRevokedError), HostRemovedError."""
    if is_host_token(token):
        return find_host(connection, token, services.clock.now())
    hashed = token_hash(token)
    if hmac.compare_digest(hashed, services.local_token_hash):
        return local_principal()
    rows = connection.execute(_PRINCIPAL, {"token_hash": hashed}).all()
    if not rows:
        raise NotAuthenticatedError
    _check_valid(rows[0], services.clock.now(), services.settings.session_idle)
    return _principal(rows)


def find_session(services: Services, connection: Connection, session_id: str) -> Principal:
    """The holder of a session or API token by its id, with the present permissions. Raises as `find_principal`."""
    rows = connection.execute(_BY_ID, {"session_id": session_id}).all()
    if not rows:
        raise NotAuthenticatedError
    _check_valid(rows[0], services.clock.now(), services.settings.session_idle)
    return _principal(rows)


def find_account(connection: Connection, user_id: str) -> Principal | None:
    """The user in whose name scheduled work runs, with the present permissions. None: the account is gone or disabled,
    its tenant is disabled, or it is a remote client, which may change nothing."""
    if user_id == LOCAL_USER:
        return local_principal()
    rows = connection.execute(_ACCOUNT, {"user_id": user_id}).all()
    first = rows[0] if rows else None
    if first is None or first.status != _NORMAL or first.tenant_status != _NORMAL or first.client_remote:
        return None
    return _principal(rows)


def note_use(connection: Connection, session_id: str, now: datetime, address: str | None = None) -> None:
    """The holder of a session or API token is there. `address`: from where a token was used."""
    values = {"used_at": now} if address is None else {"used_at": now, "address": address}
    connection.execute(update(identity.session).where(identity.session.c.id == session_id).values(values))


def is_due(principal: Principal, now: datetime) -> bool:
    """Whether the session's last use is old enough to be written again."""
    return principal.used_at is not None and (principal.is_unused or now - principal.used_at >= _NOTED_EVERY)


def _check_valid(row: Row[Any], now: datetime, idle: timedelta | None) -> None:
    is_token, name = row.kind == "api", row.account_name or row.name or ""
    if row.revoked_at is not None or row.status != _NORMAL or row.tenant_status != _NORMAL:
        raise TokenRevokedError(name=name) if is_token else SessionRevokedError
    if row.expires_at is not None and row.expires_at <= now:
        at = row.expires_at.isoformat(sep=" ", timespec="minutes")
        raise TokenExpiredError(name=name, at=at) if is_token else SessionExpiredError
    if row.kind == "session" and idle is not None and row.used_at + idle <= now:
        raise SessionExpiredError


def _principal(rows: list[Row[Any]] | Any) -> Principal:
    first = rows[0]
    return Principal(
        kind=first.kind,
        user_id=first.user_id,
        user_name=first.user_name,
        tenant_id=first.tenant_id,
        roles=tuple(sorted({row.role_code for row in rows if row.role_code})),
        permissions=frozenset((row.menu_key, row.operation) for row in rows if row.menu_key),
        spans_tenants=any(row.spans_tenants for row in rows)
        and not first.client_remote
        and first.account_spans is not False,
        session_id=first.session_id,
        used_at=first.used_at,
        is_unused=first.kind == "api" and first.address is None,
        service_account=first.account_name,
        scope=None if first.scope is None else frozenset((key, operation) for key, operation in first.scope),
        client_remote=first.client_remote,
    )


def session_subject(session_id: str) -> str:
    """The change event of a session or API token that is ended."""
    return f"session/{session_id}"


def _revoke(connection: Connection, which: Any, now: datetime) -> None:
    table = identity.session
    ended = update(table).where(which, table.c.revoked_at.is_(None)).values(revoked_at=now).returning(table.c.id)
    for session_id in connection.execute(ended).scalars().all():
        notify(connection, session_subject(session_id))


def _principal_statement(of: ColumnElement[bool]) -> Any:
    session, user, account = identity.session, identity.user, identity.service_account
    return (
        _with_roles(
            select(
                session.c.id.label("session_id"),
                session.c.kind,
                session.c.name,
                session.c.address,
                session.c.expires_at,
                session.c.revoked_at,
                session.c.used_at,
                account.c.name.label("account_name"),
                account.c.scope,
                account.c.spans_tenants.label("account_spans"),
                *_OF_USER,
            )
            .join(user, user.c.id == session.c.user_id)
            .outerjoin(account, account.c.id == session.c.service_account_id)
        )
    ).where(of)


def _account_statement() -> Any:
    user = identity.user
    names = ("session_id", "used_at", "address", "account_name", "account_spans", "scope")
    nothing = (null().label(name) for name in names)
    account = select(literal("scheduled").label("kind"), *nothing, *_OF_USER).select_from(user)
    return _with_roles(account).where(user.c.id == bindparam("user_id"))


_OF_USER = (
    identity.user.c.id.label("user_id"),
    identity.user.c.user_name,
    identity.user.c.tenant_id,
    identity.user.c.status,
    identity.user.c.client_remote,
    identity.tenant.c.status.label("tenant_status"),
    identity.role.c.code.label("role_code"),
    identity.role.c.spans_tenants,
    identity.role_permission.c.menu_key,
    identity.role_permission.c.operation,
)


def _with_roles(statement: Any) -> Any:
    user, tenant = identity.user, identity.tenant
    role, user_role, permission = identity.role, identity.user_role, identity.role_permission
    return (
        statement.join(tenant, tenant.c.id == user.c.tenant_id)
        .outerjoin(user_role, user_role.c.user_id == user.c.id)
        .outerjoin(role, role.c.id == user_role.c.role_id)
        .outerjoin(permission, permission.c.role_id == role.c.id)
    )


_PRINCIPAL = _principal_statement(identity.session.c.token_hash == bindparam("token_hash"))
_BY_ID = _principal_statement(identity.session.c.id == bindparam("session_id"))
_ACCOUNT = _account_statement()
