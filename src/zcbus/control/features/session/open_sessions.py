"""The caller's own sessions: a list, and their end."""

from typing import Any

from sqlalchemy import Row, literal, select

from zcbus.control.features.session.errors import SessionGoneError
from zcbus.control.features.session.schemas import SESSIONS, SessionPageRequest, SessionRecord
from zcbus.control.platform.call import Call
from zcbus.control.platform.known_devices import forget_devices
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.sessions import revoke_sessions_of, revoke_token
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.identity import session


def listing(call: Call, request: SessionPageRequest) -> Listing[SessionRecord]:
    """Sessions that are open, the last used first."""
    shown = [session.c[name] for name in SessionRecord.model_fields if name != "is_current"]
    is_current = (session.c.id == literal(call.principal.session_id or "")).label("is_current")
    statement = select(*shown, is_current).where(*_open(call))
    if request.search.strip():
        statement = statement.where(any_contains((session.c.address, session.c.agent), request.search.strip()))
    return Listing(SESSIONS, statement, [session.c.used_at.desc(), session.c.id.desc()], SessionRecord.of_row)


def end(call: Call, session_id: str) -> None:
    """End one of them. Raises SessionGoneError."""
    row = call.connection.execute(select(session).where(session.c.id == session_id, *_open(call))).one_or_none()
    if row is None:
        raise SessionGoneError(id=session_id)
    call.audit.before, call.audit.after = _plain(row), None
    revoke_token(call.connection, session_id, call.services.clock.now())


def end_all(call: Call, *, keep_this: bool) -> None:
    """End every one, and know no device of the account any more."""
    kept = call.principal.session_id if keep_this else None
    revoke_sessions_of(call.connection, call.principal.user_id, call.services.clock.now(), kept)
    forget_devices(call.connection, call.principal.user_id)


def _open(call: Call) -> list[Any]:
    now, idle = call.services.clock.now(), call.services.settings.session_idle
    conditions: list[Any] = [
        session.c.user_id == call.principal.user_id,
        session.c.kind == "session",
        session.c.revoked_at.is_(None),
        session.c.expires_at > now,
    ]
    if idle is not None:
        conditions.append(session.c.used_at > now - idle)
    return conditions


def _plain(row: Row[Any]) -> dict[str, str | None]:
    return {"address": row.address, "agent": row.agent, "createdAt": row.created_at.isoformat()}
