"""Requests and answers about anomalies."""

from datetime import datetime
from enum import StrEnum

from pydantic import AwareDatetime, Field

from zcbus.control.features.alert.kinds import Kind
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.schema import Schema
from zcbus.model.services import ApplyingClient

CLASSES = (
    Kind.ROW_ERRORS,
    Kind.TABLE_FAILED,
    Kind.STREAM_QUERY_FAILED,
    Kind.DIFFERENCES,
    Kind.CHANGES_UNACCOUNTED,
    Kind.SERVICE_CRASHED,
    Kind.SERVICE_ABNORMAL,
    Kind.SERVICE_WAITING,
    Kind.JSON_TOPIC_GAP,
)
"""Alerts that count as anomalies. Others announce something, or follow from one of these."""


class AnomalyGrouping(StrEnum):
    """Grouping of occurrences. Object: a table, a service, or a link."""

    CLASS = "class"
    CAUSE = "cause"
    OBJECT = "object"


class AnomalyPageRequest(PageRequest):
    """Anomalies by page, the most frequent first. `kind`, `cause`: of a record. `since`, `until`: when an occurrence
    began. `search`: a part of the name of the class, the cause, the object or the link."""

    by: AnomalyGrouping = AnomalyGrouping.CLASS
    kind: str | None = Field(None, max_length=30)
    cause: str | None = Field(None, max_length=200)
    since: AwareDatetime | None = None
    until: AwareDatetime | None = None
    search: str = Field("", max_length=100)


class AnomalyRecord(Schema):
    """Occurrences that are counted together. `cause`: the code of a reason, empty where there is none; null where
    causes are counted together. `object`, `linkName`: empty where objects are. `occurrences`: those that began in
    the range; what happens again before it recovers is one. `open`: those that have not recovered. `rows`: of row
    errors and differences, as last reported of each occurrence; null for other classes. `taskId`, `linkId`,
    `customerId`: where the object is found."""

    id: str
    kind: str
    kind_name: str
    cause: str | None
    cause_text: str
    object: str
    link_name: str
    link_id: str | None
    task_id: str | None
    customer_id: str | None
    client_type: ApplyingClient
    occurrences: int
    open: int
    rows: int | None
    first_at: datetime
    last_at: datetime


ANOMALIES = ListDefinition[AnomalyRecord](
    AnomalyRecord,
    sort_keys={
        "kindName": lambda record: record.kind_name,
        "causeText": lambda record: record.cause_text,
        "object": lambda record: record.object,
        "linkName": lambda record: record.link_name,
        "occurrences": lambda record: record.occurrences,
        "open": lambda record: record.open,
        "rows": lambda record: (record.rows is not None, record.rows or 0),
        "firstAt": lambda record: record.first_at,
        "lastAt": lambda record: record.last_at,
    },
)
