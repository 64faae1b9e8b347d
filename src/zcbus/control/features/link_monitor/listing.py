"""The link monitor's list."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Row, String, cast

from zcbus.control.features.datasource.schemas import ConnectionRecord
from zcbus.control.features.link_monitor import views
from zcbus.control.features.link_monitor.schemas import (
    MONITORED,
    BeatState,
    Hop,
    HopRecord,
    MonitorPageRequest,
    MonitorRecord,
)
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.store.search import any_contains

_PUBLISHER = (Hop.CAPTURE, Hop.BUS)


def monitored(
    principal: Principal, request: MonitorPageRequest, texts: ReasonTexts, now: datetime
) -> Listing[MonitorRecord]:
    """The caller's channels with their heartbeats."""
    row = views.channels(principal, now).subquery("monitored")
    statement = row.select()
    if request.search:
        names = (row.c.name, row.c.customer_name, row.c.channel_name, row.c.node_name)
        searched = (cast(row.c.source_options, String), cast(row.c.target_options, String))
        statement = statement.where(any_contains((*names, *searched), request.search))
    if request.state:
        statement = statement.where(row.c.state.in_([state.value for state in request.state]))
    return Listing(MONITORED, statement, [row.c.name, row.c.id], lambda one: _record(one, texts, now))


def _record(row: Row[Any], texts: ReasonTexts, now: datetime) -> MonitorRecord:
    return MonitorRecord(
        id=row.id,
        name=row.name,
        channel_name=row.channel_name,
        node_name=row.node_name,
        link_id=row.link_id,
        customer_id=row.customer_id,
        client_type=row.client_type,
        source=ConnectionRecord(kind=row.source_kind, **row.source_options),
        target=ConnectionRecord(kind=row.target_kind, **row.target_options),
        state=row.state,
        stands_at=row.stands_at,
        reason=texts.record(_reason(row)) if row.state != BeatState.STOPPED else None,
        hops=[_hop(hop, row, now) for hop in Hop],
        took_ms=row.took_ms,
        arrived_at=row.target_at,
    )


def _hop(hop: Hop, row: Row[Any], now: datetime) -> HopRecord:
    at: datetime | None = row._mapping[f"{hop}_at"]
    return HopRecord(
        hop=hop,
        state=row._mapping[f"{hop}_state"],
        at=at,
        age_ms=max(0, round((now - at).total_seconds() * 1000)) if at is not None else None,
        took_ms=row._mapping[f"{hop}_ms"],
        service_id=row.publish_id if hop in _PUBLISHER else row.subscribe_id,
    )


def _reason(row: Row[Any]) -> Mapping[str, Any] | None:
    """The reason that blocks a link by its services; the first one on the way."""
    found: Mapping[str, Any] | None = row.publish_trouble or row.subscribe_trouble
    return found
