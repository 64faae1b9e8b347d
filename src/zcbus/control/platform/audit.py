"""The operation log: written by the server, in the transaction of the call it speaks of."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, update

from zcbus.control.platform import audit_chain
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.services import Services
from zcbus.control.store.tables.audit import audit_record
from zcbus.kit.ids import new_id

HIDDEN = "***"
_MAX_BITS = 63
_NAME_LENGTH = 50
_SECRET_WORDS = ("password", "secret", "token", "authorization", "privatekey", "private_key", "captcha")


@dataclass(slots=True)
class AuditNote:
    """An endpoint's note about its call for the operation log. Without `after`, the request itself is stored."""

    subject: str | None = None
    before: Any = None
    after: Any = None
    # Set by sign-in calls, whose caller is not known beforehand.
    user_id: str | None = None
    user_name: str | None = None
    tenant_id: str | None = None
    # The record that `begin` wrote, which `record` completes.
    begun_id: str | None = None


@dataclass(frozen=True, slots=True)
class Circumstances:
    """Where a call came from."""

    action: str
    path: str
    address: str
    request_id: str


def record(
    connection: Connection,
    services: Services,
    principal: Principal,
    where: Circumstances,
    note: AuditNote,
    error_code: str | None = None,
) -> None:
    """Write one record, or complete the one that was begun, and link it to the chain (`audit_chain`); secrets in before
    and after are hidden."""
    values = {
        **_values(principal, where, note),
        "result": "failed" if error_code else "done",
        "error_code": error_code,
    }
    if note.begun_id is None:
        _insert(connection, services, new_id(), values)
        return
    connection.execute(update(audit_record).where(audit_record.c.id == note.begun_id).values(**values))
    audit_chain.append_changed(connection, services.secrets, note.begun_id, services.clock.now())


def begin(
    connection: Connection, services: Services, principal: Principal, where: Circumstances, note: AuditNote
) -> None:
    """Write the record of a call whose effect is elsewhere before it is made: it stays, without a result, where the
    platform ends meanwhile."""
    note.begun_id = new_id()
    values = {**_values(principal, where, note), "result": "begun"}
    _insert(connection, services, note.begun_id, values)


def _insert(connection: Connection, services: Services, record_id: str, values: dict[str, Any]) -> None:
    now = services.clock.now()
    content = {"id": record_id, "recorded_at": now, **values}
    connection.execute(audit_record.insert().values(**content))
    audit_chain.append(connection, services.secrets, content, now)


def _values(principal: Principal, where: Circumstances, note: AuditNote) -> dict[str, Any]:
    return {
        "tenant_id": note.tenant_id or principal.tenant_id or None,
        "user_id": note.user_id or principal.user_id or None,
        "user_name": note.user_name or _name_of(principal) or None,
        "address": where.address,
        "request_id": where.request_id,
        "action": where.action,
        "path": where.path[:300],
        "subject": note.subject[:300] if note.subject else None,
        "before": hide_secrets(note.before),
        "after": hide_secrets(note.after),
    }


def _name_of(principal: Principal) -> str:
    """A service account is named with its owner."""
    if principal.service_account is None:
        return principal.user_name
    return f"{principal.user_name} ({principal.service_account})"[:_NAME_LENGTH]


def hide_secrets(value: Any) -> Any:
    """Copy of a JSON value that can be stored, without secrets: fields with secret names are hidden, numbers beyond 64
    bits become text, unencodable characters question marks."""
    if isinstance(value, Mapping):
        return {
            hide_secrets(name): HIDDEN if _is_secret(str(name)) else hide_secrets(inner)
            for name, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [hide_secrets(inner) for inner in value]
    if isinstance(value, str):
        return value.encode(errors="replace").decode()
    return str(value) if isinstance(value, int) and value.bit_length() > _MAX_BITS else value


def _is_secret(name: str) -> bool:
    return any(word in name.lower() for word in _SECRET_WORDS)
