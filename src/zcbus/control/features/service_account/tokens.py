"""API tokens for the commands on the platform's own host. A token acts as its user; its text is shown only when it is
created."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.account.errors import UserUnknownError
from zcbus.control.features.account.service import find_credentials
from zcbus.control.features.service_account import repository
from zcbus.control.features.service_account.errors import TokenUnknownError
from zcbus.control.features.service_account.service import Owner, create, revoke
from zcbus.control.platform import audit
from zcbus.control.platform.audit import AuditNote, Circumstances
from zcbus.control.platform.menus import Operation
from zcbus.control.platform.principal import ANY, local_principal
from zcbus.control.platform.services import Services
from zcbus.control.platform.sessions import NewToken

ADMINISTRATOR = "admin"

_READ_ONLY = [(ANY, Operation.VIEW.value)]


@dataclass(frozen=True, slots=True)
class TokenRecord:
    """A token without its text. `expires_at` None: it has no end. `used_at`, `used_from` None: not used yet."""

    id: str
    name: str
    user_name: str
    scope: str
    created_at: datetime
    expires_at: datetime | None
    used_at: datetime | None
    used_from: str | None


def create_api_token(
    services: Services, *, name: str, user_name: str = ADMINISTRATOR, days: int | None = None, read_only: bool = False
) -> NewToken:
    """Make a service account with a token; without `days` it lives as long as a token may. Raises UserUnknownError, and
    what `service.create` raises."""
    with services.database.write() as connection:
        user = find_credentials(connection, user_name)
        if user is None:
            raise UserUnknownError(name=user_name)
        token = create(
            connection,
            services.clock.now(),
            owner=Owner(user.id, user.tenant_id),
            name=name,
            scope=_READ_ONLY if read_only else None,
            spans_tenants=True,
            days=days,
        )
        end = token.expires_at and token.expires_at.isoformat()
        note = AuditNote(subject=name, after={"owner": user_name, "readOnly": read_only, "expiresAt": end})
        _record(connection, services, "add", "create", note)
    return token


def list_api_tokens(connection: Connection) -> list[TokenRecord]:
    """Tokens that were not revoked, the oldest first."""
    return [_of_row(row) for row in repository.select_tokens(connection)]


def revoke_api_token(services: Services, token_id: str) -> None:
    """End a token at once, with its service account. Raises TokenUnknownError when there is none or it was ended
    before."""
    with services.database.write() as connection:
        found = {row.id: row for row in repository.select_tokens(connection)}
        if token_id not in found:
            raise TokenUnknownError(id=token_id)
        row = found[token_id]
        revoke(connection, row.service_account_id, services.clock.now())
        _record(connection, services, "revoke", "revoke", AuditNote(row.account_name, before={"owner": row.user_name}))


def _record(connection: Connection, services: Services, act: str, verb: str, note: AuditNote) -> None:
    where = Circumstances(f"service-account_{act}", f"zcbus token {verb}", "", "")
    audit.record(connection, services, local_principal(), where, note)


def _of_row(row: Row[Any]) -> TokenRecord:
    is_used = row.address is not None
    scope = "all" if row.scope is None else "read-only" if row.scope == [list(_READ_ONLY[0])] else "chosen"
    return TokenRecord(
        row.id,
        row.account_name,
        row.user_name,
        scope,
        row.created_at,
        row.expires_at,
        row.used_at if is_used else None,
        row.address,
    )
