"""Calls of sync tasks. Actions on a task are those of its link: see `sync_link`."""

from zcbus.control.features.parameter import service as parameters
from zcbus.control.features.subscribe import tables, views
from zcbus.control.features.subscribe.schemas import SUBSCRIBED_TABLES
from zcbus.control.features.sync_link.listing import LINKS
from zcbus.control.features.sync_task import repository, service
from zcbus.control.features.sync_task.schemas import (
    TaskChoice,
    TaskDetail,
    TaskPageRequest,
    TaskRecord,
    TaskTablePage,
    TaskTablePageRequest,
    TaskTableRecord,
)
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.paging import Page, answer_page, with_totals
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.platform.routing import Api
from zcbus.model.reduction.services import is_stale

api = Api("sync-task")

_VIEW = authorise("sync-task", Operation.VIEW)


@api.read("/api/zcbus/sync/task/page", _VIEW, lists=LINKS)
def page(call: Call, body: TaskPageRequest) -> Page[TaskRecord]:
    """Sync tasks with their state and figures."""
    return service.page_tasks(call, body)


@api.read("/api/zcbus/sync/task/get", _VIEW, unit=Unit.SNAPSHOT)
def get(call: Call, body: TaskChoice) -> TaskDetail:
    """One sync task with its milestones."""
    return service.task_detail(call, service.find_task(call, body.id))


@api.read("/api/zcbus/sync/task/table/page", _VIEW, unit=Unit.SNAPSHOT, lists=SUBSCRIBED_TABLES)
def page_tables(call: Call, body: TaskTablePageRequest) -> TaskTablePage:
    """Tables of a task as they are now, with totals of the same moment."""
    link = service.find_task(call, body.id)
    stale = is_stale(link.agent_seen_at, call.services.clock.now())
    table, texts = views.tables(), ReasonTexts.of(call)
    limit = parameters.lag_limit_seconds(call.connection)
    listing = tables.listing(
        table,
        table.c.task_id == body.id,
        body.search,
        body.state,
        lambda row: TaskTableRecord(**tables.figures(row, texts, stale, limit)),
    )
    groups = repository.select_progress(call.connection, body.id)
    found = answer_page(call, body, listing, service.listed_total(groups, body))
    return with_totals(found, TaskTablePage, service.task_totals(call, link, groups))
