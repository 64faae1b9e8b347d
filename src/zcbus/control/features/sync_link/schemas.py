"""Requests and answers about sync links."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, model_validator

from zcbus.control.features.captcha.deletion import DeletionProof
from zcbus.control.features.container.schemas import ServiceRecord
from zcbus.control.features.datasource.schemas import ConnectionInput, ConnectionRecord
from zcbus.control.features.publish.schemas import RetainedLogGb
from zcbus.control.features.subscribe.schemas import MAX_TARGET_NAME_LENGTH, MAX_THREADS, ApplierCount, TableCounts
from zcbus.control.features.subscribe.transform_input import ColumnName, ColumnNames, LinkNames, TransformInput
from zcbus.control.platform.faults import field_fault
from zcbus.control.platform.names import plain_name
from zcbus.control.platform.paging import PageRequest
from zcbus.control.platform.reasons import ReasonRecord
from zcbus.control.platform.schema import Schema
from zcbus.model.reduction.pace import Pace
from zcbus.model.states import CleanMode, DdlMode, DesiredState, IndexMode, LinkState, LoadMode, SyncState

MAX_LINK_NAME_LENGTH = 100
MAX_PATTERNS = 10_000


class LinkAction(StrEnum):
    """The actions of a link; its state decides which are allowed."""

    START = "start"
    PAUSE = "pause"
    RESUME = "resume"
    STOP = "stop"
    EDIT = "edit"
    DELETE = "delete"


def split_name(value: object) -> object:
    """`schema.table` as a mapping; a table name may contain further dots."""
    if not isinstance(value, str):
        return value
    schema, dot, table = value.partition(".")
    if not dot or not schema or not table:
        raise field_fault("table-name")
    return {"schema": schema, "table": table}


class SourceTable(Schema):
    """A table of the source."""

    model_config = ConfigDict(extra="forbid")

    schema_name: str = Field(alias="schema", min_length=1, max_length=255)
    table: str = Field(min_length=1, max_length=255)


class TargetTable(Schema):
    """A table of the target."""

    model_config = ConfigDict(extra="forbid")

    schema_name: str = Field(alias="schema", min_length=1, max_length=MAX_TARGET_NAME_LENGTH)
    table: str = Field(min_length=1, max_length=MAX_TARGET_NAME_LENGTH)


class TableMapping(TransformInput):
    """A table with settings of its own. `source` and `target` may also be written as `schema.table`.

    `columns`: source name → target name, or a selection (a list, or `a,b`); omitted: all. `key` (ApplyByKey): columns
    that identify a row, by their names in the source; needed where the table has no key, unless it is `appendOnly`:
    then inserted rows are added, and duplicates stay; only for tables without any key.
    """

    model_config = ConfigDict(extra="forbid")

    source: Annotated[SourceTable, BeforeValidator(split_name)]
    target: Annotated[TargetTable, BeforeValidator(split_name)] | None = None
    columns: dict[ColumnName, ColumnName] | ColumnNames | None = None
    key: ColumnNames = Field(default_factory=list, max_length=64)
    append_only: bool | None = None

    @property
    def column_pairs(self) -> tuple[tuple[str, str], ...]:
        """Source and target name of each selected column; (): all."""
        if isinstance(self.columns, dict):
            return tuple(self.columns.items())
        return tuple((name, name) for name in self.columns or [])

    @model_validator(mode="after")
    def _check_columns(self) -> "TableMapping":
        targets = [target for _, target in self.column_pairs]
        if len(set(targets)) < len(targets):
            raise field_fault("same-target-columns")
        if self.columns is not None and not targets:
            raise field_fault("no-columns")
        sources = {source for source, _ in self.column_pairs}
        if sources and not sources.issuperset(self.key):
            raise field_fault("key-outside-columns")
        if self.key and self.append_only:
            raise field_fault("append-only-with-key")
        return self


Pattern = Annotated[str, Field(min_length=1, max_length=520)]


class LinkDocument(Schema):
    """A sync link as code. Unknown fields are refused, so that nothing is ignored silently.

    `tables`: patterns (`public.*`, `!public.audit_*`, later ones win) and tables with settings of their own.
    """

    model_config = ConfigDict(extra="forbid")

    link: Annotated[str, Field(max_length=MAX_LINK_NAME_LENGTH), AfterValidator(plain_name)]
    source: ConnectionInput
    target: ConnectionInput
    tables: list[Pattern | TableMapping] = Field(min_length=1, max_length=MAX_PATTERNS)
    load: LoadMode = LoadMode.BOTH
    clean: CleanMode = CleanMode.NONE
    ddl: DdlMode = DdlMode.STOP
    indexes: IndexMode = IndexMode.ALL
    threads: int = Field(2, ge=1, le=MAX_THREADS)
    lanes: ApplierCount | None = None
    """Sessions among which a table's changes are divided by their keys; left out: they are not."""
    names: LinkNames | None = None
    column_case: Literal[0, 1] | None = None
    """Whether columns of a target table that is there already are found ignoring case (0) or by exact names (1)."""
    json_topic: Annotated[str, Field(max_length=100, pattern=r"^[A-Za-z0-9][A-Za-z0-9.-]*$")] | None = None
    """Topic of the source's changes as JSON for other programs; omitted: none."""
    new_tables: list[Pattern] | None = Field(None, max_length=MAX_PATTERNS)
    """Patterns of tables that are added automatically as soon as the source has them."""
    held_log_gb: RetainedLogGb | None = None
    """GiB of log that the source may keep for the link before it is let forget them; left out: as many as it must."""
    container: str | None = Field(None, max_length=100)

    @model_validator(mode="after")
    def _check_tables(self) -> "LinkDocument":
        if all(isinstance(entry, str) and entry.startswith("!") for entry in self.tables):
            raise field_fault("only-exclusions")
        named = [
            (entry.source.schema_name, entry.source.table) for entry in self.tables if isinstance(entry, TableMapping)
        ]
        if len(set(named)) < len(named):
            raise field_fault("table-twice")
        return self


