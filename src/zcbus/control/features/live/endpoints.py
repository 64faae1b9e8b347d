"""The call that opens the socket of live events."""

from zcbus.control.features.live import feed
from zcbus.control.features.live.schemas import LiveTicket
from zcbus.control.platform.authorisation import signed_in
from zcbus.control.platform.call import Call
from zcbus.control.platform.routing import Api
from zcbus.control.platform.schema import Empty
from zcbus.control.platform.sockets import NO_TARGET
from zcbus.control.platform.tickets import create_ticket

api = Api("live")


# Pages open their sockets by themselves, so the operation log has no record of it.
@api.change("/api/zcbus/live/open", signed_in(), audited=False)
def open_feed(call: Call, body: Empty) -> LiveTicket:
    """A ticket for the events of the caller's tenant (`/api/websocket`)."""
    return LiveTicket(ticket=create_ticket(call, feed.PURPOSE, NO_TARGET), path=feed.PATH)
