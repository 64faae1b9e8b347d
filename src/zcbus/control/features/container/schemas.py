"""What is shown of containers, agents and services."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from zcbus.control.platform.schema import ConfidentialSchema, Schema
from zcbus.model.states import DesiredState, ServiceState


class ReasonRecord(Schema):
    """Why something is as it is, and what to do about it, in the caller's language."""

    code: str
    text: str
    remedy: str
    facts: dict[str, str]


class AgentRecord(Schema):
    """A host of a container. `alive`: it was heard of in the last ten seconds. `bus`: what it shares with other hosts;
    empty: a bus of its own, None: not told. Figures are those of the last heartbeat, in bytes; None: not measured."""

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


KafkaSort = Literal["push", "client"]


class ContainerIdChoice(Schema):
    """A container by its id."""

    containerid: str = Field(max_length=32)


class KafkaProperty(Schema):
    """A property in librdkafka's names. `secret`: its value is never told; `value` None, when given: it stays."""

    name: str = Field(min_length=1, max_length=100, pattern=r"^[a-z0-9._]+$")
    value: str | None = Field(None, max_length=4000)
    secret: bool = False


class KafkaPropertiesRecord(Schema):
    """Properties of a container's connections to Kafka, of those that write (push) or of those that read (client)."""

    kafka_type: KafkaSort
    containerid: str
    properties: list[KafkaProperty]


class KafkaPropertiesChange(ConfidentialSchema):
    """All properties of one sort; the container's services start anew with them."""

    containerid: str = Field(max_length=32)
    kafka_type: KafkaSort
    properties: list[KafkaProperty] = Field(max_length=200)


class FeedRecord(Schema):
    """A JSON topic. `nextOffset`: of the first record of the changes that is not in it yet; `messages`: written since
    the service's process started; `newestChangeAt`: when the newest of them was committed in the source."""

    name: str
    reason: ReasonRecord | None
    next_offset: int
    messages: int
    newest_change_at: datetime | None


class ServiceRecord(Schema):
    """A service: what should be (`desired`) and what was seen (`observed`) apart.

    `stale`: its agent has been silent for more than ten seconds, so everything observed is from `agentSeenAt`.
    `attempts`: how its last runs ended, the newest first.
    """

    id: str
    service_name: str
    container_name: str
    type: Literal["publish", "subscribe"]
    desired: DesiredState
    observed: ServiceState
    observed_since: datetime | None
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
    feed: FeedRecord | None
    reported_at: datetime | None
    attempts: list[AttemptRecord]