class ApplyRequest(Schema):
    """`start`: whether a new link starts at once; a link that exists keeps its state."""

    document: LinkDocument
    start: bool = True


class TableChange(Schema):
    """A table of a link, source and target as `schema.table`."""

    source: str
    target: str


class ApplyRecord(Schema):
    """Result of an apply. `changed`: settings that differ now; `reloaded`: tables that load again."""

    id: str
    name: str
    created: bool
    changed: list[str]
    added: list[TableChange]
    removed: list[TableChange]
    reloaded: list[TableChange]
    version: int
    findings: list["FindingRecord"]


class FindingRecord(Schema):
    """One result of a pre-check. An error blocks, a warning does not."""

    level: Literal["error", "warning", "info"]
    table: str
    column: str
    code: str
    text: str
    remedy: str
    advice: str


class PrecheckRequest(Schema):
    document: LinkDocument


class PrecheckRecord(Schema):
    """`ok`: no error among the findings. `tables`: those that match the document's patterns."""

    ok: bool
    findings: list[FindingRecord]
    tables: list[TableChange]


class LinkChoice(Schema):
    """A link, by its id or by its name."""

    id: str | None = Field(None, max_length=32)
    name: str | None = Field(None, max_length=MAX_LINK_NAME_LENGTH)

    @model_validator(mode="after")
    def _check_given(self) -> "LinkChoice":
        if not self.id and not self.name:
            raise field_fault("id-or-name")
        return self


class LinkDeletion(LinkChoice, DeletionProof):
    """The link to delete."""


TableWords = Annotated[str, Field(min_length=1, max_length=520)]
"""A table's source name or its id."""


class TablesChoice(LinkChoice):
    """Tables of a link, by their source names (`schema.table`) or their ids."""

    tables: list[TableWords] = Field(min_length=1, max_length=MAX_PATTERNS)


class LinkPageRequest(PageRequest):
    """`search`: part of the name, a host or a database."""

    search: str | None = Field(None, max_length=255)
    state: list[LinkState] | None = None


class LinkWarning(Schema):
    """An open alert about a link that runs, whose cause its state does not show: a log that the source retains, changes
    that expire, a heartbeat that stalls, lag. `kind`: as of alerts."""

    kind: str
    text: str
    remedy: str
    since: datetime


class LinkRecord(Schema):
    """A sync link. `state` is derived from the last reports of its services and tables; `stale`: they are more than ten
    seconds old (`asOf`). `lagMs`: the greatest of its tables. `pace`: null in other states than incremental running,
    and while the lag is not known. `verifiedUntil`: all its tables that can be verified were proved equal to their
    sources then or later; null while some (`unverified`) never were completely, or none can be. `warnings`: the newest
    five. `heldUp`: it is to work, but `reason` prevents it."""

    id: str
    name: str
    tenant_id: str
    task_id: str
    source: ConnectionRecord
    target: ConnectionRecord
    container_name: str
    desired: DesiredState
    state: LinkState
    stale: bool
    as_of: datetime | None
    reason: ReasonRecord | None
    held_up: bool
    tables: TableCounts
    rows_per_second: float
    lag_ms: int | None
    pace: Pace | None
    verified_until: datetime | None
    unverified: int
    warnings: list[LinkWarning]
    actions: list[LinkAction]
    version: int
    created_at: datetime
    updated_at: datetime


class LinkDetail(LinkRecord):
    """A sync link with its settings and services. `document` is the link as code, without passwords."""

    load: LoadMode
    clean: CleanMode
    ddl: DdlMode
    threads: int
    services: list[ServiceRecord]
    document: "ExportedDocument"


ExportedConnection = dict[str, str | int | bool | dict[str, str]]
"""A connection as exported; a secret is `{env: NAME}`, where it comes from when the link is applied."""


class ExportedDocument(Schema):
    """A link as code; applying it again changes nothing. `tables`: as in LinkDocument."""

    link: str
    source: ExportedConnection
    target: ExportedConnection
    tables: list[str | dict[str, Any]]
    load: LoadMode
    clean: CleanMode
    ddl: DdlMode
    indexes: IndexMode
    threads: int
    lanes: int | None = None
    names: dict[str, Any] | None = None
    column_case: int | None = None
    json_topic: str | None = None
    new_tables: list[str] | None = None
    held_log_gb: int | None = None
    container: str


class ExportRecord(Schema):
    document: ExportedDocument


class TableStatus(Schema):
    """A table's line in a link's status (the contract's shape). `errors`: open row errors, plus one for the error of a
    table in an error state. `reason`: also that rows are proved to differ."""

    source: str
    target: str
    state: SyncState
    rows_loaded: int
    inserts: int
    updates: int
    deletes: int
    lag_ms: int | None
    pace: Pace | None
    errors: int
    reason: str | None


class LinkStatus(Schema):
    """A link's status (the contract's shape), and whether it is current: `stale` says that the agent has been silent
    since `asOf` (None: no agent ever reported), so that the present state is unknown. `reason`, `warnings`: as texts;
    see LinkRecord."""

    name: str
    state: LinkState
    pace: Pace | None
    stale: bool
    as_of: datetime | None
    reason: str | None
    warnings: list[str]
    tables: list[TableStatus]
