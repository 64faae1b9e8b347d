"""Calls of alerts (the specification's 7.2)."""

from fastapi import Query

from zcbus.control.features.alert import handling, mutes, service
from zcbus.control.features.alert.schemas import (
    ALERTS,
    ASSIGNEES,
    MUTES,
    AlertChoice,
    AlertPageRequest,
    AlertRecord,
    AlertStatusRequest,
    Assignee,
    AssigneePageRequest,
    AssignRequest,
    DeliveryRequest,
    MuteChoice,
    MutePageRequest,
    MuteRecord,
    MuteRequest,
    UnreadRequest,
)
from zcbus.control.platform.authorisation import authorise, signed_in
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import Page, answer_page
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api
from zcbus.control.store.columns import ID_LENGTH

api = Api("alert")

# A mute affects receivers of the whole tenant.
_MESSAGES = "system/message-management"
_VIEW = authorise(_MESSAGES, Operation.VIEW)
_OPERATE = authorise(_MESSAGES, Operation.OPERATE)


@api.read("/api/zcbus/sys/alarmmsg/page", signed_in(), lists=ALERTS)
def page(call: Call, body: AlertPageRequest) -> Page[AlertRecord]:
    """Alerts of the tenants the caller may see, the newest first."""
    return answer_page(call, body, service.listing(call, body))


@api.change("/api/zcbus/sys/alarmmsg/setstatus", signed_in())
def set_status(call: Call, body: AlertStatusRequest) -> int:
    """Make unread alerts history; answers how many."""
    call.audit.subject = body.id or "all"
    return service.mark_read(call.connection, call.principal, body.id)


@api.change("/api/zcbus/sys/alarmmsg/save", signed_in())
def save(call: Call, body: DeliveryRequest) -> int:
    """Deliver a message to subscribers; answers to how many. For user types 3, 30 and 40 that are not remote
    clients."""
    call.audit.subject = f"{len(body.customer_list)}"
    return service.deliver(call.connection, call.principal, body, call.services)


@api.read("/api/zcbus/sys/alarmmsg/countUnRead", signed_in())
def count_unread(call: Call, body: UnreadRequest) -> int:
    """How many alerts are unread."""
    return service.count_unread(call.connection, call.principal, body.customer_id)


@api.read("/api/zcbus/sys/alarmmsg/countUnRead", signed_in(), method="GET")
def count_unread_of_customer(
    call: Call, customer_id: str | None = Query(default=None, alias="customerId", max_length=ID_LENGTH)
) -> int:
    """Number of unread alerts; the customer is in the path."""
    return service.count_unread(call.connection, call.principal, customer_id)


@api.change("/api/zcbus/sys/alarmmsg/acknowledge", signed_in())
def acknowledge(call: Call, body: AlertChoice) -> None:
    """Note that the caller knows of an open alert. It is history then."""
    row = handling.find(call, body.id)
    call.audit.subject = f"{row.kind} {row.customer_name}"
    handling.acknowledge(call, row)


@api.change("/api/zcbus/sys/alarmmsg/resolve", _OPERATE)
def resolve(call: Call, body: AlertChoice) -> None:
    """Note that what an open alert is about is mended. It rings again if it still lasts after ten minutes."""
    row = handling.find(call, body.id)
    call.audit.subject = f"{row.kind} {row.customer_name}"
    handling.resolve(call, row)


@api.change("/api/zcbus/sys/alarmmsg/assign", _OPERATE)
def assign(call: Call, body: AssignRequest) -> None:
    """Assign an open alert to a user, or to none."""
    row = handling.find(call, body.id)
    call.audit.subject = f"{row.kind} {row.customer_name}"
    call.audit.before = {"assignee": row.assignee_name}
    call.audit.after = {"assignee": handling.assign(call, row, body.user_id)}


@api.read("/api/zcbus/sys/alarmmsg/assignee/page", _OPERATE, lists=ASSIGNEES)
def page_assignees(call: Call, body: AssigneePageRequest) -> Page[Assignee]:
    """Users that an alert can be assigned to."""
    return answer_page(call, body, handling.assignees(call, body))


@api.change("/api/zcbus/sys/alarmmsg/mute/add", _OPERATE)
def add_mute(call: Call, body: MuteRequest) -> None:
    """Suppress notices of alerts of one kind, about one object, or both, until a time."""
    row = handling.find(call, body.id)
    call.audit.subject = f"{row.kind} {row.customer_name}"
    call.audit.after = {"scope": body.scope, "until": body.until.isoformat()}
    mutes.add(call, body)


@api.read("/api/zcbus/sys/alarmmsg/mute/page", _VIEW, lists=MUTES)
def page_mutes(call: Call, body: MutePageRequest) -> Page[MuteRecord]:
    """Mutes in force; what ends first comes first."""
    return answer_page(call, body, mutes.listing(call, body))


@api.change("/api/zcbus/sys/alarmmsg/mute/end", _OPERATE)
def end_mute(call: Call, body: MuteChoice) -> None:
    """End a mute before its time. What it muted and still lasts is unread then, and receivers get it."""
    row = mutes.end(call, body.id)
    call.audit.subject = row.object_name or row.kind
    call.audit.before = {"kind": row.kind, "object": row.object_name, "until": row.until.isoformat()}
