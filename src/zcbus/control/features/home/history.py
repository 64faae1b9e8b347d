"""What home shows of the past and of what comes: the last hour, the volume of each day, and the plans that are due."""

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np

from zcbus.control.features.home.schemas import DayVolume, DueJob, HistoryRequest, HomeHistory, LinkHistory
from zcbus.control.features.index_statistics import figures
from zcbus.control.features.index_statistics.charts import changes_per_second, shown
from zcbus.control.features.index_statistics.groups import Group, all_of, groups_of
from zcbus.control.features.index_statistics.period import Period
from zcbus.control.features.index_statistics.schemas import Grouping
from zcbus.control.features.task_plan import plans
from zcbus.control.platform.call import Call
from zcbus.control.store.metrics.series import Grid
from zcbus.control.store.metrics.store import MetricStore

SHOWN_DAYS = 14
SHOWN_PLANS = 5
_HOUR = 3600


def read_history(call: Call, request: HistoryRequest) -> HomeHistory:
    """Of everything the caller may see."""
    now, store = call.services.clock.now(), call.services.metric_store
    groups = groups_of(call.connection, call.principal, Grouping.LINK)
    whole, hour = all_of(groups), Period.minutes(_HOUR, now)
    measured = figures.measure(store, [whole], hour, 0)
    applied, _ = figures.chart_points(whole, measured, hour)
    asked = set(request.link_ids)
    return HomeHistory(
        times=hour.times(),
        rows_per_second=changes_per_second(applied),
        lag_ms=shown(applied[:, -1]),
        links=[
            LinkHistory(
                link_id=group.id,
                rows_per_second=changes_per_second(figures.chart_points(group, measured, hour)[0]),
            )
            for group in groups
            if group.id in asked
        ],
        days=_days(store, whole, Period.days(SHOWN_DAYS, request.utc_offset // 60, now)),
        plans=[DueJob(id=plan.id, name=plan.name, next_at=plan.next_at) for plan in plans.next_due(call, SHOWN_PLANS)],
    )


def _days(store: MetricStore, whole: Group, period: Period) -> list[DayVolume]:
    grid = figures.volume_points(whole, figures.measure(store, [whole], period, 0), period)
    changes, loaded = _counts(grid[:, 1 : 1 + len(figures.CHANGES)]), _counts(grid[:, -1:])
    return [
        DayVolume(at=datetime.fromtimestamp(at / 1000, UTC), changes=changes[place], rows_loaded=loaded[place])
        for place, at in enumerate(period.times())
    ]


def _counts(columns: Grid) -> Sequence[int | None]:
    """Sums over the columns, None where none was measured."""
    return [None if np.isnan(row).all() else round(float(np.nansum(row))) for row in columns]
