"""The call for a timeline."""

from zcbus.control.features.metric import subjects
from zcbus.control.features.timeline import entries, scope
from zcbus.control.features.timeline.schemas import ENTRIES, TimelineEntry, TimelinePageRequest
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import Page, answer_page
from zcbus.control.platform.routing import Api

api = Api("timeline")


@api.read("/api/zcbus/timeline/page", subjects.ANY_SUBJECT, lists=ENTRIES)
def page(call: Call, body: TimelinePageRequest) -> Page[TimelineEntry]:
    """What happened to a link, task, channel, customer, table, node, service, host or container, by page, the newest
    first. Needs the right to view it, as its metrics do."""
    subjects.find(call.connection, call.principal, body.kind, body.id)
    return answer_page(call, body, entries.listing(call, scope.find(call.connection, body.kind, body.id), body))
