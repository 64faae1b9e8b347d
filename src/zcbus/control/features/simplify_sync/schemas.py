"""Requests and answers of simplified sync. Ids of the trees: `database`, `database/schema`, `database/schema/table`,
each part percent-encoded."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from zcbus.control.features.datasource.schemas import ConnectionRecord, TableAddress
from zcbus.control.features.subscribe.transform_input import NameRuleInput
from zcbus.control.features.sync_link.schemas import MAX_LINK_NAME_LENGTH
from zcbus.control.platform.names import plain_name
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.schema import Schema
from zcbus.model.states import CleanMode, DdlMode, LoadMode

MAX_CHOSEN = 10_000

TreeId = Annotated[str, Field(min_length=1, max_length=2000)]


class TreeRequest(PageRequest):
    """The children of `id`: a database's schemas, a schema's tables; without it (or with `parentIdIsNull`) the
    databases. `search`: part of a name, for tables also a pattern with * and ?; for a database, only schemas are
    answered that have such a table or such a name. `refresh` asks the database again."""

    id: Annotated[str, Field(max_length=2000)] | None = None
    parent_id_is_null: bool = False
    search: str | None = Field(None, max_length=255)
    refresh: bool = False


class TreeRecord(Schema):
    """An entry of a tree. `place`, `usedBy` (names of nodes and subscribers) are of databases; `refused` says why a
    table cannot be chosen."""

    id: str
    parent_id: str | None
    type: Literal["database", "schema", "table"]
    name: str
    leaf: bool
    place: ConnectionRecord | None = None
    used_by: list[str] = Field(default_factory=list)
    estimated_rows: int | None = None
    has_key: bool | None = None
    refused: str = ""


class MatchChoice(Schema):
    """`source`: schemas and tables of one database, without the tables in `leaveOut`; `target`: a schema. A source
    table's name becomes the target's by `names`; a target table that is there is found by it, ignoring case unless
    `exact`."""

    source: list[TreeId] = Field(min_length=1, max_length=MAX_CHOSEN)
    leave_out: list[TreeId] = Field(default_factory=list, max_length=MAX_CHOSEN)
    target: TreeId
    names: NameRuleInput = Field(default_factory=NameRuleInput)
    exact: bool = False


class MatchState(StrEnum):
    """Target of a source table: it exists, is created, is already replicated by a link, conflicts with another, or the
    table cannot be replicated."""

    EXISTING = "existing"
    NEW = "new"
    CARRIED = "carried"
    CONFLICT = "conflict"
    REFUSED = "refused"


class MatchPageRequest(PageRequest, MatchChoice):
    """`search`: part of either table's name."""

    search: str | None = Field(None, max_length=255)
    state: list[MatchState] | None = None
    refresh: bool = False


class MatchRecord(Schema):
    """A source table and where it goes. `reason`: why it is left out; empty where it is not."""

    source: TableAddress
    target: TableAddress
    state: MatchState
    reason: str
    estimated_rows: int | None


class MatchPage(Schema):
    """A part of the matches that the filter leaves, and how many of all there are in each state."""

    records: list[MatchRecord]
    total: int
    counts: dict[MatchState, int]


class StartRequest(MatchChoice):
    """The link to start, with its name and every table that matches. `appendOnly`: tables without any key are included
    append-only, so that duplicates stay and updates and deletes are not applied; else they are left out."""

    name: Annotated[str, Field(max_length=MAX_LINK_NAME_LENGTH), AfterValidator(plain_name)]
    load: LoadMode = LoadMode.BOTH
    clean: CleanMode = CleanMode.NONE
    ddl: DdlMode = DdlMode.FOLLOW
    append_only: bool = False


class StartedTable(Schema):
    """Result for one table, by its source name. `reason` says why it was left out."""

    id: str | None = None
    table: str
    done: bool
    reason: str


class StartRecord(Schema):
    """`linkId`, `taskId`: what was created and started; null: no table passed."""

    link_id: str | None
    task_id: str | None
    results: list[StartedTable]


TREE = ListDefinition[TreeRecord](TreeRecord)
"""In its own order only."""
