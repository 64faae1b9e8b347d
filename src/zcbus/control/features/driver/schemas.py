"""Requests and answers about drivers."""

from dataclasses import fields
from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from zcbus.connectors.options import DRIVER, PLAIN_TEXT
from zcbus.connectors.registry import KINDS
from zcbus.control.features.captcha.deletion import DeletionProof
from zcbus.control.features.upload.schemas import SHA256
from zcbus.control.platform.faults import field_fault
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.reasons import ReasonRecord
from zcbus.control.platform.schema import Schema
from zcbus.control.store.columns import ID_LENGTH
from zcbus.protocol.drivers import DRIVER_FILE

Id = Annotated[str, Field(min_length=1, max_length=ID_LENGTH)]
DRIVER_KINDS = sorted(
    kind for kind, entry in KINDS.items() if any(one.name == DRIVER for one in fields(entry.spec.model))
)
"""Kinds whose connections name a driver."""
PACKAGE = "agent"
"""In place of a kind of data source: the file is a package of agents."""
_MAX_CONTAINERS = 500


def _driver_kind(value: str) -> str:
    if value not in (*DRIVER_KINDS, PACKAGE):
        raise field_fault("driver-kind")
    return value


class DriverChoice(Schema):
    id: Id


class DriverTargets(Schema):
    """The containers whose hosts keep a driver. `everywhere`: all, later ones too."""

    everywhere: bool = False
    container_ids: list[Id] = Field(default_factory=list, max_length=_MAX_CONTAINERS)

    @model_validator(mode="after")
    def _somewhere(self) -> Self:
        if not self.everywhere and not self.container_ids:
            raise field_fault("driver-containers")
        return self


class DriverInput(DriverTargets):
    """An uploaded jar file as a driver. `name`: its file name on the hosts, which connections give; `kind`: of data
    source, or `agent`: a package of agents, whose name and version are those of the file; `signature`: Ed25519 over
    the file in base64, where keys are configured; `sha256`: the checksum that the user compared, where none are."""

    upload_id: Id
    name: str = Field(max_length=128, pattern=DRIVER_FILE)
    kind: Annotated[str, Field(max_length=50), AfterValidator(_driver_kind)]
    version: str = Field(min_length=1, max_length=50, pattern=PLAIN_TEXT)
    signature: str = Field("", max_length=200, pattern=r"^[A-Za-z0-9+/=]*$")
    sha256: str = Field("", pattern=rf"^$|{SHA256}")

    @model_validator(mode="after")
    def _named(self) -> Self:
        if self.name.endswith(".whl") is not (self.kind == PACKAGE):
            raise field_fault("driver-file")
        return self


class DriverDistribution(DriverTargets, DriverChoice):
    """A driver and its new containers."""


class DriverDeletion(DriverChoice, DeletionProof):
    """The driver to remove."""


class DriverContainer(Schema):
    id: str
    name: str


class DriverRecord(Schema):
    """`kindLabel`: as its makers call it; `signer`: name of the key that signed it, empty: `userName` confirmed its
    checksum; `hosts`: that should keep it, `present` and `failed` of them as they reported."""

    id: str
    name: str
    kind: str
    kind_label: str
    version: str
    size: int
    sha256: str
    signer: str
    user_name: str
    created_at: datetime
    everywhere: bool
    containers: list[DriverContainer]
    hosts: int
    present: int
    failed: int


class DriverPageRequest(PageRequest):
    """`search`: a part of the name, the version or the uploader; `kind`: only of this one."""

    search: str = Field("", max_length=100)
    kind: str = Field("", max_length=50)


class DriverHost(Schema):
    """A host that should keep a driver. `alive`: whether its agent is connected; waiting: it has not tried yet."""

    agent_id: str
    host: str
    container_name: str
    alive: bool
    state: Literal["waiting", "present", "failed"]
    reason: ReasonRecord | None
    reported_at: datetime | None


class DriverHostPageRequest(PageRequest, DriverChoice):
    """`search`: a part of the host or container; `state`: only these."""

    search: str = Field("", max_length=100)
    state: Literal["waiting", "present", "failed"] | None = None


class DriverUser(Schema):
    """A connection that takes a driver. `use`: publish, subscribe, api; `named`: it gives the driver's name, otherwise
    its hosts choose one by the kind, perhaps this."""

    use: str
    name: str
    kind: str
    place: str
    named: bool


class DriverUserPageRequest(PageRequest, DriverChoice):
    """`search`: a part of the name or place."""

    search: str = Field("", max_length=100)


class DriverName(Schema):
    """A driver as forms of connections offer it."""

    name: str
    kind: str
    version: str


class DriverDownload(Schema):
    """A driver or package of agents as the page of downloads offers it. `size`: bytes."""

    id: str
    name: str
    kind: str
    kind_label: str
    size: int
    sha256: str


class DriverKind(Schema):
    kind: str
    label: str


class DriverRules(Schema):
    """What an upload needs. `signed`: a signature by one of `keys`, otherwise the confirmed checksum; `most`: bytes of
    a file."""

    signed: bool
    keys: list[str]
    most: int
    kinds: list[DriverKind]


DRIVERS = ListDefinition[DriverRecord](
    DriverRecord,
    columns={
        "name": "name",
        "kind": "kind",
        "version": "version",
        "size": "size",
        "userName": "user_name",
        "createdAt": "created_at",
    },
)
DRIVER_HOSTS = ListDefinition[DriverHost](
    DriverHost,
    sort_keys={
        "host": lambda one: one.host,
        "containerName": lambda one: one.container_name,
        "state": lambda one: one.state,
    },
)
DRIVER_USERS = ListDefinition[DriverUser](
    DriverUser,
    sort_keys={"name": lambda one: one.name, "use": lambda one: one.use, "named": lambda one: one.named},
)
