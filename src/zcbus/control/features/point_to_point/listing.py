"""The ways of point to point, put together in SQL."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, String, cast, func, select

from zcbus.control.features.datasource.schemas import ConnectionRecord
from zcbus.control.features.link_monitor import views as monitored
from zcbus.control.features.link_monitor.schemas import BeatState
from zcbus.control.features.point_to_point.schemas import WAYS, WayPageRequest, WayRecord, WayTotals
from zcbus.control.features.subscribe.views import channel_figures
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.principal import Principal
from zcbus.control.store.search import any_contains
from zcbus.model.reduction.services import is_stale


def ways(principal: Principal, request: WayPageRequest, now: datetime) -> Listing[WayRecord]:
    """The caller's ways."""
    way = _ways(principal, now).subquery("link_way")
    statement = way.select()
    if request.search:
        searched = (way.c.name, cast(way.c.source_options, String), cast(way.c.target_options, String))
        statement = statement.where(any_contains(searched, request.search))
    if request.state:
        statement = statement.where(way.c.state.in_([state.value for state in request.state]))
    return Listing(WAYS, statement, [way.c.name, way.c.id], lambda row: _record(row, now))


def totals(connection: Connection, principal: Principal, now: datetime) -> WayTotals:
    """All of them together."""
    way = _ways(principal, now).subquery("link_way")
    rows = connection.execute(
        select(
            way.c.state,
            func.count().label("ways"),
            func.sum(way.c.tables).label("tables"),
            func.sum(way.c.failed).label("failed"),
            func.sum(way.c.rows_per_second).label("rows_per_second"),
            func.max(way.c.lag_ms).label("lag_ms"),
        ).group_by(way.c.state)
    ).all()
    lags = [row.lag_ms for row in rows if row.lag_ms is not None]
    numbers = {row.state: row.ways for row in rows}
    return WayTotals(
        ways=sum(numbers.values()),
        states={state: numbers.get(state.value, 0) for state in BeatState},
        tables=sum(row.tables for row in rows),
        failed=sum(row.failed for row in rows),
        rows_per_second=round(sum(row.rows_per_second for row in rows), 1),
        lag_ms=max(lags, default=None),
    )


def _ways(principal: Principal, now: datetime) -> Select[Any]:
    """Channels of sync links: a link has a publication of its own, without a name."""
    channel, figure = monitored.channels(principal, now).subquery("way"), channel_figures().subquery("figure")
    return (
        select(
            channel,
            func.coalesce(figure.c.tables, 0).label("tables"),
            func.coalesce(figure.c.failed, 0).label("failed"),
            func.coalesce(figure.c.rows_per_second, 0.0).label("rows_per_second"),
            figure.c.lag_ms,
        )
        .outerjoin(figure, figure.c.channel_id == channel.c.id)
        .where(channel.c.link_id.is_not(None))
    )


def _record(row: Row[Any], now: datetime) -> WayRecord:
    silent = is_stale(row.subscribe_agent_seen_at, now)
    return WayRecord(
        id=row.id,
        name=row.name,
        link_id=row.link_id,
        task_id=row.task_id,
        source=ConnectionRecord(kind=row.source_kind, **row.source_options),
        target=ConnectionRecord(kind=row.target_kind, **row.target_options),
        state=row.state,
        tables=row.tables,
        failed=row.failed,
        rows_per_second=None if silent else round(row.rows_per_second, 1),
        lag_ms=None if silent else row.lag_ms,
        took_ms=row.took_ms,
    )
