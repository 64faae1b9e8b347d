"""Removal of expired sessions and tokens."""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, delete, select

from zcbus.control.features.second_factor.keys import challenges
from zcbus.control.features.session import pending
from zcbus.control.platform.attempts import remove_old_attempts
from zcbus.control.platform.known_devices import remove_old_devices
from zcbus.control.platform.services import Services
from zcbus.control.store.tables.identity import service_account, session

# Expired sessions and tokens are kept to distinguish them from unknown ones; programs may run once a month.
_SESSION_RETENTION, _TOKEN_RETENTION = timedelta(days=7), timedelta(days=90)


def remove_expired(services: Services) -> None:
    """Remove expired sessions, unfinished sign-ins, failed attempts, unused devices. Doing it twice at once is
    harmless."""
    now = services.clock.now()
    with services.database.write() as connection:
        _remove_sessions(connection, session.c.kind != "api", now - _SESSION_RETENTION)
        _remove_sessions(connection, session.c.kind == "api", now - _TOKEN_RETENTION)
        long_ago = service_account.c.revoked_at <= now - _TOKEN_RETENTION
        connection.execute(
            delete(session).where(session.c.service_account_id.in_(select(service_account.c.id).where(long_ago)))
        )
        connection.execute(delete(service_account).where(long_ago))
        pending.remove_old(connection, now)
        challenges.remove_old(connection, now)
        remove_old_devices(connection, now)
    remove_old_attempts(services)


def _remove_sessions(connection: Connection, which: ColumnElement[bool], ended: datetime) -> None:
    connection.execute(delete(session).where(which, session.c.expires_at <= ended))
