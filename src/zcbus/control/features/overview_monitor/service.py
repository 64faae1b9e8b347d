"""Contents of the monitoring screen, put together from what the features' own pages show."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.alert import service as alerts
from zcbus.control.features.alert.schemas import AlertPageRequest
from zcbus.control.features.container.schemas import AgentRecord
from zcbus.control.features.home import service as home
from zcbus.control.features.index_statistics import figures
from zcbus.control.features.index_statistics.charts import changes_per_second, shown
from zcbus.control.features.index_statistics.groups import all_of, groups_of
from zcbus.control.features.index_statistics.period import Period
from zcbus.control.features.index_statistics.schemas import Grouping
from zcbus.control.features.overview_monitor.schemas import BusyTable, HistoryRecord, ScreenRecord
from zcbus.control.features.point_to_point import listing as ways
from zcbus.control.features.point_to_point.schemas import WayPageRequest
from zcbus.control.features.subscribe import tables
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import answer_page
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.model.states import SyncState

SHOWN_WAYS = 12
SHOWN_TABLES = 10
SHOWN_ALERTS = 8
SHOWN_HOSTS = 8
_HOUR = 3600


def screen(call: Call) -> ScreenRecord:
    """The present state of everything that the caller may see."""
    now = call.services.clock.now()
    overview = home.overview(call.connection, call.principal, ReasonTexts.of(call), now)
    busiest = WayPageRequest(size=SHOWN_WAYS, sort="rowsPerSecond", order="desc")
    found_ways = answer_page(call, busiest, ways.ways(call.principal, busiest, now))
    lasting = AlertPageRequest(size=SHOWN_ALERTS, open=True)
    found_alerts = answer_page(call, lasting, alerts.listing(call, lasting))
    return ScreenRecord(
        at=overview.at,
        links=overview.links,
        tables=overview.tables,
        services=overview.services,
        stale_links=overview.stale_links,
        problems=overview.problems_total,
        rows_per_second=overview.rows_per_second,
        lag_ms=overview.lag_ms,
        ways=found_ways.records,
        ways_total=found_ways.total,
        busy_tables=[_busy(row) for row in tables.busiest_tables(call.connection, call.principal, SHOWN_TABLES)],
        alerts=found_alerts.records,
        alerts_total=found_alerts.total,
        hosts=_by_need(overview.agents)[:SHOWN_HOSTS],
        hosts_total=len(overview.agents),
    )


def _busy(row: Row[Any]) -> BusyTable:
    return BusyTable(
        id=row.id,
        name=f"{row.source_schema}.{row.source_table}",
        link_id=row.link_id,
        link_name=row.link_name,
        state=SyncState(row.current_state),
        rows_per_second=round(row.rows_per_second, 1),
        lag_ms=row.current_lag_ms,
    )


def _by_need(agents: Sequence[AgentRecord]) -> list[AgentRecord]:
    """Silent hosts first, then those whose disk is fullest."""

    def fullness(agent: AgentRecord) -> float:
        return (agent.disk_used or 0) / agent.disk_total if agent.disk_total else 0.0

    return sorted(agents, key=lambda agent: (agent.alive, -fullness(agent), agent.host))


def history(call: Call) -> HistoryRecord:
    """The last hour of everything that the caller may see, together."""
    period = Period.minutes(_HOUR, call.services.clock.now())
    whole = all_of(groups_of(call.connection, call.principal, Grouping.NODE))
    measured = figures.measure(call.services.metric_store, [whole], period, 0)
    applied, captured = figures.chart_points(whole, measured, period)
    return HistoryRecord(
        times=period.times(),
        captured=changes_per_second(captured),
        applied=changes_per_second(applied),
        lag_ms=shown(applied[:, -1]),
    )
