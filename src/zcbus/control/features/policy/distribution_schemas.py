"""Requests and answers about distributing policies."""

from datetime import datetime
from typing import Literal

from pydantic import Field, field_validator

from zcbus.control.features.captcha.deletion import DeletionProof
from zcbus.control.features.policy.delivery_plan import TableAction
from zcbus.control.features.policy.schemas import Id, VersionChoice
from zcbus.control.features.sync_link.schemas import FindingRecord
from zcbus.control.platform.faults import field_fault
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.reasons import ReasonRecord
from zcbus.control.platform.schema import Schema

MAX_TARGETS = 200

DeliveryState = Literal["failed", "error", "waiting", "loading", "suspended", "active"]
"""No version could be delivered yet; tables are in error; they have not begun; they load; they are held back; all apply
changes or are loaded."""


class TargetChoice(Schema):
    """A customer by the master that is to carry the policy's tables. `channelId`: further tables go there; left out: to
    the master's channel that has the fewest. `wave`: customers of one name get the version together; waves begin in the
    order in which they are named, each once the one before has succeeded."""

    control_id: Id
    channel_id: Id | None = None
    wave: str = Field("", max_length=50)


class DistributionRequest(VersionChoice):
    """A version of a policy for customers, each named once."""

    targets: list[TargetChoice] = Field(min_length=1, max_length=MAX_TARGETS)

    @field_validator("targets")
    @classmethod
    def _named_once(cls, targets: list[TargetChoice]) -> list[TargetChoice]:
        if len({one.control_id for one in targets}) < len(targets):
            raise field_fault("master-twice")
        return targets


class PlannedTableRecord(Schema):
    """Change of a table. `fields`: the settings that differ. `adopted`: it was subscribed by hand, and belongs to the
    policy from then on."""

    source: str
    target: str
    action: TableAction
    fields: list[str]
    adopted: bool


class PreviewRecord(Schema):
    """Planned delivery at a customer. `ok`: no error among the findings. `version`: the present one."""

    control_id: str
    customer_name: str
    control_name: str
    ok: bool
    version: int | None
    tables: list[PlannedTableRecord]
    findings: list[FindingRecord]


class DeliveryResult(Schema):
    """Result of one customer. `code`, `reason`: why the version was not delivered; the customer stays unchanged."""

    control_id: str
    customer_name: str
    done: bool
    version: int
    tables: dict[TableAction, int]
    code: str = ""
    reason: str = ""


class PolicyDeliveryPageRequest(PageRequest):
    """`search`: part of a policy's or a customer's name. `state`: only these; left out: all."""

    search: str = Field("", max_length=255)
    policy: Id | None = None
    customer_id: Id | None = None
    state: list[DeliveryState] = Field(default_factory=list, max_length=6)


class PolicyDeliveryRecord(Schema):
    """A customer's version of a policy. `version`: null where none was delivered yet; `previous`: the one before;
    `newest`: the newest that may be distributed. `failedVersion`, `reason`: of the last delivery, where it failed."""

    id: str
    policy: str
    product_name: str
    customer_id: str
    customer_name: str
    client_type: str
    control_id: str
    control_name: str
    channel_id: str | None
    channel_name: str | None
    version: int | None
    previous: int | None
    newest: int | None
    state: DeliveryState
    tables: int
    tables_by_state: dict[str, int]
    failed_version: int | None
    reason: ReasonRecord | None
    asked_by: str
    given_at: datetime


class DeliveriesChoice(Schema):
    """Deliveries, by id."""

    deliveries: list[Id] = Field(min_length=1, max_length=MAX_TARGETS)


class Revocation(DeliveriesChoice, DeletionProof):
    """`keepTables`: they stay subscribed as the customers' own; else they are unbound. The targets' data stays."""

    keep_tables: bool = False


DELIVERIES = ListDefinition[PolicyDeliveryRecord](
    PolicyDeliveryRecord,
    columns={
        "productName": "product_name",
        "customerName": "customer_name",
        "controlName": "master_name",
        "version": "version",
        "state": "state",
        "tables": "tables",
        "givenAt": "given_at",
    },
)
