"""The rules of service accounts: their scope lies within their owner's rights, their tokens end."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.parameter.service import api_token_days
from zcbus.control.features.role.permissions import Pair, grouped, pairs_of
from zcbus.control.features.role.schemas import Permission
from zcbus.control.features.service_account import repository
from zcbus.control.features.service_account.errors import (
    ServiceAccountForeignError,
    ServiceAccountLifetimeError,
    ServiceAccountNameTakenError,
    ServiceAccountScopeError,
    ServiceAccountSessionNeededError,
    ServiceAccountsFullError,
)
from zcbus.control.features.service_account.schemas import (
    SERVICE_ACCOUNTS,
    IssuedToken,
    NewServiceAccount,
    Rotation,
    ServiceAccountEdit,
    ServiceAccountPageRequest,
    ServiceAccountRecord,
    State,
)
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.menus import ENTRIES, Operation
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.principal import ANY, Principal
from zcbus.control.platform.sessions import NewToken, create_token
from zcbus.control.store.tables.identity import service_account

MENU_KEY = "authority-management/service-accounts"

_MAX_ACCOUNTS = 500


@dataclass(frozen=True, slots=True)
class Owner:
    """The user in whose name an account acts."""

    user_id: str
    tenant_id: str


def ending(connection: Connection, after: datetime, until: datetime) -> Sequence[Row[Any]]:
    """Accounts of all tenants that are not revoked and whose token ends in this time: id, name, owner_name, tenant_id,
    rotated_at (when the token was made), expires_at, used_at. Without those of disabled owners: they are refused
    anyway."""
    return repository.ending(connection, after, until)


def listing(call: Call, request: ServiceAccountPageRequest) -> Listing[ServiceAccountRecord]:
    """Accounts of the tenants that the caller may see, by name."""
    now = call.services.clock.now()
    conditions = repository.matching(request.state, request.search.strip(), now)
    statement = repository.accounts(call.principal).where(*conditions)
    order = [service_account.c.name, service_account.c.id]
    return Listing(SERVICE_ACCOUNTS, statement, order, lambda row: record(row, call.principal, now))


def find(connection: Connection, principal: Principal, account_id: str) -> Row[Any]:
    """An account that is not revoked. Raises RecordNotFoundError."""
    row = repository.find(connection, principal, account_id)
    if row is None:
        raise RecordNotFoundError(kind="service-account", id=account_id)
    return row


def add(call: Call, new: NewServiceAccount) -> IssuedToken:
    """Make an account of the caller's, and its first token. Raises the errors of this feature."""
    principal, now = call.principal, call.services.clock.now()
    _check_signed_in(principal)
    scope = _checked_scope(principal, new.name, new.permissions)
    token = create(
        call.connection,
        now,
        owner=Owner(principal.user_id, principal.tenant_id),
        name=new.name,
        description=new.description,
        scope=scope,
        spans_tenants=new.spans_tenants and principal.spans_tenants,
        days=new.days,
    )
    return _issued(new.name, token)


def create(
    connection: Connection,
    now: datetime,
    *,
    owner: Owner,
    name: str,
    scope: Iterable[Pair] | None,
    spans_tenants: bool,
    days: int | None,
    description: str | None = None,
) -> NewToken:
    """Make an account and its first token. Raises ServiceAccountNameTakenError, ServiceAccountsFullError,
    ServiceAccountLifetimeError."""
    names = repository.live_names(connection, owner.tenant_id)
    if name in names:
        raise ServiceAccountNameTakenError(name=name)
    if len(names) >= _MAX_ACCOUNTS:
        raise ServiceAccountsFullError(most=_MAX_ACCOUNTS)
    account_id = repository.insert(
        connection,
        user_id=owner.user_id,
        name=name,
        description=description,
        scope=None if scope is None else sorted(scope),
        spans_tenants=spans_tenants,
        created_at=now,
    )
    return _new_token(connection, now, owner.user_id, account_id, name, days)


