"""Calls of key figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from zcbus.control.features.index_statistics import figures
from zcbus.control.features.index_statistics.charts import series_record
from zcbus.control.features.index_statistics.groups import Group, all_of, groups_of
from zcbus.control.features.index_statistics.period import Period
from zcbus.control.features.index_statistics.schemas import (
    INDEXES,
    IndexDetail,
    IndexDetailRequest,
    IndexPageRequest,
    IndexRecord,
)
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.menus import Operation
from zcbus.control.platform.paging import Page, page_of
from zcbus.control.platform.routing import Api

api = Api("index-statistics")

_VIEW = authorise("monitor/index-statistics", Operation.VIEW)


@api.read("/api/zcbus/monitor/index-statistics/page", _VIEW, lists=INDEXES)
def page(call: Call, body: IndexPageRequest) -> Page[IndexRecord]:
    """Key figures of tenants, containers, nodes or links by page, a period against the one before."""
    INDEXES.check(body)
    text = body.search.strip().casefold()
    groups = [group for group in groups_of(call.connection, call.principal, body.by) if text in group.name.casefold()]
    both = _Both.of(call, groups, Period.of(body, call.services.clock.now()))
    return page_of((both.record(group) for group in groups), body, INDEXES)


@api.read("/api/zcbus/monitor/index-statistics/get", _VIEW)
def get(call: Call, body: IndexDetailRequest) -> IndexDetail:
    """Key figures of one group or of everything, with charts."""
    groups = groups_of(call.connection, call.principal, body.by)
    if body.id is not None:
        groups = [group for group in groups if group.id == body.id]
        if not groups:
            raise RecordNotFoundError(kind=body.by.value, id=body.id)
    period = Period.of(body, call.services.clock.now())
    whole = all_of(groups)
    both = _Both.of(call, [whole], period)
    record = both.record(whole)
    points = [figures.chart_points(whole, measured, period) for measured in (both.current, both.before)]
    return IndexDetail(
        current=record.current,
        before=record.before,
        start=period.start * 1000,
        end=period.end * 1000,
        before_start=(period.start - period.shift) * 1000,
        before_end=(period.end - period.shift) * 1000,
        interval_ms=period.tier.step * 1000,
        series=series_record(points[0], points[1], period, call.language),
    )


@dataclass(frozen=True, slots=True)
class _Both:
    """Metrics of a period and of the one before."""

    period: Period
    current: figures.Measured
    before: figures.Measured

    @classmethod
    def of(cls, call: Call, groups: Sequence[Group], period: Period) -> "_Both":
        measure = partial(figures.measure, call.services.metric_store, groups, period)
        return cls(period, measure(0), measure(period.shift))

    def record(self, group: Group) -> IndexRecord:
        current, before = (figures.key_figures(group, one, self.period) for one in (self.current, self.before))
        return IndexRecord(id=group.id, name=group.name, current=current, before=before)
