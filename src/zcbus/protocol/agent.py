"""The agent's talk with the control plane: it always begins, over HTTP.

`POST /api/zcbus/agent/join` once in the life of a host: Join → Joined; the only call without the agent's own token.
`POST /api/zcbus/agent/register` once per start: Registration → Registered.
`POST /api/zcbus/agent/sync` about twice a second, sooner with news: SyncRequest → SyncResponse. It carries what
changed and brings what should be. Both sides may repeat any of it: reports replace each other, answers
are kept by request id.
`POST /api/zcbus/agent/news` all the time: NewsRequest → News, once there may be something that a sync would bring, or
after NEWS_SECONDS. It saves the wait for the next sync and no more: what it misses, that sync brings.
"""

from collections.abc import Mapping
from datetime import datetime

from pydantic import Field, SecretStr, field_serializer

from zcbus.model.states import DesiredState
from zcbus.protocol.answers import Answer
from zcbus.protocol.base import Message
from zcbus.protocol.reports import Attempt, ServiceStatus
from zcbus.protocol.requests import Request
from zcbus.protocol.service_kinds import AnyReport, AnyTask

NEWS_SECONDS = 10.0
"""So long the control plane waits for news before it answers that there is none."""


class Join(Message):
    """A host that has a join token asks to become one of a container's."""

    token: SecretStr = Field(max_length=100)
    agent: str = Field(min_length=1, max_length=64)
    host: str
    bus: str
    machine_code: str = ""
    """As in Registration."""
    certificate_request: str = Field("", max_length=4096)
    """PKCS#10 in PEM for the agent's key; empty: it speaks in clear."""
    present: SecretStr | None = Field(None, max_length=100)
    """The token that the agent has: it takes its id along to another container only by this."""

    @field_serializer("token", "present", when_used="json")
    def _reveal_token(self, value: SecretStr | None) -> str | None:
        return value.get_secret_value() if value is not None else None


class Joined(Message):
    """The token that the agent holds from now on, and the container it belongs to."""

    token: SecretStr
    container: str
    certificate: str = ""
    """In PEM: from now on the token counts only together with it. Empty: it counts by itself."""

    @field_serializer("token", when_used="json")
    def _reveal_token(self, value: SecretStr) -> str:
        return value.get_secret_value()


class Registration(Message):
    """An agent introduces itself with its token in the header ZCBUS-TOKEN."""

    agent: str
    """Chosen by the agent at its first start and kept in its data folder."""
    host: str
    pid: int
    version: str
    container: str
    """Name of the container (cluster) it belongs to."""
    bus: str | None = None
    """The bus, as all agents that share it call it; empty: one that no other agent reaches. None: not told."""
    machine_code: str = ""
    """Tells the installation of the operating system from all others; empty: not known."""
    serial_number: str = ""
    """Of the hardware, as its maker gave it; empty: not known to whom the agent runs as."""


class Registered(Message):
    agent: str
    container: str


class Order(Message):
    """What should become of one service."""

    service: str
    desired: DesiredState
    """RUNNING or STOPPED."""
    forced: bool = False
    """Stop, or begin the restart, at once: kill the process group."""
    restart: int = 0
    """A higher number than the last asks for a restart; also clears `can't start`."""
    leased: bool = False
    """Run it only while the lease holds that answers of the control plane give."""
    task: AnyTask
    removed: tuple[str, ...] | None = None
    """None: the task is complete. Else it has those of its tables only that are new or changed since the edition that
    the orders complete, and these are gone."""


class Reach(Message):
    """Where services of a container may connect to; what a host itself forbids stays forbidden."""

    allow: tuple[str, ...] = ()
    """Addresses and networks; (): all."""
    deny: tuple[str, ...] = ()
    loopback: bool = True
    """Whether the host itself may be connected to."""


class Orders(Message):
    """All orders of an agent, or what changed of them. `version` changes with every change."""

    version: str
    edition: str = ""
    """Of exactly these orders; empty: they are never completed, but told anew."""
    since: str = ""
    """Edition of the orders that these complete; empty: they are complete themselves."""
    orders: tuple[Order, ...]
    unchanged: tuple[str, ...] = ()
    """Services whose orders are those of that edition."""
    push_properties: dict[str, SecretStr] = Field(default_factory=dict)
    """Of the container: further properties of the workers' connections to Kafka, those that write …"""
    client_properties: dict[str, SecretStr] = Field(default_factory=dict)
    """… and those that read and administer."""
    properties: dict[str, int] = Field(default_factory=dict)
    """Of the container, as far as they are set (model.properties)."""
    reach: Reach = Reach()

    @field_serializer("push_properties", "client_properties", when_used="json")
    def _reveal(self, value: dict[str, SecretStr]) -> dict[str, str]:
        return plain(value)


def plain(properties: Mapping[str, SecretStr]) -> dict[str, str]:
    """The values themselves."""
    return {name: value.get_secret_value() for name, value in properties.items()}


class ServiceReports(Message):
    """The newest reports of one service since the last sync."""

    service: str
    reports: tuple[AnyReport, ...]


class NewsRequest(Message):
    """A registered agent waits."""

    agent: str


class News(Message):
    """Whether there may be something new."""

    happened: bool


class HostFigures(Message):
    """What the agent measured of its host just now."""

    cpu_percent: float
    """Of all processors together, 0 to 100, since the measurement before."""
    memory_used: int
    memory_total: int
    disk_used: int
    """Of the file system that the data folder is on. Bytes, like the others."""
    disk_total: int


class RequestProgress(Message):
    """So much of a question's answer there is."""

    request: str
    done: int = Field(ge=0)
    total: int = Field(ge=1)


class SyncRequest(Message):
    agent: str
    orders_version: str = ""
    """Of the orders that the agent holds; empty: none."""
    orders_edition: str = ""
    """Of the same; empty: all orders are to be told, not what changed of them."""
    statuses: tuple[ServiceStatus, ...] = ()
    reports: tuple[ServiceReports, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    answers: tuple[Answer, ...] = ()
    progress: tuple[RequestProgress, ...] = ()
    """Of those questions that are being answered whose answer takes long."""
    figures: HostFigures | None = None
    """None: not measured anew."""
    keeps_leases: bool = False
    """Whether this version of the agent does."""
    at: datetime


class PutRequest(Message):
    id: str
    request: Request
    timeout_s: float = 20.0
    """It is given up once it made no progress for so long; see Watch of the engine's requests."""


class SyncResponse(Message):
    orders: Orders | None = None
    """None: nothing changed."""
    requests: tuple[PutRequest, ...] = ()
    withdrawn: tuple[str, ...] = ()
    """Questions of which the agent told progress and whose answer nobody waits for any more."""
    token: SecretStr | None = None
    """What the agent signs its next calls with; None: as before. The first use ends the present one."""
    lease_s: float | None = None
    """How long leased orders may be followed, counted from when the request was sent; None: no longer than before."""

    @field_serializer("token", when_used="json")
    def _reveal_token(self, value: SecretStr | None) -> str | None:
        return value.get_secret_value() if value is not None else None
