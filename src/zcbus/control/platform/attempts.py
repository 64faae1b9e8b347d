"""Limits on guessing passwords, stored so that all replicas count together.

Accounts are never locked: after a number of failures the next attempt has to wait, longer with every failure. Failures
on a device that the account signed in from before are counted apart. Guesses from elsewhere, even from the same office,
therefore do not delay the owner on a known device.
"""

import hashlib
import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, select

from zcbus.control.platform.anonymous_quota import network_of
from zcbus.control.platform.errors import TooManyRequestsError
from zcbus.control.platform.services import Services
from zcbus.control.store.tables.identity import login_failure
from zcbus.kit.ids import new_id


@dataclass(frozen=True, slots=True)
class Limit:
    """`free` failures within the window cost nothing. The next attempt waits, each further one twice as long."""

    free: int
    window: timedelta
    first: timedelta
    longest: timedelta

    def wait(self, failures: int) -> timedelta:
        """How long after the last failure the next attempt may come."""
        if failures < self.free:
            return timedelta(0)
        doublings: int = min(failures - self.free, 20)
        return min(self.first * (1 << doublings), self.longest)


PER_ACCOUNT_AND_ORIGIN = Limit(5, timedelta(days=1), timedelta(seconds=10), timedelta(minutes=15))
# Of all strangers to one account, and of strangers at one address to all accounts: only slower, never shut.
PER_ACCOUNT = PER_ADDRESS = Limit(50, timedelta(minutes=15), timedelta(seconds=1), timedelta(minutes=1))
# For codes of second factors: an attacker who guesses them has the password already, and they are short.
CODES_PER_ACCOUNT = Limit(10, timedelta(days=1), timedelta(seconds=10), timedelta(minutes=15))
_MAX_WINDOW = PER_ACCOUNT_AND_ORIGIN.window


@dataclass(frozen=True, slots=True)
class Origin:
    """Where attempts come from: a network, or a device (or session) that the account knows."""

    name: str
    is_known: bool


def at_address(address: str) -> Origin:
    """The origin of a caller without a session: the network of its address."""
    return Origin(network_of(address), is_known=False)


def known_origin(name: str) -> Origin:
    """An origin that only a user who was signed in to the account can have."""
    return Origin(hashlib.sha256(name.encode()).hexdigest(), is_known=True)


def attempt_allowed(services: Services, account: str, origin: Origin, per_account: Limit = PER_ACCOUNT) -> None:
    """Count an attempt as failed before it is made, or raise TooManyRequestsError. `per_account` is the limit of all
    strangers together.

    Counting first means that many attempts at the same moment cannot slip through together; `forget_attempts` takes
    the count back when the attempt succeeds.
    """
    table, hashed = login_failure.c, _account_key(account)
    limits: list[tuple[Limit, ColumnElement[bool]]] = [
        (PER_ACCOUNT_AND_ORIGIN, (table.account == hashed) & (table.place == origin.name))
    ]
    if not origin.is_known:
        limits.append((per_account, (table.account == hashed) & table.is_known.is_(False)))
        limits.append((PER_ADDRESS, table.place == origin.name))
    _count(services, hashed, origin, limits)


def exchange_allowed(services: Services, account: str, origin: Origin) -> None:
    """As `attempt_allowed`, for secrets that cannot be guessed and have no account beforehand, as tickets: only
    the origin is limited. Raises TooManyRequestsError."""
    _count(services, _account_key(account), origin, [(PER_ADDRESS, login_failure.c.place == origin.name)])


def forget_attempts(connection: Connection, account: str, origin: Origin) -> None:
    """The right password was given: earlier failures of this account from this origin no longer count."""
    table = login_failure.c
    connection.execute(delete(login_failure).where(table.account == _account_key(account), table.place == origin.name))


def remove_old_attempts(services: Services) -> None:
    """Delete attempts that no limit counts any more."""
    before = services.clock.now() - _MAX_WINDOW
    with services.database.write() as connection:
        connection.execute(delete(login_failure).where(login_failure.c.failed_at <= before))


def _count(services: Services, account: str, origin: Origin, limits: list[tuple[Limit, ColumnElement[bool]]]) -> None:
    now = services.clock.now()
    with services.database.write_alone() as connection:
        for limit, condition in limits:
            _check(connection, limit, condition, now)
        values: dict[str, Any] = {"account": account, "place": origin.name, "is_known": origin.is_known}
        connection.execute(login_failure.insert().values(id=new_id(), failed_at=now, **values))


def _check(connection: Connection, limit: Limit, condition: ColumnElement[bool], now: datetime) -> None:
    failed_at = login_failure.c.failed_at
    query = select(func.count(), func.max(failed_at)).where(condition, failed_at > now - limit.window)
    failures, last = connection.execute(query).one()
    if last is None:
        return
    left = last + limit.wait(failures) - now
    if left > timedelta(0):
        raise TooManyRequestsError(seconds=math.ceil(left.total_seconds()))


def _account_key(account: str) -> str:
    # People type passwords into the name field; a hash keeps that out of the store, and bounds the length.
    return hashlib.sha256(account.encode()).hexdigest()
