"""Messages between agent and control plane. The agent opens all connections, over HTTP.

- `POST /api/zcbus/agent/join` once in the life of a host: Join → Joined; the only call without the agent's own token.
- `POST /api/zcbus/agent/register` once per start: Registration → Registered.
- `POST /api/zcbus/agent/sync` about twice a second, sooner after an event: SyncRequest → SyncResponse. It carries
  reports to the control plane, and orders and requests to the agent. Repeating it is harmless: reports replace each
  other, answers are identified by their request.
- `POST /api/zcbus/agent/news`, a long poll: EventRequest → AgentEvents, once the next sync may bring something, or
  after EVENT_POLL_SECONDS. It only shortens the wait: what it misses arrives by the next sync.
"""

from collections.abc import Mapping
from datetime import datetime

from pydantic import Field, SecretStr, field_serializer

from zcbus.model.states import DesiredState
from zcbus.protocol.answers import Answer
from zcbus.protocol.base import Message
from zcbus.protocol.drivers import MAX_DRIVERS, Driver, DriverState
from zcbus.protocol.reports import Attempt, ServiceStatus
from zcbus.protocol.requests import Request
from zcbus.protocol.service_kinds import AnyReport, AnyTask

EVENT_POLL_SECONDS = 10.0
"""Timeout of the control plane for a long poll."""


class Join(Message):
    """A request of a host to join a container with a join token."""

    token: SecretStr = Field(max_length=100)
    agent: str = Field(min_length=1, max_length=64)
    host: str
    bus: str
    machine_code: str = ""
    """As in Registration."""
    certificate_request: str = Field("", max_length=4096)
    """Signing request for the agent's key, PKCS#10 in PEM; empty: no TLS."""
    present: SecretStr | None = Field(None, max_length=100)
    """The agent's current token: only with it an agent keeps its id in another container."""

    @field_serializer("token", "present", when_used="json")
    def _reveal_token(self, value: SecretStr | None) -> str | None:
        return value.get_secret_value() if value is not None else None


class Joined(Message):
    """The agent's new token, and its container."""

    token: SecretStr
    container: str
    certificate: str = ""
    """Client certificate in PEM, required together with the token. Empty: the token suffices."""

    @field_serializer("token", when_used="json")
    def _reveal_token(self, value: SecretStr) -> str:
        return value.get_secret_value()


class Registration(Message):
    """Registration of an agent, with its token in the header ZCBUS-TOKEN."""

    agent: str
    """Created by the agent at its first start and stored in its data folder."""
    host: str
    pid: int
    version: str
    container: str
    """Name of the agent's container (cluster)."""
    bus: str | None = None
    """Name of the bus, equal for all agents that share it; empty: no other agent reaches it. None: unknown."""
    machine_code: str = ""
    """Identifies the installation of the operating system; empty: unknown."""
    serial_number: str = ""
    """Serial number of the hardware; empty: the agent's user may not read it."""
    reads_route_references: bool = False
    """Whether this version of the agent takes references to secrets, in connections and routes."""


class Registered(Message):
    agent: str
    container: str


class Order(Message):
    """The desired state of one service."""

    service: str
    desired: DesiredState
    """RUNNING or STOPPED."""
    forced: bool = False
    """Stop or restart at once: kill the process group."""
    restart: int = 0
    """An increased number requests a restart; it also clears `can't start`."""
    leased: bool = False
    """Run it only while the lease from the control plane holds."""
    task: AnyTask
    removed: tuple[str, ...] | None = None
    """None: the task is complete.

    Otherwise the task contains only tables that are new or changed since the previous edition, and these ids were
    removed.
    """


class Reach(Message):
    """Networks that services of a container may connect to, within the limits of the host."""

    allow: tuple[str, ...] = ()
    """Allowed addresses and networks; (): all."""
    deny: tuple[str, ...] = ()
    loopback: bool = True
    """Whether connections to the host itself are allowed."""


