"""Requests and answers about policies and their versions."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field

from zcbus.control.features.captcha.deletion import DeletionProof
from zcbus.control.features.policy.contents import MAX_TABLES, PolicyContents, PolicySettings, PolicyTable
from zcbus.control.features.sync_link.schemas import TableWords
from zcbus.control.platform.names import plain_name
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.schema import Schema
from zcbus.control.store.columns import ID_LENGTH

Id = Annotated[str, Field(min_length=1, max_length=ID_LENGTH)]
PolicyName = Annotated[str, Field(max_length=100), AfterValidator(plain_name)]
Remark = Annotated[str, Field(max_length=200)]
VersionNumber = Annotated[int, Field(ge=1, le=1_000_000)]

PolicyState = Literal["draft", "changed", "released"]
"""No version yet; the draft differs from the newest version; it does not."""


class PolicyChoice(Schema):
    id: Id


class PolicyInput(Schema):
    """A policy without its tables. `nodeMaster`: the publish node whose tables it is about; it stays the same."""

    product_name: PolicyName
    node_master: Id
    remark: Remark = ""
    settings: PolicySettings = Field(default_factory=PolicySettings)


class PolicyChange(PolicyChoice):
    """Fields of a policy and its draft to change."""

    product_name: PolicyName
    remark: Remark = ""
    settings: PolicySettings


class PolicyDeletion(PolicyChoice, DeletionProof):
    """A policy that no customer has, with its versions."""


class PolicyPageRequest(PageRequest):
    """`search`: part of a policy's or a publish node's name."""

    search: str = Field("", max_length=255)
    node_master: Id | None = None


class PolicyRecord(Schema):
    """A policy. `nodeMaster`, `nodeName`: null where the node was deleted. `tables`: of the draft. `newest`: number of
    the newest version; null: there is none. `customers`: number of customers with one of its versions."""

    id: str
    product_name: str
    node_master: str | None
    node_name: str | None
    remark: str
    state: PolicyState
    settings: PolicySettings
    tables: int
    newest: int | None
    customers: int
    created_at: datetime
    updated_at: datetime


class PolicyVersionRequest(PolicyChoice, PageRequest):
    """Versions of a policy, the newest first."""


class PolicyVersionRecord(Schema):
    """A version: never changed again. `retiredAt`: since then it is not distributed any more."""

    number: int
    note: str
    tables: int
    customers: int
    created_by: str
    created_at: datetime
    retired_at: datetime | None


class VersionInput(PolicyChoice):
    """Creates a version of the draft. `note`: its changes, as a remark."""

    note: Remark = ""


class VersionChoice(PolicyChoice):
    version: VersionNumber


class ComparisonRequest(PolicyChoice):
    """From one version to another; null is the draft."""

    before: VersionNumber | None = None
    after: VersionNumber | None = None


class FieldRecord(Schema):
    """A field that differs, with both values as JSON."""

    name: str
    before: Any
    after: Any


class TableDifferenceRecord(Schema):
    """A table with other settings."""

    table: str
    fields: list[FieldRecord]


class PolicyDifference(Schema):
    """Difference of two states of a policy; tables are named `schema.table`."""

    settings: list[FieldRecord]
    added: list[str]
    removed: list[str]
    changed: list[TableDifferenceRecord]


class PolicySheetRequest(PolicyChoice, PageRequest):
    """Tables of a policy's version; left out: of its draft. `search`: part of a source's or a target's name."""

    version: VersionNumber | None = None
    search: str = Field("", max_length=255)


class PolicyTableRecord(Schema):
    """A table of a policy. `name`: `schema.table`. `published`: whether the node publishes it now."""

    name: str
    table: PolicyTable
    published: bool


class SheetSave(PolicyChoice):
    """Replaces the draft's table of that name."""

    table: PolicyTable


class SheetTables(PolicyChoice):
    """Tables by their names `schema.table`."""

    tables: list[TableWords] = Field(min_length=1, max_length=MAX_TABLES)


class PolicyCandidateRequest(PolicyChoice, PageRequest):
    """`search`: part of a table's name."""

    search: str = Field("", max_length=255)


class PolicyCandidate(Schema):
    """A table that the node publishes and that the draft has not."""

    name: str


class PolicyDocument(PolicyContents):
    """A policy as code; unknown fields are refused. `node`: name of the publish node."""

    model_config = ConfigDict(extra="forbid")

    policy: PolicyName
    node: str = Field(min_length=1, max_length=200)
    remark: Remark = ""


class DocumentRequest(Schema):
    """`release`: make a version where the draft then differs from the newest one, with this note."""

    document: PolicyDocument
    release: bool = False
    note: Remark = ""


class DocumentRecord(Schema):
    """`version`: the newest; null: there is none yet. `released`: created by this call."""

    policy: PolicyRecord
    created: bool
    difference: PolicyDifference
    version: int | None
    released: bool


class ExportRequest(PolicyChoice):
    """A version; left out: the draft."""

    version: VersionNumber | None = None


class PolicyExport(Schema):
    """A policy as code; applied again it changes nothing."""

    document: dict[str, Any]


POLICIES = ListDefinition[PolicyRecord](
    PolicyRecord,
    columns={
        "productName": "product_name",
        "nodeName": "node_name",
        "newest": "newest_number",
        "customers": "customers",
        "createdAt": "created_at",
        "updatedAt": "updated_at",
    },
)
VERSIONS = ListDefinition[PolicyVersionRecord](
    PolicyVersionRecord,
    columns={"number": "number", "tables": "tables", "customers": "customers", "createdAt": "created_at"},
)
SHEET = ListDefinition[PolicyTableRecord](PolicyTableRecord, sort_keys={"name": lambda one: one.name})
CANDIDATES = ListDefinition[PolicyCandidate](PolicyCandidate, columns={"name": "name"})
