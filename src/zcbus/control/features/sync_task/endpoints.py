"""Calls of sync tasks. Actions on a task are those of its link: see `sync_link`."""

from zcbus.control.features.parameter import service as parameters
from zcbus.control.features.subscribe import tables, views
from zcbus.control.features.subscribe.schemas import SUBSCRIBED_TABLES
from zcbus.control.features.sync_link.listing import LINKS
from zcbus.control.features.sync_task import service
from zcbus.control.features.sync_task.schemas import (
    TaskChoice,
    TaskDetail,
    TaskPageRequest,
    TaskRecord,
    TaskTablePageRequest,
    TaskTableRecord,
)
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import Page, answer_page
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


@api.read("/api/zcbus/sync/task/get", _VIEW)
def get(call: Call, body: TaskChoice) -> TaskDetail:
    """One sync task with its milestones."""
    return service.task_detail(call, service.find_task(call, body.id))


@api.read("/api/zcbus/sync/task/table/page", _VIEW, lists=SUBSCRIBED_TABLES)
def page_tables(call: Call, body: TaskTablePageRequest) -> Page[TaskTableRecord]:
    """Tables of a task as they are now."""
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
    return answer_page(call, body, listing)
