"""Requests and answers of alerts."""

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import AwareDatetime, Field, StringConstraints, model_validator

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
    may see. `open`: whether what happened lasts. `mine`: only those assigned to the caller."""

    customer_id: str | None = Field(default=None, max_length=ID_LENGTH)
    status: Literal[0, 1] | None = None
    open: bool | None = None
    acknowledged: bool | None = None
    mine: bool = False


class AlertRecord(Schema):
    """One alert in the caller's language. `level`: 0 general, 1 attention, 3 important. `recoveredTime`: since when
    what happened is over; null while it lasts, and for messages. `open`: whether it lasts. `objectName`: what a mute
    of its object is about; null where it cannot be muted. `mutedUntil`: null where no mute in force covers it. `muted`:
    it was raised while muted, and receivers were not notified. `resolvedTime`, `resolvedBy`: who calls it mended;
    it is open until that is measured. `reason`: why, and what to do about it."""

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
    open: bool
    acknowledged_time: datetime | None
    acknowledged_by: str | None
    resolved_time: datetime | None
    resolved_by: str | None
    assignee_id: str | None
    assignee_name: str | None
    kind_name: str
    object_name: str | None
    muted_until: datetime | None
    muted: bool
    link_id: str | None
    task_id: str | None


class AlertStatusRequest(Schema):
    """Marks one alert as history (`id`), or all the caller may see (`type` = all)."""

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


class AlertChoice(Schema):
    id: Id


class AssignRequest(AlertChoice):
    """`userId`: the user who handles it; null: none."""

    user_id: Id | None = None


class AssigneePageRequest(PageRequest, AlertChoice):
    """Whom an alert (`id`) can be assigned to. `search`: part of the name."""

    search: str = Field("", max_length=100)


class Assignee(Schema):
    """A user of the alert's tenant."""

    id: str
    user_name: str
    nick_name: str


class MuteRequest(AlertChoice):
    """Mutes what an alert (`id`) is one of: alerts of its kind about its object, of its kind about anything, or of any
    kind about its object. Its object is its link, or what it is about where no link is concerned."""

    scope: Literal["kind-of-object", "kind", "object"]
    until: AwareDatetime


class MutePageRequest(PageRequest):
    """`search`: part of the object's name."""

    search: str = Field("", max_length=200)


class MuteChoice(Schema):
    id: Id


class MuteRecord(Schema):
    """A mute in force. `kind`, `kindName`: null: of any kind. `objectName`: null: about any object."""

    id: str
    kind: str | None
    kind_name: str | None
    object_name: str | None
    until: datetime
    created_by: str
    created_at: datetime


ASSIGNEES = ListDefinition[Assignee](Assignee, {"userName": "user_name"})
MUTES = ListDefinition[MuteRecord](
    MuteRecord, {"objectName": "object_name", "until": "until", "createdBy": "created_by", "createdAt": "created_at"}
)
