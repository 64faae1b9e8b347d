"""The call for metrics."""

from zcbus.control.features.metric import series, subjects
from zcbus.control.features.metric.schemas import SeriesRecord, SeriesRequest
from zcbus.control.platform.call import Call
from zcbus.control.platform.routing import Api

api = Api("metrics")


@api.read("/api/zcbus/metrics/series", subjects.ANY_SUBJECT)
def read_series(call: Call, body: SeriesRequest) -> SeriesRecord:
    """Series of a link, task, channel, customer, table, node, service, host or container in a range of time."""
    parts = subjects.find(call.connection, call.principal, body.kind, body.id)
    return series.read(call.services.metric_store, parts, body, call.language, call.services.clock.now())
