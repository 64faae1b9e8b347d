"""Calls of anomalies."""

from zcbus.control.features.anomaly_statistics import queries
from zcbus.control.features.anomaly_statistics.counting import count
from zcbus.control.features.anomaly_statistics.schemas import ANOMALIES, AnomalyPageRequest, AnomalyRecord
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.menus import Operation
from zcbus.control.platform.paging import Page, page_of
from zcbus.control.platform.routing import Api

api = Api("anomaly-statistics")


@api.read(
    "/api/zcbus/monitor/anomaly-statistics/page",
    authorise("monitor/anomaly-statistics", Operation.VIEW),
    lists=ANOMALIES,
)
def page(call: Call, body: AnomalyPageRequest) -> Page[AnomalyRecord]:
    """Row errors, failed tables, differences and trouble of services, counted by class, cause or object."""
    ANOMALIES.check(body)
    records = count(call, queries.occurrences(call.connection, call.principal, body), body.by)
    text = body.search.strip().casefold()
    return page_of((record for record in records if text in _searched(record)), body, ANOMALIES)


def _searched(record: AnomalyRecord) -> str:
    return "\n".join((record.kind_name, record.cause_text, record.object, record.link_name)).casefold()
