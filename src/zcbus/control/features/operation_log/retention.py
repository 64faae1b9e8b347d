"""Old records of the operation log are removed."""

from datetime import timedelta

from sqlalchemy import delete, select

from zcbus.control.features.parameter.service import operation_log_days
from zcbus.control.platform.services import Services
from zcbus.control.store.tables.audit import audit_record

_REMOVED_AT_ONCE = 1_000


def remove_old(services: Services) -> None:
    """Delete records that are older than `operation_log_days`, some at a time. Safe to run twice at once."""
    with services.database.read() as store:
        oldest = services.clock.now() - timedelta(days=operation_log_days(store))
    old = select(audit_record.c.id).where(audit_record.c.recorded_at < oldest).limit(_REMOVED_AT_ONCE)
    removed = _REMOVED_AT_ONCE
    while removed == _REMOVED_AT_ONCE:
        with services.database.write() as store:
            removed = store.execute(delete(audit_record).where(audit_record.c.id.in_(old))).rowcount
