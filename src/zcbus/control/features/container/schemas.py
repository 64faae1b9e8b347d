"""Records of containers, agents and services."""

import ipaddress
from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StrictInt

from zcbus.control.platform.faults import field_fault
from zcbus.control.platform.reasons import ReasonRecord
from zcbus.control.platform.schema import ConfidentialSchema, Schema
from zcbus.kit.gateway_settings import MIN_PORT
from zcbus.model.states import DesiredState, ServiceState
from zcbus.protocol.service_kinds import ServiceType


class AgentRecord(Schema):
    """A host of a container. `alive`: it reported in the last ten seconds. `bus`: the bus it shares with other hosts;
    empty: a bus of its own, None: not reported. Figures are those of the last heartbeat, in bytes; None: not
    measured."""

    id: str
    container_name: str
    host: str
    pid: int
    version: str
    registered_at: datetime
    heartbeat_at: datetime
    heartbeat_age_ms: int
    alive: bool
    bus: str | None
    cpu_percent: float | None
    memory_used: int | None
    memory_total: int | None
    disk_used: int | None
    disk_total: int | None


class ContainerRecord(Schema):
    """A group of hosts with an agent each."""

    id: str
    container_name: str
    display_name: str
    agents: list[AgentRecord]


class AttemptRecord(Schema):
    """One run of a service's process that ended."""

    started_at: datetime
    ended_at: datetime
    result: str
    reason: ReasonRecord | None


def _network(text: str) -> str:
    try:
        return str(ipaddress.ip_network(text.strip(), strict=False))
    except ValueError as error:
        raise field_fault("network") from error


NetworkText = Annotated[str, AfterValidator(_network)]
"""An address or a network."""


class ContainerNetwork(Schema):
    """Where services of a container may connect to (`allow`; empty: all; `deny` takes precedence), and where its data
    services may listen (`listenAddresses`; empty: all). What a host forbids stays forbidden."""

    allow: list[NetworkText] = Field(default_factory=list, max_length=200)
    deny: list[NetworkText] = Field(default_factory=list, max_length=200)
    listen_addresses: list[NetworkText] = Field(default_factory=list, max_length=200)
    first_port: int = Field(MIN_PORT, ge=1, le=65535)
    last_port: int = Field(65535, ge=1, le=65535)


class ContainerNetworkChange(ContainerNetwork):
    """The complete setting; the container's services restart where their connections may change."""

    containerid: str = Field(max_length=32)


KafkaSort = Literal["push", "client"]


class ContainerIdChoice(Schema):
    """A container by its id."""

    containerid: str = Field(max_length=32)


class KafkaProperty(Schema):
    """A property in librdkafka's names. `secret`: its value is never returned; `value` None in a change: it stays."""

    name: str = Field(min_length=1, max_length=100, pattern=r"^[a-z0-9._]+$")
    value: str | None = Field(None, max_length=4000)
    secret: bool = False


class KafkaPropertiesRecord(Schema):
    """Properties of a container's connections to Kafka, of those that write (push) or of those that read (client)."""

    kafka_type: KafkaSort
    containerid: str
    properties: list[KafkaProperty]


class KafkaPropertiesChange(ConfidentialSchema):
    """All properties of one sort; the container's services restart with them. `containerid`: left out, the only
    container there is."""

    containerid: str = Field("", max_length=32)
    kafka_type: KafkaSort
    properties: list[KafkaProperty] = Field(max_length=200)


class ModuleOfContainer(ContainerIdChoice):
    """Properties of a container, of one module only where `mid` names it."""

    mid: str = Field("", max_length=40)


class ContainerProperty(Schema):
    """An integer that can be set for a container. `value` None: not set, and `default` counts; `default` None: each
    host has its own. `restart`: it takes effect from the next start of services on, which a change orders."""

    name: str
    title: str
    help: str
    unit: Literal["MiB", "seconds", "files", "records"]
    value: int | None
    default: int | None
    least: int
    most: int
    restart: bool


class PropertyModule(Schema):
    """Properties that belong together."""

    module: str
    title: str
    properties: list[ContainerProperty]


class PropertyValue(Schema):
    """The new value of a property; None: its default."""

    name: str = Field(min_length=1, max_length=40)
    value: StrictInt | None


class PropertyValues(Schema):
    """The new values of a module's properties."""

    module: str = Field(min_length=1, max_length=40)
    properties: list[PropertyValue] = Field(max_length=100)


class ContainerPropertiesChange(Schema):
    """Named properties are set, all others stay. Both words of `modifyType` mean this."""

    modify_type: Literal["add", "update"] = "update"
    container_id: str = Field(max_length=32)
    modulelist: list[PropertyValues] = Field(max_length=100)


class JsonExportRecord(Schema):
    """A JSON topic. `reason`: why nothing is written, `waitingSeconds`: since how long; `gapAt`: when retention was
    last found to have removed changes before they were written; `nextOffset`: of the first record of the changes that
    is not in it yet; `messages`: written since the service's process started; `newestChangeAt`: commit time in the
    source of the newest of them."""

    name: str
    reason: ReasonRecord | None
    waiting_seconds: float | None = None
    gap_at: datetime | None = None
    next_offset: int
    messages: int
    newest_change_at: datetime | None


class ServiceRecord(Schema):
    """A service. `state` is what all pages show and count; `desired` is its order, `observed` its agent's report.

    `heldUp`: it is to work, but a reported reason prevents it.
    `stale`: its agent has been silent for more than ten seconds, so everything observed is from `agentSeenAt`.
    `attempts`: how its last runs ended, the newest first.
    """

    id: str
    service_name: str
    container_id: str
    container_name: str
    type: ServiceType
    desired: DesiredState
    observed: ServiceState
    observed_since: datetime | None
    state: ServiceState
    state_since: datetime | None
    held_up: bool
    stale: bool
    agent_host: str | None
    agent_seen_at: datetime | None
    pid: int | None
    started_at: datetime | None
    restarts: int
    next_attempt_at: datetime | None
    last_exit: str
    reason: ReasonRecord | None
    report_state: Literal["starting", "running", "waiting", "stopping", "failed"] | None
    report_since: datetime | None
    progress: int
    progress_at: datetime | None
    position: str
    lag_ms: int | None
    backlog_bytes: int | None
    memory_bytes: int | None
    feed: JsonExportRecord | None
    reported_at: datetime | None
    attempts: list[AttemptRecord]
