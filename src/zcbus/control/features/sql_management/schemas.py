"""Requests and answers of SQL management."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from zcbus.control.features.captcha.deletion import DeletionProof
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.reasons import ReasonRecord
from zcbus.control.platform.schema import Schema
from zcbus.control.store.columns import ID_LENGTH
from zcbus.model.query_text import MAX_LENGTH
from zcbus.protocol.data_service import QueryColumn
from zcbus.protocol.statements import StatementMode

Id = Annotated[str, Field(min_length=1, max_length=ID_LENGTH)]
StatementText = Annotated[str, Field(min_length=1, max_length=MAX_LENGTH)]
Use = Literal["publish", "subscribe", "api"]
RunResult = Literal["running", "done", "failed", "cancelled", "unknown"]
"""`unknown`: the platform ended while it ran."""
MAX_DESCRIBED = 50


class SqlDatabase(Schema):
    """A stored database that SQL can be run against. `use`: its owner's kind; `name`: of the publish node, the
    customer's database or the API group; `place`: its address."""

    id: str
    name: str
    use: Use
    kind: str
    place: str


class SqlDatabaseChoice(Schema):
    """Which database."""

    database_id: Id


class SqlTable(Schema):
    schema_name: str = Field(max_length=255)
    table: str = Field(max_length=255)


class SqlCatalog(Schema):
    """Tables of a database for completion. `more`: there are further ones."""

    tables: list[SqlTable]
    more: bool


class SqlColumnsRequest(SqlDatabaseChoice):
    """Tables whose columns are requested."""

    tables: list[SqlTable] = Field(min_length=1, max_length=MAX_DESCRIBED)


class SqlTableColumns(SqlTable):
    """Columns in their order; none where the table is gone."""

    columns: list[str]


class SqlCommit(SqlDatabaseChoice):
    """A statement to run. `rowLimit`: the most rows in the answer; `timeoutMs`: the server ends a longer statement."""

    statement: StatementText
    row_limit: int = Field(1000, ge=1, le=10_000)
    timeout_ms: int = Field(30_000, ge=100, le=600_000)


class SqlRun(SqlCommit):
    """A statement to run without a trace. `mode`: read, in a transaction that may only read; plan: not run at all."""

    mode: Literal["read", "plan"] = "read"


class SqlRows(Schema):
    """Rows in the order of `columns`. `affected`: rows that were changed; null: it was not run as a change."""

    columns: list[QueryColumn]
    rows: list[list[object]]
    more: bool
    affected: int | None
    duration_ms: int


class SqlPageRequest(PageRequest):
    """`search`: a part of the description or the statement."""

    search: str = Field("", max_length=100)


class SqlInput(Schema):
    """A statement to save. `databaseId`: its usual database."""

    description: str = Field(min_length=1, max_length=30, pattern=r"\S")
    statement: StatementText
    database_id: str = Field("", max_length=ID_LENGTH)


class SqlChange(SqlInput):
    id: Id


class SqlDeletion(DeletionProof):
    id: Id


class SqlRecord(Schema):
    """A saved statement."""

    id: str
    description: str
    statement: str
    database_id: str
    updated_by: str
    updated_at: datetime


class SqlRunPageRequest(PageRequest):
    """The caller's own runs. `search`: a part of the statement or of the database's name."""

    search: str = Field("", max_length=100)


class SqlRunRecord(Schema):
    """A statement that was run. `rows`: answered or changed."""

    id: str
    ran_at: datetime
    database_id: str
    database_name: str
    statement: str
    mode: StatementMode
    result: RunResult
    rows: int
    duration_ms: int
    reason: ReasonRecord | None


STATEMENTS = ListDefinition[SqlRecord](
    SqlRecord, {"description": "description", "updatedBy": "updated_by", "updatedAt": "updated_at"}
)
RUNS = ListDefinition[SqlRunRecord](
    SqlRunRecord,
    {
        "ranAt": "ran_at",
        "databaseName": "database_name",
        "result": "result",
        "rows": "rows",
        "durationMs": "duration_ms",
    },
)
