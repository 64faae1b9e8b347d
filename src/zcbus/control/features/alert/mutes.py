"""Rules of mutes: alerts that are listed without notices until a given time.

An alert that is raised while it is muted is history from the start, and no receiver gets it. When its mute ends before
it does, it is unread and receivers get it, as if it were raised then. A mute changes nothing about an alert that
receivers were notified of: they are notified when it is over.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.alert import mute_repository, repository
from zcbus.control.features.alert.errors import AlertTransientError, MuteTimeError, TooManyMutesError
from zcbus.control.features.alert.handling import find
from zcbus.control.features.alert.kinds import is_lasting
from zcbus.control.features.alert.schemas import MUTES, MutePageRequest, MuteRecord, MuteRequest
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.paging import Listing
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.alert import alert_mute

LONGEST = timedelta(days=366)
MOST = 1_000
"""Of one tenant at a time."""
_MAX_NAME_LENGTH = 200


def listing(call: Call, request: MutePageRequest) -> Listing[MuteRecord]:
    """Those in force; what ends first comes first."""
    statement = mute_repository.visible(call.principal, call.services.clock.now())
    if request.search.strip():
        statement = statement.where(any_contains((alert_mute.c.object_name,), request.search.strip()))
    return Listing(MUTES, statement, [alert_mute.c.until, alert_mute.c.id], lambda row: _record(call, row))


def add(call: Call, request: MuteRequest) -> str:
    """Mute what an alert is one of. A mute of the same is replaced. Returns the new one's id. Raises
    RecordNotFoundError, AlertTransientError, MuteTimeError, TooManyMutesError."""
    now, row = call.services.clock.now(), find(call, request.id)
    if not is_lasting(row.kind):
        raise AlertTransientError
    if not now < request.until <= now + LONGEST:
        raise MuteTimeError(days=LONGEST.days)
    kind = None if request.scope == "object" else row.kind
    object_id = None if request.scope == "kind" else object_of(row)
    mute_repository.replace(call.connection, row.tenant_id, kind, object_id)
    if mute_repository.count(call.connection, row.tenant_id, now) >= MOST:
        raise TooManyMutesError(most=MOST)
    repository.mark_read(call.connection, call.principal, row.id)
    return mute_repository.insert(
        call.connection,
        tenant_id=row.tenant_id,
        kind=kind,
        object_id=object_id,
        object_name="" if object_id is None else name_of_object(row),
        until=request.until,
        created_by=call.principal.user_name,
        created_at=now,
    )


def end(call: Call, mute_id: str) -> Row[Any]:
    """End a mute before its time; returns it. Raises RecordNotFoundError."""
    row = mute_repository.find(call.connection, call.principal, mute_id)
    if row is None:
        raise RecordNotFoundError(kind="alert-mute", id=mute_id)
    mute_repository.remove(call.connection, mute_id)
    return row


def muted_until(mutes: Iterable[Row[Any]], tenant_id: str, kind: str, object_id: str) -> datetime | None:
    """Until when alerts of this kind about this object are muted; None: they are not."""
    ends = [
        mute.until
        for mute in mutes
        if mute.tenant_id == tenant_id and mute.kind in (None, kind) and mute.object_id in (None, object_id)
    ]
    return max(ends, default=None)


def object_of(about: Any) -> str:
    """Object of an alert or a condition: its link, else its subject."""
    object_id: str = about.link_id or about.subject
    return object_id


def name_of_object(row: Row[Any]) -> str:
    """Of an alert."""
    facts = row.facts
    named = ("link",) if row.link_id else ("host", "plan", "holder", "account", "subject", "link")
    name: str = next((facts[name] for name in named if facts.get(name)), row.customer_name)
    return name[:_MAX_NAME_LENGTH]


def _record(call: Call, row: Row[Any]) -> MuteRecord:
    return MuteRecord(
        id=row.id,
        kind=row.kind,
        kind_name=call.text(f"alert-kind.{row.kind}") if row.kind else None,
        object_name=row.object_name or None,
        until=row.until,
        created_by=row.created_by,
        created_at=row.created_at,
    )
