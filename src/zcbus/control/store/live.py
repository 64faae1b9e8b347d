"""Announcements for those who watch: what kind of thing changed, in whose tenant, and nothing about it.

    announce(connection, "link", {tenant_id})

Watchers ask again for what they show, and each question is authorised as ever. So an announcement carries no data that
a permission would have to cover.
"""

from collections.abc import Iterable
from typing import Literal, get_args

from sqlalchemy import Connection

from zcbus.control.store.change_events import notify

Topic = Literal["alert", "link", "service", "table", "figures", "plan", "call"]
"""`figures`: services reported about their tables; `plan`: a run of a task plan came a step further; `call`: a user
changed something."""

TOPICS: tuple[Topic, ...] = get_args(Topic)

EVERY_TENANT = "*"


def announce(connection: Connection, topic: Topic, tenants: Iterable[str]) -> None:
    """Notify the watchers of these tenants once the open transaction is committed."""
    for tenant in tenants:
        notify(connection, subject(tenant, topic))
        notify(connection, subject(EVERY_TENANT, topic))


def subject(tenant: str, topic: Topic) -> str:
    """The change event of a topic in one tenant, or in any (EVERY_TENANT)."""
    return f"live/{tenant}/{topic}"
