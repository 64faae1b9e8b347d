"""Periodic upkeep: loads of removed tables end, those of silent agents are marked, old ones are removed."""

from datetime import timedelta

from sqlalchemy import delete, select

from zcbus.control.features.parameter.service import load_history_days
from zcbus.control.features.subscribe import schema_changes
from zcbus.control.platform.services import Services
from zcbus.control.store import deployments
from zcbus.control.store.reduction.loads import cancel_removed, contact_changed, has_removed, record_loads
from zcbus.control.store.reduction.rows import Moment
from zcbus.control.store.tables.load import load_record

_REMOVED_AT_ONCE = 1_000


def watch_open_loads(services: Services) -> None:
    """End loads whose tables are no longer subscribed, and mark those of silent agents, which no report does. Safe to
    run twice at once."""
    now = services.clock.now()
    with services.database.read() as store:
        is_due = has_removed(store) or contact_changed(store, now)
    if not is_due:
        return
    with services.database.write_alone() as store:
        cancel_removed(store, now)
        record_loads(store, Moment(now, expired=False), contact_changed(store, now))


def remove_old(services: Services) -> None:
    """Delete loads that ended more than `load_history_days` ago, some at a time, and schema changes and deployments of
    that age. Safe to run twice at once."""
    with services.database.read() as store:
        oldest = services.clock.now() - timedelta(days=load_history_days(store))
    with services.database.write() as store:
        schema_changes.remove_older(store, oldest)
        deployments.remove_older(store, oldest)
    ended = select(load_record.c.id).where(~load_record.c.is_open, load_record.c.state_since < oldest)
    removed = _REMOVED_AT_ONCE
    while removed == _REMOVED_AT_ONCE:
        with services.database.write() as store:
            some = load_record.c.id.in_(ended.limit(_REMOVED_AT_ONCE))
            removed = store.execute(delete(load_record).where(some)).rowcount