class Orders(Message):
    """All orders of an agent, or their changes. `version` changes with every change."""

    version: str
    edition: str = ""
    """Identifies exactly these orders; empty: they are always sent completely."""
    since: str = ""
    """Edition that these changes apply to; empty: the orders are complete."""
    orders: tuple[Order, ...]
    unchanged: tuple[str, ...] = ()
    """Services whose orders are unchanged since that edition."""
    push_properties: dict[str, SecretStr] = Field(default_factory=dict)
    """Container's properties for connections to Kafka that write."""
    client_properties: dict[str, SecretStr] = Field(default_factory=dict)
    """Container's properties for connections to Kafka that read and administer."""
    properties: dict[str, int] = Field(default_factory=dict)
    """Container's properties that are set (model.properties)."""
    reach: Reach = Reach()
    drivers: tuple[Driver, ...] = ()
    """All drivers that the host keeps; it deletes others that were distributed."""

    @field_serializer("push_properties", "client_properties", when_used="json")
    def _reveal(self, value: dict[str, SecretStr]) -> dict[str, str]:
        return plain(value)


def plain(properties: Mapping[str, SecretStr]) -> dict[str, str]:
    """Values without their secret wrappers."""
    return {name: value.get_secret_value() for name, value in properties.items()}


class ServiceReports(Message):
    """The newest reports of one service since the last sync."""

    service: str
    reports: tuple[AnyReport, ...]


class EventRequest(Message):
    """The long poll of a registered agent."""

    agent: str


class AgentEvents(Message):
    """The answer to a long poll: whether something may have changed."""

    happened: bool


class HostFigures(Message):
    """Load of the agent's host at this moment."""

    cpu_percent: float
    """Of all processors together, 0 to 100, since the last measurement."""
    memory_used: int
    memory_total: int
    disk_used: int
    """Of the data folder's file system. All figures in bytes."""
    disk_total: int


class CertificateEnd(Message):
    """End of a TLS certificate that the host uses."""

    use: str = Field(max_length=20)
    """`agent`: the agent's own, to the control plane; `gateway`: that of the host's data services."""
    file: str = Field(max_length=1000)
    ends_at: datetime


class RequestProgress(Message):
    """Progress of an open request."""

    request: str
    done: int = Field(ge=0)
    total: int = Field(ge=1)


class SyncRequest(Message):
    agent: str
    orders_version: str = ""
    """Version of the agent's orders; empty: it has none."""
    orders_edition: str = ""
    """Edition of the agent's orders; empty: it needs all orders, not changes."""
    statuses: tuple[ServiceStatus, ...] = ()
    reports: tuple[ServiceReports, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    answers: tuple[Answer, ...] = ()
    progress: tuple[RequestProgress, ...] = ()
    """Progress of open requests that take long."""
    figures: HostFigures | None = None
    """None: no new measurement."""
    certificates: tuple[CertificateEnd, ...] | None = Field(None, max_length=10)
    """All of the host; None: not read for this sync."""
    drivers: tuple[DriverState, ...] | None = Field(None, max_length=MAX_DRIVERS)
    """Of all ordered drivers that the agent has tried; None: unchanged."""
    keeps_leases: bool = False
    """Whether this version of the agent enforces leases."""
    at: datetime


class PutRequest(Message):
    id: str
    request: Request
    timeout_s: float = 20.0
    """Time without progress after which the request is cancelled; see Watch in the engine's requests."""


class SyncResponse(Message):
    orders: Orders | None = None
    """None: unchanged."""
    requests: tuple[PutRequest, ...] = ()
    withdrawn: tuple[str, ...] = ()
    """Open requests whose answer is no longer awaited."""
    token: SecretStr | None = None
    """New token for the next calls; None: unchanged. Its first use revokes the current one."""
    lease_s: float | None = None
    """Duration of the lease, from when the request was sent; None: not extended."""

    @field_serializer("token", when_used="json")
    def _reveal_token(self, value: SecretStr | None) -> str | None:
        return value.get_secret_value() if value is not None else None
