"""Rules of alerts: readers, delivered messages, retention."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.account import service as accounts
from zcbus.control.features.alert import mute_repository, repository
from zcbus.control.features.alert.errors import DeliveryRefusedError
from zcbus.control.features.alert.kinds import LEVELS, Kind, is_lasting
from zcbus.control.features.alert.mutes import muted_until, name_of_object, object_of
from zcbus.control.features.alert.notices import notify
from zcbus.control.features.alert.owners import PROCESS
from zcbus.control.features.alert.schemas import ALERTS, AlertPageRequest, AlertRecord, DeliveryRequest
from zcbus.control.features.alert.texts import content_of, facts_of, remedy_of
from zcbus.control.features.subscribe import service as subscribe
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.platform.services import Services
from zcbus.control.store.tables.alert import alert

# The user types that the specification lets deliver messages.
DELIVERING_TYPES = frozenset({"3", "30", "40"})

_KEPT = timedelta(days=90)


def listing(call: Call, request: AlertPageRequest) -> Listing[AlertRecord]:
    """How the list of alerts is read."""
    statement = repository.visible(call.principal, request.customer_id, request.status)
    if request.open is not None:
        over = alert.c.recovered_time
        statement = statement.where(over.is_(None) if request.open else over.is_not(None))
    if request.acknowledged is not None:
        known = alert.c.acknowledged_time
        statement = statement.where(known.is_not(None) if request.acknowledged else known.is_(None))
    if request.mine:
        statement = statement.where(alert.c.assignee_id == call.principal.user_id)
    mutes = mute_repository.in_force(call.connection, call.services.clock.now())
    return Listing(ALERTS, statement, repository.USUAL_ORDER, _records_in(call, mutes))


def count_unread(connection: Connection, principal: Principal, customer_id: str | None) -> int:
    """Unread alerts that the caller may see."""
    return repository.count_unread(connection, principal, customer_id)


def mark_read(connection: Connection, principal: Principal, alert_id: str | None) -> int:
    """Make one unread alert history, or all (None); returns how many were unread. Raises RecordNotFoundError."""
    if alert_id is not None and not repository.exists(connection, principal, alert_id):
        raise RecordNotFoundError(kind="alert", id=alert_id)
    return repository.mark_read(connection, principal, alert_id)


def deliver(connection: Connection, principal: Principal, request: DeliveryRequest, services: Services) -> int:
    """Put a message before the users of subscribers; returns to how many subscribers. All or none.

    Raises DeliveryRefusedError, RecordNotFoundError.
    """
    user = accounts.describe(connection, principal)
    if user.client_remote or user.user_type not in DELIVERING_TYPES:
        raise DeliveryRefusedError
    wanted = set(request.customer_list)
    found = subscribe.find_customers(connection, principal, wanted)
    missing = wanted - {row.id for row in found}
    if missing:
        raise RecordNotFoundError(kind="customer", id=min(missing))
    now = services.clock.now()
    made = repository.insert(connection, [_message(row, request.content, now) for row in found])
    notify(connection, services, "raised", made, now)
    return len(found)


def remove_old(services: Services) -> None:
    """Forget what was over ninety days ago, and mutes that ended."""
    now = services.clock.now()
    with services.database.write() as connection:
        repository.remove_older(connection, now - _KEPT)
        mute_repository.remove_ended(connection, now)


def _message(customer: Row[Any], content: str, now: datetime) -> dict[str, Any]:
    return {
        "tenant_id": customer.tenant_id,
        "customer_id": customer.id,
        "customer_name": customer.name,
        "kind": Kind.MESSAGE.value,
        "subject": "",
        "level": LEVELS[Kind.MESSAGE].value,
        "facts": {},
        "mark": "",
        "content": content,
        "record_time": now,
        "update_time": now,
        "recovered_time": now,
    }


def _records_in(call: Call, mutes: Sequence[Row[Any]]) -> Callable[[Row[Any]], AlertRecord]:
    texts = ReasonTexts.of(call)

    def record(row: Row[Any]) -> AlertRecord:
        return AlertRecord(
            id=row.id,
            customer_id=row.customer_id,
            customer_name=row.customer_name,
            client_type="databus" if facts_of(row)["owner"] == PROCESS else "client",
            kind=row.kind,
            level=row.level,
            content=content_of(row, texts),
            reason=texts.record(row.reason),
            remedy=remedy_of(row, texts),
            status=row.status,
            record_time=row.record_time,
            update_time=row.update_time,
            recovered_time=None if row.kind == Kind.MESSAGE else row.recovered_time,
            open=row.recovered_time is None,
            acknowledged_time=row.acknowledged_time,
            acknowledged_by=row.acknowledged_by,
            resolved_time=row.resolved_time,
            resolved_by=row.resolved_by,
            assignee_id=row.assignee_id,
            assignee_name=row.assignee_name,
            kind_name=call.text(f"alert-kind.{row.kind}"),
            object_name=name_of_object(row) if is_lasting(row.kind) else None,
            muted=row.muted,
            muted_until=muted_until(mutes, row.tenant_id, row.kind, object_of(row)),
            link_id=row.link_id,
            task_id=row.task_id,
        )

    return record
