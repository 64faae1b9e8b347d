"""Requests and answers about data sources."""

from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, computed_field, model_serializer, model_validator

from zcbus.connectors.capabilities import Capture, Deletes, Delivery, Schemas
from zcbus.connectors.importing import MAX_DESCRIPTION_LENGTH, MAX_OPERATIONS
from zcbus.connectors.importing import Subject as ImportSubject
from zcbus.connectors.options import OptionsInvalid, OptionValue, parse, public_document
from zcbus.connectors.registry import KINDS, UnknownKind, spec_of
from zcbus.connectors.spec import Grammar
from zcbus.control.platform.paging import PageRequest
from zcbus.control.platform.reasons import ReasonRecord
from zcbus.control.platform.schema import ConfidentialSchema, Schema
from zcbus.control.store.columns import ID_LENGTH
from zcbus.model.states import LoadType

Side = Literal["source", "target"]
_TEXTS = ("text", "secret", "choice", "document")
MAX_OPTION_LENGTH = max(
    option.maximum for kind in KINDS.values() for option in kind.spec.options if option.type in _TEXTS
)
"""Characters of the longest text that an option of any kind takes. Each has a limit of its own, which `parse` keeps."""
OptionText = Annotated[str, Field(max_length=MAX_OPTION_LENGTH)]
OptionInput = OptionText | int | bool | None


class ConnectionInput(ConfidentialSchema):
    """A connection as entered: its kind and that kind's options (see getDBType). Secrets are write-only: omitted in a
    change, the stored ones stay."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, OptionInput]

    kind: str = Field(max_length=50)

    @property
    def options(self) -> dict[str, OptionInput]:
        """By name, secrets among them."""
        return dict(self.__pydantic_extra__)

    @model_serializer
    def _without_secrets(self) -> dict[str, Any]:
        known = KINDS.get(self.kind)
        shown = public_document(known.spec.model, self.options) if known else {}
        return {"kind": self.kind, **shown}


class PlaceRecord(Schema):
    """Address of a database. `product`: the maker's name of the kind; `title`: the database's name; `address`:
    `host:port`, a URL; empty where the title is enough."""

    product: str
    title: str
    address: str


class ConnectionRecord(Schema):
    """A connection as a record: its kind and that kind's options without secrets."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, str | int | bool]

    kind: str

    @computed_field
    def place(self) -> PlaceRecord:
        spec = spec_of(self.kind)
        options = parse(spec.model, self.__pydantic_extra__)
        return PlaceRecord(
            product=spec.name, title=options.title, address=options.address if options.address_form else ""
        )


