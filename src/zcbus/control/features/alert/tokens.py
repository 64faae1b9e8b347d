"""API tokens that end soon, or have ended while programs used them."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.alert.condition import Condition
from zcbus.control.features.alert.kinds import Kind
from zcbus.control.features.service_account import service as service_accounts

SOON = timedelta(days=14)
# Programs that run once a month are noticed when they are refused.
ENDED_IS_NEWS = timedelta(days=31)


def tokens_ending(connection: Connection, now: datetime) -> Iterator[Condition]:
    """Over once the token is rotated or its account is revoked."""
    for row in service_accounts.ending(connection, now - ENDED_IS_NEWS, now + SOON):
        facts = {
            "account": row.name,
            "user": row.owner_name,
            "at": row.expires_at.isoformat(sep=" ", timespec="minutes"),
        }
        if row.expires_at > now and _is_old(row, now):
            yield Condition(Kind.TOKEN_ENDING, row.id, row.tenant_id, facts, mark=facts["at"])
        # One that no program used ended as it was meant to.
        elif row.expires_at <= now and row.used_at is not None:
            yield Condition(Kind.TOKEN_ENDED, row.id, row.tenant_id, facts, mark=facts["at"])


def _is_old(row: Row[Any], now: datetime) -> bool:
    """Past half of its life: a token for a few days is no news when it is made."""
    made: datetime = row.rotated_at
    return bool(now - made >= row.expires_at - now)
