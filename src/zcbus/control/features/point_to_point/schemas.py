"""Records of point to point."""

from pydantic import Field

from zcbus.control.features.datasource.schemas import ConnectionRecord
from zcbus.control.features.link_monitor.schemas import BeatState
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.schema import Schema


class WayPageRequest(PageRequest):
    """`search`: part of the name of a link or of where a database is. `state`: of the heartbeat."""

    search: str | None = Field(default=None, max_length=200)
    state: list[BeatState] | None = None


class WayRecord(Schema):
    """A sync link as one way. `state`: how its heartbeat goes; `tookMs`: the heartbeat's way, null: not measured.
    `lagMs`, `rowsPerSecond`: null while its agent is silent."""

    id: str
    name: str
    link_id: str
    task_id: str
    source: ConnectionRecord
    target: ConnectionRecord
    state: BeatState
    tables: int
    failed: int
    rows_per_second: float | None
    lag_ms: int | None
    took_ms: int | None


class WayTotals(Schema):
    """All ways together. `states`: number of ways by how their heartbeat goes; `lagMs`: the greatest."""

    ways: int
    states: dict[BeatState, int]
    tables: int
    failed: int
    rows_per_second: float
    lag_ms: int | None


WAYS = ListDefinition[WayRecord](
    WayRecord,
    {
        "name": "name",
        "state": "state",
        "tables": "tables",
        "rowsPerSecond": "rows_per_second",
        "lagMs": "lag_ms",
        "tookMs": "took_ms",
    },
)
