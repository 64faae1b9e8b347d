"""Requests and answers about data sources."""

from typing import Literal

from pydantic import ConfigDict, Field

from zcbus.control.features.container.schemas import ReasonRecord
from zcbus.control.platform.paging import PageRequest
from zcbus.control.platform.schema import Schema
from zcbus.control.store.columns import ID_LENGTH
from zcbus.model.states import LoadType

Side = Literal["source", "target"]
Tls = Literal["disable", "prefer", "require", "verify-full"]


class ConnectionInput(Schema):
    """A connection as a person gives it. `password` is write-only: left out of a change, the stored one stays."""

    model_config = ConfigDict(extra="forbid")

    kind: str = Field(max_length=50)
    host: str = Field(max_length=255)
    port: int = Field(ge=1, le=65535)
    user: str = Field(max_length=128)
    password: str | None = Field(None, max_length=255)
    database: str = Field(max_length=128)
    tls: Tls = "prefer"


class ConnectionRecord(Schema):
    """A connection as it is shown: without its password."""

    kind: str
    host: str
    port: int
    user: str
    database: str
    tls: Tls


class ConnectionChoice(Schema):
    """A connection: its parameters, or a stored one: a link's by `linkId` and `side`, a publish node's by `nodeMaster`,
    a customer's database by `databaseId`. Of the last two, parameters beside it count instead of the stored ones; the
    stored password goes only to the place it was given for. `loadType`: how a target is to be written; see
    MasterInput."""

    kind: str | None = Field(None, max_length=50)
    host: str | None = Field(None, max_length=255)
    port: int | None = Field(None, ge=1, le=65535)
    user: str | None = Field(None, max_length=128)
    password: str | None = Field(None, max_length=255)
    database: str | None = Field(None, max_length=128)
    tls: Tls | None = None
    link_id: str | None = Field(None, max_length=100)
    side: Side | None = None
    node_master: str | None = Field(None, max_length=ID_LENGTH)
    database_id: str | None = Field(None, max_length=ID_LENGTH)
    load_type: LoadType | None = None


class OptionRecord(Schema):
    """One typed option of a connection; forms are built from it."""

    name: str
    type: Literal["text", "integer", "secret", "choice"]
    label: str
    required: bool
    default: str | int | None
    choices: list[str]
    maximum: int
    help: str


class DbTypeRequest(Schema):
    """Which kinds can be used: `publish` as a source, `subscribe` as a target; empty: as either."""

    type: Literal["", "publish", "subscribe"] = ""


class DbTypeRecord(Schema):
    """A kind of data source. `valid` 0: this version cannot use it so. `pngpath`: its picture, a path of the console.
    `ifDistributed`: it is several servers that are given one by one."""

    id: str
    moduletype: str
    label: str
    group: str
    group_label: str
    pngpath: str
    valid: Literal[0, 1]
    if_distributed: bool
    source: bool
    target: bool
    options: list[OptionRecord]


class CurrentTestRequest(Schema):
    """The target databases to test, each with its parameters or as a stored one."""

    bus_client_db_parameter_list: list[ConnectionChoice] = Field(min_length=1, max_length=100)


class TestRow(Schema):
    """One check of a connection test. `status` is whether it passed; `blocking` tells errors from warnings.
    `remedy`: statements or settings to run, `advice`: what to do in words; either may be empty.
    `database`: which connection it was, as `host:port/database`."""

    test_matters: str
    check_sql: str
    status: bool
    log_info: str
    remedy: str
    advice: str
    blocking: bool
    item: str
    database: str


class ConnectionTestRecord(Schema):
    """The checks in the order they were made."""

    test_connection_info_list: list[TestRow]


class SchemaListRequest(Schema):
    connection: ConnectionChoice
    refresh: bool = False


class TableFilterRequest(PageRequest):
    """Tables of a database. `search` is a part of the name or a pattern with * and ?; `refresh` asks the database
    again instead of taking what it told within the last minute."""

    search: str | None = Field(None, max_length=255)
    schema_name: str | None = Field(None, alias="schema", max_length=255)
    has_key: bool | None = None
    refresh: bool = False


class TablePageRequest(TableFilterRequest):
    """Tables of a connection's database."""

    connection: ConnectionChoice


class TableRecord(Schema):
    """A table. `refused` says why it cannot be chosen; empty: it can."""

    schema_name: str = Field(alias="schema")
    table: str
    estimated_rows: int | None
    size_bytes: int | None
    has_primary_key: bool
    has_unique_key: bool
    comment: str
    refused: str


class TableAddress(Schema):
    """A table's schema and name."""

    schema_name: str = Field(alias="schema", max_length=255)
    table: str = Field(max_length=255)


class DescribeRequest(Schema):
    """Which tables, and for which kind of target their columns' types are worked out."""

    connection: ConnectionChoice
    tables: list[TableAddress] = Field(min_length=1, max_length=200)
    target_kind: str | None = Field(None, max_length=50)


class ColumnRecord(Schema):
    """A column and what it becomes. `blocking`: it cannot be carried over."""

    name: str
    native_type: str
    nullable: bool
    key: bool
    comment: str
    target_type: str
    note: ReasonRecord | None
    blocking: bool


class TableDescription(Schema):
    """A table's columns and keys."""

    schema_name: str = Field(alias="schema")
    table: str
    columns: list[ColumnRecord]
    primary_key: list[str]
    unique_keys: list[list[str]]
