"""Jobs of plans as they are requested."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from zcbus.control.features.policy.distribution_schemas import MAX_TARGETS
from zcbus.control.features.sync_link.schemas import MAX_PATTERNS, TableWords
from zcbus.control.platform.faults import field_fault
from zcbus.control.platform.schema import Schema
from zcbus.control.store.columns import ID_LENGTH
from zcbus.model.comparison import ComparisonMethod
from zcbus.protocol.statements import FILE_NAME

Id = Annotated[str, StringConstraints(min_length=1, max_length=ID_LENGTH)]


class JobType(StrEnum):
    """Job types of a plan."""

    START = "start"
    PAUSE = "pause"
    STOP = "stop"
    RELOAD = "reload"
    SUSPEND = "suspend"
    RESUME = "resume"
    COMPARE = "compare"
    CLEAN = "clean"
    SQL = "sql"
    EXPORT = "export"
    BACKUP = "backup"
    DISTRIBUTE = "distribute"


class HistoryKind(StrEnum):
    """What accumulates in the platform's own store and may be removed before its retention ends."""

    RUNS = "runs"
    LOADS = "loads"
    ALERTS = "alerts"
    NOTICES = "notices"
    API_LOG = "api-log"
    SQL_RUNS = "sql-runs"
    RECYCLE_BIN = "recycle-bin"


OF_TABLES = frozenset({JobType.RELOAD, JobType.SUSPEND, JobType.RESUME, JobType.COMPARE})
OF_SQL = frozenset({JobType.SQL, JobType.EXPORT})
OF_LINKS = OF_TABLES | {JobType.START, JobType.PAUSE, JobType.STOP}
_ONLY_FOR: Mapping[str, frozenset[JobType]] = {
    "link": OF_LINKS,
    "tables": OF_TABLES,
    "beside": frozenset({JobType.RELOAD}),
    "method": frozenset({JobType.COMPARE}),
    "repair": frozenset({JobType.COMPARE}),
    "clean": frozenset({JobType.CLEAN}),
    "sql": OF_SQL,
    "export": frozenset({JobType.EXPORT}),
    "backup": frozenset({JobType.BACKUP}),
    "distribution": frozenset({JobType.DISTRIBUTE}),
}
_NEEDED = ("link", "clean", "sql", "export", "backup", "distribution")
_MAX_COUNTED = 10_000
"""Rows that the control plane takes; more go into a file only."""


class CleaningInput(Schema):
    """Remove records that ended more than `olderThanDays` days ago."""

    histories: list[HistoryKind] = Field(min_length=1, max_length=len(HistoryKind))
    older_than_days: int = Field(ge=1, le=3_650)


class SqlJobInput(Schema):
    """Run a saved statement, by id, that only reads. `{{date}}` and `{{time}}` in it are those of the due time in the
    plan's time zone (2026-01-31, 13:00:00). `expect`: whether it must, or must not, find rows."""

    statement: Id
    database: Id
    row_limit: int = Field(1_000, ge=1, le=100_000)
    time_limit_seconds: int = Field(60, ge=1, le=600)
    expect: Literal["any", "some", "none"] = "any"

    def statement_of(self, saved: str, due_at: datetime) -> str:
        """The statement of one run: digits and marks of a moment are put in, never what people wrote."""
        return saved.replace("{{date}}", f"{due_at:%Y-%m-%d}").replace("{{time}}", f"{due_at:%H:%M:%S}")


class ExportInput(Schema):
    """Write the rows of the SQL into a file of the agent's host, in the tenant's folder. `{date}` and `{time}` in its
    name are those of the due time in the plan's time zone. More rows than `rowLimit` are no export."""

    file: str = Field(max_length=200, pattern=FILE_NAME)

    def file_of(self, due_at: datetime) -> str:
        """The file of one run."""
        return self.file.replace("{date}", f"{due_at:%Y-%m-%d}").replace("{time}", f"{due_at:%H%M%S}")


class BackupInput(Schema):
    """Write a backup of the metadata store. `keep`: so many of the plan's backups are kept."""

    keep: int = Field(7, ge=1, le=100)


class DistributionInput(Schema):
    """Give a version of a policy to customers, each after its pre-check. `version`: omitted: the newest one when the
    plan runs. `masters`: of the customers; omitted: of all that have the policy then."""

    policy: Id
    version: int | None = Field(default=None, ge=1)
    masters: list[Id] | None = Field(default=None, min_length=1, max_length=MAX_TARGETS)


class JobInput(Schema):
    """A plan's job: what its type needs. `tables`: of the link, by `schema.table` or id; omitted: all that it has when
    the plan runs. `beside` (reload) and `method` (compare) as in the calls for these. `repair`: differing rows are then
    repaired from the source."""

    type: JobType
    link: Id | None = None
    tables: list[TableWords] | None = Field(default=None, min_length=1, max_length=MAX_PATTERNS)
    beside: bool | None = None
    method: ComparisonMethod | None = None
    repair: bool = False
    clean: CleaningInput | None = None
    sql: SqlJobInput | None = None
    export: ExportInput | None = None
    backup: BackupInput | None = None
    distribution: DistributionInput | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        given = {name for name in _ONLY_FOR if getattr(self, name) not in (None, False)}
        if any(self.type not in _ONLY_FOR[name] for name in given):
            raise field_fault("not-of-job")
        if any(self.type in _ONLY_FOR[name] and name not in given for name in _NEEDED):
            raise field_fault("job-incomplete")
        if self.type is JobType.SQL and self.sql is not None and self.sql.row_limit > _MAX_COUNTED:
            raise field_fault("rows-of-sql", most=_MAX_COUNTED)
        if self.repair and self.method == "count":
            raise field_fault("repair-of-counts")
        return self
