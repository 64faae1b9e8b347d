"""Requests and answers about services; the names on the wire are the specification's (7.6)."""

from datetime import datetime

from pydantic import Field, field_validator

from zcbus.control.features.captcha.deletion import DeletionProof
from zcbus.control.features.container.schemas import AttemptRecord
from zcbus.control.platform.paging import PageRequest
from zcbus.control.platform.reasons import ReasonRecord
from zcbus.control.platform.schema import Schema
from zcbus.control.platform.service_logs import LogQuery
from zcbus.control.store.columns import ID_LENGTH
from zcbus.control.store.tables.container import AGENT_ID_LENGTH
from zcbus.model.services import LogLevel, ServiceAction
from zcbus.model.states import DesiredState, ServiceState
from zcbus.protocol.service_kinds import ServiceType

MAX_AT_ONCE = 1000
_ID = Field("", max_length=ID_LENGTH)
_WORD = Field("", max_length=40)


class ServicePageRequest(PageRequest):
    """Services, filtered by the fields that are not empty. `type`: publish, subscribe; `customerid` and `nodeId`: the
    owner; `subtypes`: kinds of its database, comma-separated; `status`: states, comma-separated; `parentIdIsNull`: only
    those that no other feeds; `search`: a part of the service's name, id, host or container."""

    containerid: str = _ID
    type: str = _WORD
    customerid: str = _ID
    node_id: str = _ID
    subtypes: str = Field("", max_length=400)
    status: str = Field("", max_length=400)
    parent_id_is_null: bool = False
    parent_id: str = _ID
    search: str = Field("", max_length=100)

    @field_validator("status", mode="before")
    @classmethod
    def _any_status(cls, value: object) -> object:
        return "" if value in (-1, "-1", None) else value


class ManagedService(Schema):
    """A service of a container.

    `desired` is the ordered state, `observed` the process's state by its agent, `state` is derived from both; `actions`
    are the allowed operations. `heartbeats`: reported turns of its work since its process began, the last of them at
    `progressAt`. `stale`: the agent has been silent for more than ten seconds. `parentId`: the service that feeds it.
    `subType`: the kind of its database. `subtypes`, `status`, `nodeids`: the same as `subType`, `state` and `nodeId` in
    the form of the requests. `deviceId`: the agent that has it; `nextHost`: the host that gets it once this
    one has stopped it. `pinned`: it is never moved from its host.
    """

    id: str
    service_name: str
    containerid: str
    container_name: str
    type: ServiceType
    sub_type: str
    subtypes: str
    customerid: str | None
    node_id: str
    nodeids: list[str]
    parent_id: str | None
    link_id: str | None
    desired: DesiredState
    observed: ServiceState
    observed_since: datetime | None
    state_since: datetime | None
    held_up: bool
    state: ServiceState
    status: ServiceState
    actions: list[ServiceAction]
    reason: ReasonRecord | None
    stale: bool
    device_id: str | None
    agent_host: str | None
    next_host: str | None
    pinned: bool
    agent_seen_at: datetime | None
    machine_code: str | None
    serial_number: str | None
    pid: int | None
    started_at: datetime | None
    restarts: int
    next_attempt_at: datetime | None
    heartbeats: int
    progress_at: datetime | None
    reported_at: datetime | None
    memory_bytes: int | None
    log_level: LogLevel
    remark: str


class ServiceAddition(Schema):
    """Have services run in a container. `nodeids`: publish nodes, data services, or for the other types customers."""

    type: str = Field(max_length=40)
    log_level: LogLevel = "info"
    nodeids: list[str] = Field(min_length=1, max_length=MAX_AT_ONCE)
    containerid: str = Field(max_length=ID_LENGTH)

    @field_validator("nodeids", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        return _ids(value)


class ServiceEdit(Schema):
    """The log level takes effect at once, without a restart. Omitted fields stay."""

    id: str = Field(max_length=ID_LENGTH)
    log_level: LogLevel | None = None
    remark: str | None = Field(None, max_length=200)


class ServiceDeletion(DeletionProof):
    """Which service is to leave its container."""

    id: str = Field(max_length=ID_LENGTH)


class ServiceChoice(Schema):
    """One service."""

    id: str = Field(max_length=ID_LENGTH)


class ServicesChoice(Schema):
    """Services by id: a list, or one text with commas."""

    ids: list[str] = Field(min_length=1, max_length=MAX_AT_ONCE)

    @field_validator("ids", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        return _ids(value)


class StatusChange(Schema):
    """`status`: `started` (or `starting`), `stopped` (`stopping`), `restarting`. `forcestatus`: do not wait for
    draining."""

    status: str = Field(max_length=40)
    forcestatus: bool = False


class ServicesStatusChange(ServicesChoice, StatusChange):
    """Bring services to a status."""


class NodeStatusChange(StatusChange):
    """Bring all services of a publish node to a status: the one that publishes it and those that subscribe to it."""

    node_id: str = Field(max_length=ID_LENGTH)


class NodeTypeStatusChange(NodeStatusChange):
    """Only services of a type, and of a kind of database where one is given."""

    type: str = Field(max_length=40)
    sub_type: str = _WORD


class ServicesTransfer(ServicesChoice):
    """Where services go."""

    containerid: str = Field(max_length=ID_LENGTH)


class ServicesPlacement(ServicesChoice):
    """Which host of their container is to run services. `deviceId`: its agent; empty: each stays where it is. `pinned`:
    they stay there, whatever becomes of that host; else they go to another host when theirs is gone."""

    device_id: str = Field("", max_length=AGENT_ID_LENGTH)
    pinned: bool


class ServiceResult(Schema):
    """Result for one service of a bulk call. `done`: it was ordered, and `state` is the new state; else `error` and
    `message` say why not, and nothing changed."""

    id: str
    service_name: str
    done: bool
    state: ServiceState | None
    error: str | None
    message: str | None


class LogSearch(LogQuery):
    """Of which service."""

    id: str = Field(max_length=ID_LENGTH)


class ServiceAttempts(Schema):
    """How the last runs of a service ended, the newest first."""

    attempts: list[AttemptRecord]


def _ids(value: object) -> object:
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value
