"""Notices of the bell about the end of long calls, whose callers may have left the page."""

from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.alert import repository
from zcbus.control.features.alert.kinds import LEVELS, Kind
from zcbus.control.features.alert.notices import notify
from zcbus.control.features.tenant import service as tenants
from zcbus.control.platform.progress import take_ended
from zcbus.control.platform.services import Services


def raise_alerts(services: Services) -> None:
    """Make an alert of every call that took long and is over."""
    with services.database.write() as store:
        made = repository.insert(store, [_alert(store, row) for row in take_ended(store)])
        notify(store, services, "raised", made, services.clock.now())


def _kind(row: Row[Any]) -> Kind:
    if row.error_code is not None:
        return Kind.WORK_FAILED
    return Kind.WORK_DONE_WITH_TABLES if "done" in row.facts else Kind.WORK_DONE


def _alert(store: Connection, row: Row[Any]) -> dict[str, Any]:
    kind = _kind(row)
    return {
        "tenant_id": row.tenant_id,
        "customer_id": row.tenant_id,
        "customer_name": tenants.find(store, row.tenant_id).name,
        "kind": kind.value,
        "subject": row.id,
        "level": LEVELS[kind].value,
        "facts": row.facts,
        "mark": "",
        "record_time": row.ended_at,
        "update_time": row.ended_at,
        "recovered_time": row.ended_at,
    }
