"""Tickets that open sockets: an authorised call hands one out, good once and for a moment.

A browser cannot send the session's token in a header of a socket, and a token must not be in an address.
"""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, delete, select

from zcbus.control.platform.call import Call
from zcbus.control.platform.language import Language
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.token_hash import token_hash
from zcbus.control.store.tables import identity
from zcbus.control.store.tables.machine import socket_ticket

LIFETIME = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class Holder:
    """Holder and purpose of a ticket."""

    principal: Principal
    target: str
    language: Language


def create_ticket(call: Call, purpose: str, target: str) -> str:
    """A ticket for the caller, written in the call's transaction."""
    ticket = secrets.token_urlsafe(32)
    now, principal = call.services.clock.now(), call.principal
    call.connection.execute(delete(socket_ticket).where(socket_ticket.c.expires_at <= now))
    call.connection.execute(
        socket_ticket.insert().values(
            ticket_hash=token_hash(ticket),
            purpose=purpose,
            target=target,
            user_id=principal.user_id,
            user_name=principal.user_name,
            tenant_id=principal.tenant_id,
            session_id=principal.session_id,
            language=call.language,
            expires_at=now + LIFETIME,
        )
    )
    return ticket


def redeem(connection: Connection, ticket: str, purpose: str, target: str, now: datetime) -> Holder | None:
    """Use a ticket up; None where it is not good for this, any more or at all. Needs a writing transaction."""
    used = connection.execute(
        delete(socket_ticket).where(socket_ticket.c.ticket_hash == token_hash(ticket)).returning(*socket_ticket.c)
    ).one_or_none()
    if used is None or used.expires_at <= now or (used.purpose, used.target) != (purpose, target):
        return None
    holder = Holder(_principal(used), used.target, "en" if used.language == "en" else "zh")
    return holder if is_still_signed_in(connection, holder.principal, now) else None


def is_still_signed_in(connection: Connection, principal: Principal, now: datetime) -> bool:
    """Whether the session that a ticket came from still lets its user in; a socket outlives no session."""
    if principal.session_id is None:
        return principal.kind == "local"
    session, user, tenant = identity.session, identity.user, identity.tenant
    row = connection.execute(
        select(session.c.revoked_at, session.c.expires_at, user.c.status, tenant.c.status.label("tenant_status"))
        .join(user, user.c.id == session.c.user_id)
        .join(tenant, tenant.c.id == user.c.tenant_id)
        .where(session.c.id == principal.session_id)
    ).one_or_none()
    if row is None or row.revoked_at is not None or not row.status == row.tenant_status == "0":
        return False
    return row.expires_at is None or row.expires_at > now


def _principal(row: Row[Any]) -> Principal:
    return Principal(
        kind="session" if row.session_id else "local",
        user_id=row.user_id,
        user_name=row.user_name,
        tenant_id=row.tenant_id,
        roles=(),
        permissions=frozenset(),
        spans_tenants=False,
        session_id=row.session_id,
    )
