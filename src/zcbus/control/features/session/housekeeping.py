"""Removal of expired sessions and tokens."""

from datetime import timedelta

from sqlalchemy import delete

from zcbus.control.features.session import pending
from zcbus.control.platform.attempts import remove_old_attempts
from zcbus.control.platform.known_devices import remove_old_devices
from zcbus.control.platform.services import Services
from zcbus.control.store.tables.identity import session

# Expired sessions are kept for a week to distinguish them from unknown ones.
_SESSION_RETENTION = timedelta(days=7)


def remove_expired(services: Services) -> None:
    """Remove expired sessions, unfinished sign-ins, failed attempts, unused devices. Doing it twice at once is
    harmless."""
    now = services.clock.now()
    with services.database.write() as connection:
        connection.execute(delete(session).where(session.c.expires_at <= now - _SESSION_RETENTION))
        pending.remove_old(connection, now)
        remove_old_devices(connection, now)
    remove_old_attempts(services)
