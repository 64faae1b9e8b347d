"""Calls of alerts (the specification's 7.2)."""

from fastapi import Query

from zcbus.control.features.alert import service
from zcbus.control.features.alert.schemas import (
    ALERTS,
    AlertPageRequest,
    AlertRecord,
    AlertStatusRequest,
    DeliveryRequest,
    UnreadRequest,
)
from zcbus.control.platform.authorisation import signed_in
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import Page, answer_page
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.platform.routing import Api
from zcbus.control.store.columns import ID_LENGTH

api = Api("alert")


@api.read("/api/zcbus/sys/alarmmsg/page", signed_in(), lists=ALERTS)
def page(call: Call, body: AlertPageRequest) -> Page[AlertRecord]:
    """Alerts of the tenants the caller may see, the newest first."""
    return answer_page(call, body, service.listing(call.principal, body, ReasonTexts.of(call)))


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
    """How many alerts are unread; the customer stands in the address."""
    return service.count_unread(call.connection, call.principal, customer_id)
