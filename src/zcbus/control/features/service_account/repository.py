"""Queries over service accounts and their tokens."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, func, or_, select, update

from zcbus.control.platform.principal import Principal
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.identity import service_account, session, tenant, user
from zcbus.kit.ids import new_id

EXPIRING = timedelta(days=30)

_newest = session.alias("newest")
_LIVE = service_account.c.revoked_at.is_(None)


def accounts(principal: Principal) -> Select[Any]:
    """Accounts of the tenants that the caller may see, each with its newest token and the last use of any of them."""
    return _with_tokens().where(principal.visible(user.c.tenant_id))


def matching(state: str | None, search: str, now: datetime) -> list[ColumnElement[bool]]:
    """Conditions on `accounts`."""
    ended = or_(_newest.c.id.is_(None), _newest.c.expires_at <= now)
    soon = and_(_newest.c.expires_at > now, _newest.c.expires_at <= now + EXPIRING)
    valid = and_(_newest.c.id.is_not(None), or_(_newest.c.expires_at.is_(None), _newest.c.expires_at > now + EXPIRING))
    of_state = {
        None: _LIVE,
        "revoked": ~_LIVE,
        "expired": and_(_LIVE, ended),
        "expiring": and_(_LIVE, soon),
        "valid": and_(_LIVE, valid),
    }
    searched = (service_account.c.name, service_account.c.description, user.c.user_name)
    return [of_state[state], *([any_contains(searched, search)] if search else [])]


def find(connection: Connection, principal: Principal, account_id: str) -> Row[Any] | None:
    """An account that is not revoked."""
    return connection.execute(accounts(principal).where(service_account.c.id == account_id, _LIVE)).one_or_none()


def live_names(connection: Connection, tenant_id: str) -> Sequence[str]:
    statement = select(service_account.c.name).join(user, user.c.id == service_account.c.user_id)
    return connection.execute(statement.where(user.c.tenant_id == tenant_id, _LIVE)).scalars().all()


def ending(connection: Connection, after: datetime, until: datetime) -> Sequence[Row[Any]]:
    is_near = and_(_newest.c.expires_at > after, _newest.c.expires_at <= until, _newest.c.revoked_at.is_(None))
    return connection.execute(_with_tokens().where(_LIVE, is_near, user.c.status == "0")).all()


def insert(connection: Connection, **values: Any) -> str:
    account_id = new_id()
    connection.execute(service_account.insert().values(id=account_id, **values))
    return account_id


def change(connection: Connection, account_id: str, **values: Any) -> None:
    connection.execute(update(service_account).where(service_account.c.id == account_id).values(values))


def live_tokens(connection: Connection, account_id: str, now: datetime) -> Sequence[Row[Any]]:
    """Tokens that are still good, the newest first."""
    statement = select(session).where(session.c.service_account_id == account_id, *_good(session, now))
    return connection.execute(statement.order_by(session.c.created_at.desc(), session.c.id.desc())).all()


def end_token_by(connection: Connection, token_id: str, at: datetime) -> None:
    """Have a token end then, unless it does before."""
    is_later = or_(session.c.expires_at.is_(None), session.c.expires_at > at)
    connection.execute(update(session).where(session.c.id == token_id, is_later).values(expires_at=at))


def revoke_tokens(connection: Connection, account_id: str, now: datetime) -> None:
    of_account = session.c.service_account_id == account_id
    connection.execute(update(session).where(of_account, session.c.revoked_at.is_(None)).values(revoked_at=now))


def select_tokens(connection: Connection) -> Sequence[Row[Any]]:
    """API tokens that were not revoked, with their accounts and owners."""
    statement = (
        select(session, service_account.c.name.label("account_name"), service_account.c.scope, user.c.user_name)
        .join(user, user.c.id == session.c.user_id)
        .join(service_account, service_account.c.id == session.c.service_account_id)
        .where(session.c.kind == "api", session.c.revoked_at.is_(None))
        .order_by(session.c.id)
    )
    return connection.execute(statement).all()


def _good(token: Any, now: datetime) -> tuple[ColumnElement[bool], ...]:
    return token.c.revoked_at.is_(None), or_(token.c.expires_at.is_(None), token.c.expires_at > now)


def _with_tokens() -> Select[Any]:
    newest_id = _token_of_account(session.c.id, session.c.created_at.desc(), session.c.id.desc())
    is_used = session.c.address.is_not(None)
    return (
        select(
            service_account,
            user.c.user_name.label("owner_name"),
            user.c.tenant_id,
            tenant.c.display_name.label("customer_name"),
            _newest.c.id.label("token_id"),
            _newest.c.created_at.label("rotated_at"),
            _newest.c.expires_at,
            _token_of_account(session.c.used_at, session.c.used_at.desc(), where=is_used).label("used_at"),
            _token_of_account(session.c.address, session.c.used_at.desc(), where=is_used).label("used_from"),
            _replaced_until().label("previous_until"),
        )
        .join(user, user.c.id == service_account.c.user_id)
        .join(tenant, tenant.c.id == user.c.tenant_id)
        .outerjoin(_newest, _newest.c.id == newest_id)
    )


def _token_of_account(column: ColumnElement[Any], *order: ColumnElement[Any], where: Any = None) -> Any:
    statement = select(column).where(session.c.service_account_id == service_account.c.id)
    if where is not None:
        statement = statement.where(where)
    return statement.order_by(*order).limit(1).correlate(service_account).scalar_subquery()


def _replaced_until() -> Any:
    """Last end of the tokens before the newest."""
    before = session.alias("before")
    return (
        select(func.max(before.c.expires_at))
        .where(
            before.c.service_account_id == service_account.c.id,
            before.c.id != _newest.c.id,
            before.c.revoked_at.is_(None),
        )
        .correlate(service_account, _newest)
        .scalar_subquery()
    )
