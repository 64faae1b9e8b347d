"""Limits on guessing passwords, kept in the store so that all replicas count together."""

import hashlib
from datetime import timedelta

from sqlalchemy import Connection, delete, func, select

from zcbus.control.platform.errors import TooManyRequestsError
from zcbus.control.platform.services import Services
from zcbus.control.store.tables.identity import login_failure
from zcbus.kit.ids import new_id

WINDOW = timedelta(minutes=15)
MOST_PER_ACCOUNT_AND_ADDRESS = 5
MOST_PER_ACCOUNT = 50
MOST_PER_ADDRESS = 50


def attempt_allowed(services: Services, account: str, address: str) -> None:
    """Count an attempt as failed before it is made, or raise TooManyRequestsError.

    Counting first means that many attempts at the same moment cannot slip through together; `forget_attempts` takes
    the count back when the attempt succeeds.
    """
    now = services.clock.now()
    hashed = _account_key(account)
    table = login_failure.c
    with services.database.write_alone() as connection:
        same_account, same_address = table.account == hashed, table.address == address
        limits = (
            (same_account & same_address, MOST_PER_ACCOUNT_AND_ADDRESS),
            (same_account, MOST_PER_ACCOUNT),
            (same_address, MOST_PER_ADDRESS),
        )
        for condition, most in limits:
            query = select(func.count(), func.min(table.failed_at)).where(condition, table.failed_at > now - WINDOW)
            count, first = connection.execute(query).one()
            if count >= most:
                raise TooManyRequestsError(seconds=max(1, int((first + WINDOW - now).total_seconds())))
        connection.execute(login_failure.insert().values(id=new_id(), account=hashed, address=address, failed_at=now))


def forget_attempts(connection: Connection, account: str, address: str) -> None:
    """The right password was given: earlier failures of this account from this address no longer count."""
    table = login_failure.c
    connection.execute(delete(login_failure).where(table.account == _account_key(account), table.address == address))


def remove_old_attempts(services: Services) -> None:
    """Drop what no limit looks at any more."""
    with services.database.write() as connection:
        connection.execute(delete(login_failure).where(login_failure.c.failed_at <= services.clock.now() - WINDOW))


def _account_key(account: str) -> str:
    # People type passwords into the name field; a hash keeps that out of the store, and bounds the length.
    return hashlib.sha256(account.encode()).hexdigest()
