"""Requests and answers of alerts."""

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from zcbus.control.platform.faults import field_fault
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.reasons import ReasonRecord
from zcbus.control.platform.schema import Schema
from zcbus.control.store.columns import ID_LENGTH
from zcbus.model.services import ApplyingClient

Id = Annotated[str, StringConstraints(min_length=1, max_length=ID_LENGTH)]

MESSAGE_LENGTH = 200


class AlertPageRequest(PageRequest):
    """`status`: 0 unread, 1 history; left out: both. `customerId`: a tenant or a subscriber; left out: all the caller
    may see."""

    customer_id: str | None = Field(default=None, max_length=ID_LENGTH)
    status: Literal[0, 1] | None = None


class AlertRecord(Schema):
    """One alert in the caller's language. `level`: 0 general, 1 attention, 3 important. `recoveredTime`: since when
    what happened is over; null while it lasts, and for messages. `reason`: why, and what to do about it."""

    id: str
    customer_id: str
    customer_name: str
    client_type: ApplyingClient
    kind: str
    level: int
    content: str
    reason: ReasonRecord | None
    remedy: str
    status: int
    record_time: datetime
    update_time: datetime
    recovered_time: datetime | None
    link_id: str | None
    task_id: str | None


class AlertStatusRequest(Schema):
    """Makes one alert history (`id`), or all the caller may see (`type` = all)."""

    id: Id | None = None
    type: Literal["all"] | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.id is None) == (self.type is None):
            raise field_fault("id-or-all")
        return self


class DeliveryRequest(Schema):
    """A message for subscribers (`customerList`: their ids)."""

    content: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MESSAGE_LENGTH)]
    customer_list: list[Id] = Field(min_length=1, max_length=1000)


class UnreadRequest(Schema):
    """`customerId` as in the list."""

    customer_id: str | None = Field(default=None, max_length=ID_LENGTH)


ALERTS = ListDefinition[AlertRecord](
    AlertRecord,
    {
        "recordTime": "record_time",
        "updateTime": "update_time",
        "level": "level",
        "customerName": "customer_name",
    },
)