class ConnectionChoice(ConfidentialSchema):
    """A connection: its kind and that kind's options, or a stored one: a link's by `linkId` and `side`, a publish
    node's by `nodeMaster`, a customer's database by `databaseId`. Options given with the last two replace the stored
    ones; the stored password is sent only to the server it was given for. `loadType`: how a target is written; see
    MasterInput."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, OptionInput]

    kind: str | None = Field(None, max_length=50)
    link_id: str | None = Field(None, max_length=100)
    side: Side | None = None
    node_master: str | None = Field(None, max_length=ID_LENGTH)
    database_id: str | None = Field(None, max_length=ID_LENGTH)
    load_type: LoadType | None = None

    @property
    def options(self) -> dict[str, OptionValue]:
        """The given options, by name."""
        return {name: value for name, value in self.__pydantic_extra__.items() if value is not None}

    @property
    def address(self) -> str | None:
        """Where the parameters lead; None where they are not complete."""
        try:
            return str(parse(spec_of(self.kind or "").model, self.options).address)
        except (UnknownKind, OptionsInvalid):
            return None


class OptionRecord(Schema):
    """An option of a connection; forms are built from it. `identifies`: another value is another database."""

    name: str
    type: Literal["text", "integer", "boolean", "secret", "choice", "document", "route", "driver"]
    label: str
    required: bool
    default: str | int | bool | None
    choices: list[str]
    minimum: int
    maximum: int
    help: str
    identifies: bool


class DbTypeRequest(Schema):
    """Which kinds can be used, with the options of that side: `publish` as a source, `subscribe` as a target; empty: as
    either."""

    type: Literal["", "publish", "subscribe"] = ""


class KindPlaceRecord(Schema):
    """Names of a kind's connections: `product` is the maker's name, `title` and `address` are built from options
    (`{host}:{port}`). `schemas`: the container of tables; `defaultSchema`: target schema of tables of other kinds."""

    product: str
    title: str
    address: str
    schemas: Schemas
    default_schema: str


class DbTypeRecord(Schema):
    """A kind of data source. `valid` 0: this version cannot use it so. `maturity`: `tested` on the servers that
    `tested` names, or a `preview` that was never tried on a server.
    `pngpath`: its picture, a path of the console.
    `ifDistributed`: it is several servers that are entered one by one. `capture`: how changes are captured, `deletes`:
    whether deleted rows are seen, `delivery`: how rows are written; see the documentation of kinds. `preview`: its
    connection form can show the first rows of a table; `imports`: it can make its document from an OpenAPI
    description; `retainsLog`: a source keeps its log for a reader that is away; `repeats`: after a failure a source may
    deliver a change again. `preview`, `imports` and `repeats` are false where only targets are asked for.
    `grammar`: of its statements in SQL, for editors."""

    id: str
    moduletype: str
    label: str
    group: str
    group_label: str
    pngpath: str
    valid: Literal[0, 1]
    maturity: Literal["tested", "preview"]
    tested: str
    if_distributed: bool
    source: bool
    target: bool
    capture: Capture
    deletes: Deletes
    delivery: Delivery
    preview: bool
    imports: bool
    retains_log: bool
    repeats: bool
    grammar: Grammar
    place: KindPlaceRecord
    options: list[OptionRecord]


class CurrentTestRequest(Schema):
    """The target databases to test, each with its parameters or as a stored one."""

    bus_client_db_parameter_list: list[ConnectionChoice] = Field(min_length=1, max_length=100)


class TestRow(Schema):
    """One check of a connection test. `status` is whether it passed; `blocking` distinguishes errors from warnings.
    `remedy`: statements or settings to run, `advice`: what to do in words; either may be empty. `database`: the
    connection, as `address/title`."""

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
    """The checks in the order in which they ran."""

    test_connection_info_list: list[TestRow]


class SchemaListRequest(Schema):
    connection: ConnectionChoice
    refresh: bool = False


class TableFilterRequest(PageRequest):
    """Tables of a database. `search` is a part of the name or a pattern with * and ?; `refresh` asks the database again
    instead of using the cache of the last minute."""

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


class DocumentListRequest(Schema):
    """The kind of data source."""

    kind: str = Field(max_length=50)


class ShippedDocumentRecord(Schema):
    """A ready-made document of a well-known service. `values`: options of the connection, by name. `preview`: written
    from the service's public documentation, not tested against it."""

    name: str
    label: str
    preview: bool
    values: dict[str, str]


class DocumentImportRequest(Schema):
    """An OpenAPI 3 description, as text or by its address, and the paths of the operations to import; none: only list
    the operations."""

    kind: str = Field(max_length=50)
    text: str = Field("", max_length=MAX_DESCRIPTION_LENGTH)
    address: str = Field("", max_length=1000)
    selected: list[Annotated[str, Field(max_length=500)]] = Field([], max_length=MAX_OPERATIONS)

    @model_validator(mode="after")
    def _one(self) -> Self:
        if bool(self.text.strip()) == bool(self.address.strip()):
            raise ValueError("either text or address")
        return self


class ImportedOperationRecord(Schema):
    """An operation that returns an array of records, by its path. `columns`: their number."""

    path: str
    summary: str
    columns: int


class ImportGuessRecord(Schema):
    """A part of the document that the description does not state. `table`: empty for the whole document."""

    table: str
    subject: ImportSubject
    value: str


class DocumentImportRecord(Schema):
    """Operations of a description, and the options of a connection for the selected ones, without secrets."""

    title: str
    operations: list[ImportedOperationRecord]
    values: dict[str, str]
    guesses: list[ImportGuessRecord]


class TablePreviewRequest(Schema):
    """A connection and the name of one of its tables; empty: the first table."""

    connection: ConnectionChoice
    table: str = Field("", max_length=255)


class PreviewColumnRecord(Schema):
    """A declared column or an undeclared field. `path`: path of its value in a record."""

    name: str
    type: str
    key: bool
    path: str


class PreviewFaultRecord(Schema):
    """A mismatch between a line of the document and the response. `location`: the value in the document; `record`: the
    first affected record, from 1; 0: the response as a whole."""

    line: int
    location: str
    detail: str
    record: int


class TablePreviewRecord(Schema):
    """The first rows of a table, in the order of `columns`; values of more than 200 characters are cut. `tables`: all
    tables of the document. `undeclared`: fields of the records that no column declares, with inferred types."""

    tables: list[str]
    table: str
    columns: list[PreviewColumnRecord]
    rows: list[list[str | None]]
    undeclared: list[PreviewColumnRecord]
    faults: list[PreviewFaultRecord]


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
    """A column and its target type. `blocking`: it cannot be replicated."""

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