def edit(call: Call, row: Row[Any], body: ServiceAccountEdit) -> None:
    """Change description and scope, effective from the next call on. Raises the errors of this feature."""
    _check_own(call.principal, row)
    values: dict[str, Any] = {"description": body.description}
    if body.permissions is not None:
        values["scope"] = sorted(_checked_scope(call.principal, row.name, body.permissions))
    elif row.scope is not None:
        raise ServiceAccountScopeError(name=row.name)
    repository.change(call.connection, row.id, **values)


def rotate(call: Call, row: Row[Any], body: Rotation) -> IssuedToken:
    """A new token; the one before ends after the grace period, older ones end now."""
    _check_own(call.principal, row)
    now = call.services.clock.now()
    for age, token in enumerate(repository.live_tokens(call.connection, row.id, now)):
        repository.end_token_by(call.connection, token.id, now + timedelta(hours=0 if age else body.grace_hours))
    return _issued(row.name, _new_token(call.connection, now, row.user_id, row.id, row.name, body.days))


def revoke(connection: Connection, account_id: str, now: datetime) -> None:
    """End an account with its tokens at once."""
    repository.change(connection, account_id, revoked_at=now)
    repository.revoke_tokens(connection, account_id, now)


def plain(row: Row[Any]) -> dict[str, Any]:
    """An account for the operation log."""
    permissions = _permissions(row)
    return {
        "name": row.name,
        "description": row.description,
        "owner": row.owner_name,
        "permissions": permissions and [one.model_dump(mode="json", by_alias=True) for one in permissions],
        "expiresAt": row.expires_at and row.expires_at.isoformat(),
    }


def record(row: Row[Any], principal: Principal, now: datetime) -> ServiceAccountRecord:
    """A row of `repository.accounts` as a record."""
    names = ServiceAccountRecord.model_fields.keys() - {"permissions", "state", "is_own", "previous_until"}
    is_replaced_good = row.previous_until is not None and row.previous_until > now
    return ServiceAccountRecord(
        **{name: getattr(row, name) for name in names},
        permissions=_permissions(row),
        state=_state(row, now),
        previous_until=row.previous_until if is_replaced_good and row.revoked_at is None else None,
        is_own=row.user_id == principal.user_id,
    )


def _permissions(row: Row[Any]) -> list[Permission] | None:
    return None if row.scope is None else grouped({(key, operation) for key, operation in row.scope})


def _state(row: Row[Any], now: datetime) -> State:
    if row.revoked_at is not None:
        return "revoked"
    if row.token_id is None or (row.expires_at is not None and row.expires_at <= now):
        return "expired"
    return "expiring" if row.expires_at is not None and row.expires_at <= now + repository.EXPIRING else "valid"


def _new_token(
    connection: Connection, now: datetime, user_id: str, account_id: str, name: str, days: int | None
) -> NewToken:
    longest = api_token_days(connection)
    if days is not None and not 1 <= days <= longest:
        raise ServiceAccountLifetimeError(longest=longest)
    lifetime = timedelta(days=longest if days is None else days)
    return create_token(
        connection,
        user_id=user_id,
        kind="api",
        now=now,
        lifetime=lifetime,
        name=name,
        service_account_id=account_id,
    )


def _issued(name: str, token: NewToken) -> IssuedToken:
    return IssuedToken(id=token.id, name=name, token=token.token, expires_at=token.expires_at)


def _checked_scope(principal: Principal, name: str, permissions: Iterable[Permission]) -> set[Pair]:
    """'*' follows the owner's rights as they are at each call; a pair that is named must be the owner's now."""
    pairs = pairs_of(permissions)
    if not pairs or (ANY, ANY) in pairs or not all(_may(principal, pair) for pair in pairs if pair[0] != ANY):
        raise ServiceAccountScopeError(name=name)
    return pairs


def _may(principal: Principal, pair: Pair) -> bool:
    menu_key, operation = pair
    wanted = ENTRIES[menu_key].operations if operation == ANY else [Operation(operation)]
    return all(principal.may(menu_key, one) for one in wanted)


def _check_own(principal: Principal, row: Row[Any]) -> None:
    _check_signed_in(principal)
    if row.user_id != principal.user_id:
        raise ServiceAccountForeignError(name=row.name, owner=row.owner_name)


def _check_signed_in(principal: Principal) -> None:
    if principal.kind != "session":
        raise ServiceAccountSessionNeededError
