"""The call that stops publishing single tables; it is told to those who subscribe them."""

from zcbus.control.features.publish import tables as published
from zcbus.control.features.publish.schemas import PublishedChoice, PublishTableAction, TableResult
from zcbus.control.features.subscribe import steering, tables, unbound
from zcbus.control.features.subscribe.etl_endpoints import api as api
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.outcomes import tell
from zcbus.control.platform.principal import Operation


@api.change("/api/zcbus/publish/table/stop", authorise("publish", Operation.OPERATE))
def stop_published_tables(call: Call, body: PublishedChoice) -> list[TableResult]:
    """No longer capture tables. Who subscribes them gives up where they stand, and loads them again or accepts the gap:
    that, or publishing again, captures them anew. Answers what became of each."""
    results = published.act(call, body, PublishTableAction.STOP)
    stopped = [one.id for one in results if one.done and one.id is not None]
    readers = tables.readers_of(call.connection, stopped)
    steering.begin_anew(call.connection, readers, None, held=True)
    unbound.forget(call.connection, stopped)
    steering.announce(call.connection, readers)
    return tell(call, results, PublishTableAction.STOP.value, subject=body.node_master)
