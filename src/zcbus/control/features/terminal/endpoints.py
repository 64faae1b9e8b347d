"""Calls that open terminals. Their tickets are good for one socket, within half a minute."""

from zcbus.control.features.container import service as containers
from zcbus.control.features.machine import service as machines
from zcbus.control.features.terminal import log, shell
from zcbus.control.features.terminal.schemas import LogTicket, TerminalChoice, TerminalTicket
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api
from zcbus.control.platform.tickets import create_ticket

api = Api("terminal")


@api.change("/api/zcbus/container/terminal/ssh/open", authorise(machines.MENU_KEY, Operation.OPERATE))
def open_shell(call: Call, body: TerminalChoice) -> TerminalTicket:
    """A ticket for a shell on an agent's host (`/ws/ssh/{deviceId}`)."""
    agent = containers.find_agent(call.connection, call.principal, body.device_id)
    machines.access_to(call.connection, call.services.secrets, agent.id)
    call.audit.subject = agent.host
    ticket = create_ticket(call, shell.PURPOSE, agent.id)
    return TerminalTicket(ticket=ticket, path=f"/ws/ssh/{agent.id}")


@api.change("/api/zcbus/container/terminal/log/open", authorise("sync-link", Operation.VIEW))
def open_log(call: Call, body: TerminalChoice) -> LogTicket:
    """A ticket for the log of a service (`/ws/docker/{deviceId}`; the service is the device)."""
    service = containers.find_service(call.connection, call.principal, body.device_id)
    call.audit.subject = service.name
    ticket = create_ticket(call, log.PURPOSE, service.id)
    return LogTicket(ticket=ticket, path=f"/ws/docker/{service.id}", log_file=log.file_of(service.id))
