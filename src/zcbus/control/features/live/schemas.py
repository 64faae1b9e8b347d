"""Answers about live events."""

from zcbus.control.platform.schema import Schema


class LiveTicket(Schema):
    """Opens the socket at `path`, once, within half a minute: the second subprotocol after `zcbus`."""

    ticket: str
    path: str
