"""Calls of the reconciliation of published changes."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.reconciliation import figures, queries
from zcbus.control.features.reconciliation.figures import Period
from zcbus.control.features.reconciliation.schemas import (
    FLOWS,
    MINUTES,
    TopicFlowGrouping,
    TopicFlowMinute,
    TopicFlowMinutesRequest,
    TopicFlowPageRequest,
    TopicFlowRecord,
)
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.menus import Operation
from zcbus.control.platform.paging import Listing, Page, answer_page, page_of
from zcbus.control.platform.routing import Api

api = Api("reconciliation")

_VIEW = authorise("monitor/pubAndSub-statistics", Operation.VIEW)
_COPIED = (
    *("id", "topic", "subscriber", "channel", "source", "target", "tables", "compared_at"),
    *("node_id", "link_id", "task_id", "customer_id", "client_type"),
)


@api.read("/api/zcbus/monitor/pubAndSub-statistics/page", _VIEW, lists=FLOWS)
def page(call: Call, body: TopicFlowPageRequest) -> Page[TopicFlowRecord]:
    """What became of the changes on topics, by page: of a subscriber's channels or tables."""
    found = queries.flows(call.principal, body)
    columns = found.selected_columns
    usual = [columns.rank.desc(), columns.topic, columns.subscriber, columns.id]
    period = Period.of(body, call.services.clock.now())
    return answer_page(call, body, Listing(FLOWS, found, usual, _record(call, body.by, period)))


@api.read("/api/zcbus/monitor/pubAndSub-statistics/minutes", _VIEW, lists=MINUTES)
def list_minutes(call: Call, body: TopicFlowMinutesRequest) -> Page[TopicFlowMinute]:
    """What became of the changes of a channel or a table, minute by minute."""
    if call.connection.execute(queries.one(call.principal, body.by, body.id)).first() is None:
        raise RecordNotFoundError(kind=body.by.value, id=body.id)
    period = Period.of(body, call.services.clock.now())
    found = figures.minutes(call.services.metric_store, body.by, body.id, period)
    return page_of((one for one in found if body.all or figures.happened(one)), body, MINUTES)


def _record(call: Call, by: TopicFlowGrouping, period: Period) -> Callable[[Row[Any]], TopicFlowRecord]:
    def of_row(row: Row[Any]) -> TopicFlowRecord:
        sums = figures.sums(call.services.metric_store, by, row.id, period)
        return TopicFlowRecord(
            **{name: getattr(row, name) for name in _COPIED},
            published=sums.published,
            applied=sums.applied,
            skipped=sums.skipped,
            filtered=sums.filtered,
            refused=sums.refused,
            state=queries.STATES[row.rank],
            waiting=None if row.waiting is None else int(row.waiting),
            difference=int(row.difference),
            row_errors=int(row.row_errors),
            measured_percent=sums.measured_percent,
        )

    return of_row
