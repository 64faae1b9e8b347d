"""Calls of receivers of notices and of deliveries to them (the specification's message management)."""

from zcbus.control.features.captcha.deletion import confirm_deletion
from zcbus.control.features.notification import deliveries, receivers
from zcbus.control.features.notification.schemas import (
    DELIVERIES,
    RECEIVERS,
    NoticeDeliveryChoice,
    NoticeDeliveryPageRequest,
    NoticeDeliveryRecord,
    ReceiverChange,
    ReceiverChoice,
    ReceiverDeletion,
    ReceiverInput,
    ReceiverPageRequest,
    ReceiverRecord,
)
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.paging import Page, answer_page
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.platform.routing import Api

api = Api("notification")

MENU_KEY = "system/message-management"
_VIEW = authorise(MENU_KEY, Operation.VIEW)
_OPERATE = authorise(MENU_KEY, Operation.OPERATE)
_BASE = "/api/zcbus/sys/notice"


@api.read(f"{_BASE}/receiver/page", _VIEW, lists=RECEIVERS)
def page_receivers(call: Call, body: ReceiverPageRequest) -> Page[ReceiverRecord]:
    """Receivers of notices, with the state of their newest delivery."""
    return answer_page(call, body, receivers.listing(call, body))


@api.change(f"{_BASE}/receiver/add", authorise(MENU_KEY, Operation.CREATE))
def add_receiver(call: Call, body: ReceiverInput) -> ReceiverRecord:
    """Create a receiver. Its secrets are never answered."""
    call.audit.subject, call.audit.after = body.name, {"way": body.way}
    return _recorded(call, receivers.add(call, body))


@api.change(f"{_BASE}/receiver/edit", authorise(MENU_KEY, Operation.EDIT))
def edit_receiver(call: Call, body: ReceiverChange) -> ReceiverRecord:
    """Change a receiver, but not its way. A stored password or key is kept only for the server it was given for."""
    call.audit.subject, call.audit.after = body.name, {"way": body.way}
    row = receivers.find(call, body.id)
    call.audit.before = receivers.plain(call, row)
    receivers.edit(call, row, body)
    return _recorded(call, row.id)


@api.change(f"{_BASE}/receiver/test", _OPERATE, unit=Unit.OWN)
def test_receiver(call: Call, body: ReceiverChoice) -> NoticeDeliveryRecord:
    """Send a test at once and answer its result. Takes up to a minute."""
    return deliveries.record(receivers.send_test(call, body.id), ReasonTexts.of(call))


@api.change(f"{_BASE}/receiver/delete", authorise(MENU_KEY, Operation.DELETE))
def delete_receiver(call: Call, body: ReceiverDeletion) -> None:
    """Remove a receiver; its pending deliveries fail, and stay in the list. Codes 40104 and 40105 concern the
    captcha."""
    confirm_deletion(call, body)
    row = receivers.find(call, body.id)
    call.audit.subject, call.audit.before, call.audit.after = row.name, receivers.plain(call, row), None
    receivers.delete(call, row)


@api.read(f"{_BASE}/delivery/page", _VIEW, lists=DELIVERIES)
def page_deliveries(call: Call, body: NoticeDeliveryPageRequest) -> Page[NoticeDeliveryRecord]:
    """Notices by receiver with their states, the newest first."""
    return answer_page(call, body, deliveries.listing(call, body))


@api.change(f"{_BASE}/delivery/resend", _OPERATE)
def resend_delivery(call: Call, body: NoticeDeliveryChoice) -> None:
    """Send a notice again that was sent or failed."""
    row = deliveries.find(call, body.id)
    call.audit.subject = f"{row.receiver_name}: {row.title}"
    deliveries.resend(call, row)


def _recorded(call: Call, receiver_id: str) -> ReceiverRecord:
    row = receivers.find(call, receiver_id)
    call.audit.after = receivers.plain(call, row)
    return receivers.record(call, row)
