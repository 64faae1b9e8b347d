"""Data that retention is about to remove."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.alert.condition import Condition
from zcbus.control.features.alert.kinds import Kind
from zcbus.control.features.alert.owners import subscription_facts
from zcbus.control.features.parameter import service as parameters
from zcbus.control.features.subscribe import tables
from zcbus.model.states import SyncState

_MAX_TABLES = 10_000


def expiring(connection: Connection, now: datetime) -> Iterator[Condition]:
    """Pending changes: one alert a table, because it will stop. Full data: one alert a link or channel, because loaded
    tables continue."""
    soon = now + timedelta(hours=parameters.expiry_lead_hours(connection))
    full: dict[str, list[Row[Any]]] = defaultdict(list)
    for row in tables.expiring_tables(connection, soon, _MAX_TABLES):
        at, full_at = tables.expires_at(row), tables.full_expires_at(row)
        if at is not None and at < soon and row.current_state != SyncState.FULL_INFO_EXPIRED:
            facts = {"table": f"{row.source_schema}.{row.source_table}", "at": _time_text(at)}
            yield _condition(Kind.CHANGES_EXPIRING, row.id, row, facts)
        if full_at is not None and full_at < soon:
            full[row.link_id or row.channel_id].append(row)
    for subject, rows in full.items():
        facts = {"tables": str(len(rows)), "at": _time_text(_first(rows))}
        yield _condition(Kind.FULL_EXPIRING, subject, rows[0], facts)


def _first(rows: Sequence[Row[Any]]) -> datetime:
    first: datetime = min(row.full_expires_at for row in rows)
    return first


def _time_text(moment: datetime) -> str:
    return moment.isoformat(sep=" ", timespec="minutes")


def _condition(kind: Kind, subject: str, row: Row[Any], facts: Mapping[str, str]) -> Condition:
    return Condition(
        kind,
        subject,
        row.tenant_id,
        {**subscription_facts(row), **facts},
        link_id=row.link_id,
        task_id=row.task_id,
        customer=(row.customer_id, row.customer_name),
    )
