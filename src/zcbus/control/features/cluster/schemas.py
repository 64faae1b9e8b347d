"""Requests and answers of containers; the names on the wire are the specification's."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from zcbus.control.features.captcha.deletion import DeletionProof
from zcbus.control.features.container.schemas import AgentRecord, ContainerIdChoice
from zcbus.control.platform.paging import MAX_PAGE_SIZE, ListDefinition, PageRequest
from zcbus.control.platform.schema import Schema
from zcbus.control.store.columns import ID_LENGTH
from zcbus.control.store.tables.container import AGENT_ID_LENGTH
from zcbus.model.states import ServiceState

ANY_STATUS = (-1, "")
CONTAINER_PAGE_SIZE = 100

ContainerName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,43}$")]
DisplayName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]
Description = Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)]


class ContainerPageRequest(PageRequest):
    """Containers whose names contain these parts. `status`: 1 with an agent that reported in the last ten seconds, 0
    without; −1 or empty is any."""

    size: int = Field(default=CONTAINER_PAGE_SIZE, ge=-1, le=MAX_PAGE_SIZE)
    container_name: str = Field("", max_length=100)
    display_name: str = Field("", max_length=200)
    status: Literal[-1, 0, 1, ""] = -1


class ClusterRecord(Schema):
    """A container. `status` as in the request; `customerid`: the tenant whose services alone may run there, None: any
    tenant's. `movesServices`: a service goes to another host when its own is gone. Services are those that the caller
    may see; `abnormal` ones cannot run as they are. `builtIn`: it came with the platform."""

    id: str
    container_name: str
    display_name: str
    description: str | None
    status: int
    customerid: str | None
    customer_name: str | None
    moves_services: bool
    hosts: int
    hosts_online: int
    services: int
    services_running: int
    services_abnormal: int
    built_in: bool
    created_at: datetime


class HostRecord(AgentRecord):
    """A host with its services. `services`: number placed on it, `pinned`: number of these that are never moved."""

    services: int
    pinned: int


class ClusterDetail(ClusterRecord):
    """A container with its hosts."""

    agents: list[HostRecord]


class ContainerInfoChoice(Schema):
    """A container by its id (`type` is `zcbus` then) or by its name."""

    id: str = Field("", max_length=ID_LENGTH)
    type: str = Field("zcbus", max_length=20)
    container_name: str = Field("", max_length=100)


class ContainerFields(Schema):
    """Editable fields of a container."""

    display_name: DisplayName
    description: Description | None = None
    moves_services: bool = True


class NewContainer(ContainerFields):
    """`containerName` (letters, digits, dots, hyphens, underscores) is its lasting name. `customerid`: the tenant that
    alone may use it; None: all may."""

    container_name: ContainerName
    customerid: str | None = Field(None, max_length=ID_LENGTH)


class ContainerEdit(ContainerFields):
    """The container as it shall be."""

    id: str = Field(max_length=ID_LENGTH)


class ContainerDeletion(DeletionProof):
    """The container to delete; the names are the specification's and say nothing more."""

    id: str = Field(max_length=ID_LENGTH)
    container_name: str = Field("", max_length=100)
    display_name: str = Field("", max_length=200)


class HostDeletion(DeletionProof):
    """The host to remove, by its agent."""

    device_id: str = Field(min_length=1, max_length=AGENT_ID_LENGTH)


class HostRemoval(Schema):
    """Names of the services that go to other hosts."""

    services: list[str]


class JoinOffer(Schema):
    """Command that joins one host: `zcbus agent --url <address of the control plane> --join <token>`. Shown once, good
    once, and only until `expiresAt`."""

    id: str
    container_name: str
    token: str
    expires_at: datetime


class TypeCount(Schema):
    """How many services of a type there are."""

    type: str
    count: int


class StatusCount(Schema):
    """How many services are in a state."""

    status: ServiceState
    count: int


class ExceptionCount(Schema):
    """Number of problems; `getExceptionStatistcsCount` lists them."""

    count: int


ExceptionKind = Literal["host-away", "service-abnormal", "service-waiting", "table-error", "row-error"]


class ExceptionKindCount(Schema):
    """How many of one kind: hosts that are away, services that cannot run or wait for something outside, tables in
    error, rows that the target refused."""

    kind: ExceptionKind
    count: int


class ClusterStatistics(Schema):
    """Figures over a container. Processor, memory and disk are those of its hosts that are online; None: nothing is
    measured. Bytes; `cpuPercent` is the mean."""

    at: datetime
    hosts: int
    hosts_online: int
    services: int
    services_running: int
    services_abnormal: int
    services_stopped: int
    cpu_percent: float | None
    memory_used: int | None
    memory_total: int | None
    disk_used: int | None
    disk_total: int | None


class StatusStatisticsRequest(ContainerIdChoice):
    """Which services count: of a type, of a customer, in a state (−1 or empty: any); `subtypes`: of these kinds of
    databases, comma-separated."""

    type: str = Field("", max_length=20)
    customerid: str = Field("", max_length=ID_LENGTH)
    subtypes: str = Field("", max_length=400)
    status: ServiceState | Literal[-1, ""] = -1


class StatusStatistics(Schema):
    """How many services of a type are in a state."""

    type: str
    status: ServiceState
    count: int


CONTAINERS = ListDefinition[ClusterRecord](
    ClusterRecord,
    {
        "containerName": "container_name",
        "displayName": "display_name",
        "createdAt": "created_at",
        "status": "status",
        "hosts": "hosts_online",
        "services": "services",
        "servicesRunning": "services_running",
        "servicesAbnormal": "services_abnormal",
    },
)
