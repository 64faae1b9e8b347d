"""What the monitoring screen shows."""

from datetime import datetime

from zcbus.control.features.alert.schemas import AlertRecord
from zcbus.control.features.container.schemas import AgentRecord
from zcbus.control.features.home.schemas import LinkCount, ServiceCount, TableCount
from zcbus.control.features.point_to_point.schemas import WayRecord
from zcbus.control.platform.schema import Schema
from zcbus.model.states import SyncState


class BusyTable(Schema):
    """A table that changes are applied to now. `lagMs`: null where nothing waits."""

    id: str
    name: str
    link_id: str | None
    link_name: str
    state: SyncState
    rows_per_second: float
    lag_ms: int | None


class ScreenRecord(Schema):
    """The present, from one reading of the store. Lists have the most important entries only: `ways` and `tables` by
    rows per second, `alerts` those that last, the newest first, `hosts` those without contact first; the totals say of
    how many."""

    at: datetime
    links: list[LinkCount]
    tables: list[TableCount]
    services: list[ServiceCount]
    stale_links: int
    problems: int
    rows_per_second: float
    lag_ms: int | None
    ways: list[WayRecord]
    ways_total: int
    busy_tables: list[BusyTable]
    alerts: list[AlertRecord]
    alerts_total: int
    hosts: list[AgentRecord]
    hosts_total: int


class HistoryRecord(Schema):
    """The last hour, a point a minute. `times`: beginnings of the minutes, milliseconds since 1970; rows per second
    that were captured and applied, and the highest lag; null where nothing was measured."""

    times: list[int]
    captured: list[float | None]
    applied: list[float | None]
    lag_ms: list[float | None]
