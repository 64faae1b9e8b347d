"""Requests and answers of terminals."""

from pydantic import Field

from zcbus.control.platform.schema import Schema
from zcbus.control.platform.service_logs import LogQuery
from zcbus.control.store.tables.container import AGENT_ID_LENGTH


class TerminalChoice(Schema):
    """The agent whose host is to be opened, or the service whose log is to be shown."""

    device_id: str = Field(min_length=1, max_length=AGENT_ID_LENGTH)


class HostLogSearch(LogQuery, TerminalChoice):
    """Of which host's agent."""


class TerminalTicket(Schema):
    """Opens the socket at `path`, once, within half a minute: the second subprotocol after `zcbus`."""

    ticket: str
    path: str


class LogTicket(TerminalTicket):
    """`logFile`: the file that the socket's commands may name."""

    log_file: str
