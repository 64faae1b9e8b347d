"""Calls that open terminals. Their tickets are good for one socket, within half a minute."""

from zcbus.control.features.container import agents
from zcbus.control.features.container import service as containers
from zcbus.control.features.machine import service as machines
from zcbus.control.features.terminal import log, shell
from zcbus.control.features.terminal.schemas import HostLogSearch, LogTicket, TerminalChoice, TerminalTicket
from zcbus.control.platform import service_logs as logs
from zcbus.control.platform.agent_requests import Destination
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api
from zcbus.control.platform.service_logs import LogSearchResult
from zcbus.control.platform.tickets import create_ticket
from zcbus.protocol.requests import AGENT_LOG

api = Api("terminal")


@api.change("/api/zcbus/container/terminal/ssh/open", authorise(machines.MENU_KEY, Operation.OPERATE))
def open_shell(call: Call, body: TerminalChoice) -> TerminalTicket:
    """A ticket for a shell on an agent's host (`/ws/ssh/{deviceId}`)."""
    agent = agents.find_agent(call.connection, call.principal, body.device_id)
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


@api.change("/api/zcbus/container/host/log/open", authorise(machines.MENU_KEY, Operation.OPERATE))
def open_host_log(call: Call, body: TerminalChoice) -> LogTicket:
    """A ticket for the log of an agent (`/ws/docker/{deviceId}`)."""
    agent = agents.find_agent(call.connection, call.principal, body.device_id)
    call.audit.subject = agent.host
    ticket = create_ticket(call, log.PURPOSE, agent.id)
    return LogTicket(ticket=ticket, path=f"/ws/docker/{agent.id}", log_file=log.file_of(AGENT_LOG))


@api.read("/api/zcbus/container/host/log/search", authorise(machines.MENU_KEY, Operation.OPERATE), unit=Unit.OWN)
def search_host_log(call: Call, body: HostLogSearch) -> LogSearchResult:
    """Search the log of an agent on its host, older files of it included."""
    with call.services.database.read() as connection:
        agent = agents.find_agent(connection, call.principal, body.device_id)
    destination = Destination(agent.container_id, agent.host, agent.id)
    return logs.search(call.services, destination, AGENT_LOG, body)
