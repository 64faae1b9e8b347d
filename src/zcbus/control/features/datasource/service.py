"""The rules of data sources: which kinds there are, testing connections, looking into databases."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row

from zcbus.connectors.options import Option, parse
from zcbus.connectors.registry import KINDS, spec_of
from zcbus.connectors.spec import GROUPS, KindSpec
from zcbus.control.features.container.service import find_destination
from zcbus.control.features.datasource import connections, stored
from zcbus.control.features.datasource.errors import ConnectionIncompleteError, KindUnsupportedError
from zcbus.control.features.datasource.inventory import Inventory, page
from zcbus.control.features.datasource.schemas import (
    ColumnRecord,
    ConnectionChoice,
    ConnectionInput,
    ConnectionTestRecord,
    DbTypeRecord,
    DescribeRequest,
    DocumentImportRecord,
    DocumentImportRequest,
    KindPlaceRecord,
    OptionRecord,
    SchemaListRequest,
    ShippedDocumentRecord,
    Side,
    TableDescription,
    TablePageRequest,
    TablePreviewRecord,
    TablePreviewRequest,
    TableRecord,
    TestRow,
)
from zcbus.control.platform.agent_requests import Destination, ask
from zcbus.control.platform.call import Call
from zcbus.control.platform.language import Language
from zcbus.control.platform.paging import Page
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.protocol.answers import Check, ColumnLine, ConnectionTest, Description, Descriptions, Schemas
from zcbus.protocol.base import Connection, TableRef
from zcbus.protocol.document_import import ImportDocument, ImportedDocument
from zcbus.protocol.preview import PreviewTable, TablePreview
from zcbus.protocol.requests import DescribeTables, ListSchemas, TestConnection

inventory = Inventory()


def db_types(texts: ReasonTexts, usage: str) -> list[DbTypeRecord]:
    """Every kind, with the options of its form: first those usable for the purpose (`publish`, `subscribe`, or empty
    for either), tested ones before previews, then the others by group."""
    records = [_kind_record(entry.spec, texts, usage) for entry in KINDS.values()]
    return sorted(records, key=lambda one: (-one.valid, one.maturity == "preview", GROUPS.index(one.group)))


def modules(texts: ReasonTexts, moduletype: str) -> list[DbTypeRecord]:
    """The options of a kind's connection. Raises KindUnsupportedError for kinds this version does not support."""
    found = [kind for kind in db_types(texts, "") if kind.moduletype == moduletype and kind.valid]
    if not found:
        raise KindUnsupportedError(kind=moduletype)
    return found


def test(call: Call, choice: ConnectionChoice, side: Side) -> tuple[bool, ConnectionTestRecord]:
    """Have an agent test a connection check by check. Returns whether no blocking check failed, and the checks."""
    return test_all(call, [choice], side)


def test_all(call: Call, choices: Sequence[ConnectionChoice], side: Side) -> tuple[bool, ConnectionTestRecord]:
    """As `test`, of several connections one after the other. Nothing is tested while one of them is not complete."""
    chosen = [(choice.side or side, *choose(call, choice, side)) for choice in choices]
    passed, rows = True, list[TestRow]()
    for tested_side, destination, connection in chosen:
        answer = ask(
            call.services, destination, TestConnection(connection=connection, side=tested_side), ConnectionTest
        )
        passed = passed and answer.ok
        where = parse(spec_of(connection.kind).model, connection.options).place
        rows += [_test_row(check, where, ReasonTexts.of(call)) for check in answer.checks]
    return passed, ConnectionTestRecord(test_connection_info_list=rows)


def list_schemas(call: Call, request: SchemaListRequest) -> list[str]:
    """Schemas (databases for MySQL) that the connection's user can see."""
    destination, connection = choose(call, request.connection, "source")
    return list(ask(call.services, destination, ListSchemas(connection=connection), Schemas).schemas)


def list_tables(call: Call, request: TablePageRequest) -> Page[TableRecord]:
    """A part of a database's tables."""
    destination, connection = choose(call, request.connection, "source")
    tables = inventory.tables(call.services, destination, connection, refresh=request.refresh)
    return page(tables, request, ReasonTexts.of(call))


def describe_tables(call: Call, request: DescribeRequest) -> list[TableDescription]:
    """Columns and keys of tables, and the columns' types on a kind of target."""
    destination, connection = choose(call, request.connection, "source")
    refs = tuple(TableRef(schema_name=table.schema_name, table=table.table) for table in request.tables)
    question = DescribeTables(connection=connection, tables=refs, target_kind=request.target_kind)
    answer = ask(call.services, destination, question, Descriptions)
    return [description(table, ReasonTexts.of(call)) for table in answer.tables]


def documents(kind: str) -> list[ShippedDocumentRecord]:
    """Ready-made documents of a kind. Raises KindUnsupportedError."""
    return [
        ShippedDocumentRecord(name=one.name, label=one.label, preview=True, values=dict(one.values))
        for one in connections.spec_of(kind).documents()
    ]


def preview(call: Call, request: TablePreviewRequest) -> TablePreviewRecord:
    """The first rows of a table, read by an agent over a connection form's options. Raises KindUnsupportedError."""
    destination, connection = choose(call, request.connection, "source")
    if not spec_of(connection.kind).capabilities.preview:
        raise KindUnsupportedError(kind=connection.kind)
    question = PreviewTable(connection=connection, table=request.table)
    return TablePreviewRecord.model_validate(ask(call.services, destination, question, TablePreview).model_dump())


def import_document(call: Call, request: DocumentImportRequest) -> DocumentImportRecord:
    """A document from an OpenAPI description, read by an agent: the control plane sends no request to its address.
    Raises KindUnsupportedError."""
    if not connections.spec_of(request.kind).capabilities.imports:
        raise KindUnsupportedError(kind=request.kind)
    with call.services.database.read() as store:
        destination = find_destination(store, call.principal)
    question = ImportDocument(
        kind=request.kind, text=request.text, address=request.address, selected=tuple(request.selected)
    )
    return DocumentImportRecord.model_validate(ask(call.services, destination, question, ImportedDocument).model_dump())


def choose(call: Call, choice: ConnectionChoice, side: Side) -> tuple[Destination, Connection]:
    """The chosen connection, and the agent that uses it. Raises ConnectionIncompleteError, RecordNotFoundError,
    PasswordNeededError and what `connections.check` raises."""
    with call.services.database.read() as store:
        found = stored.find(call, store, choice, side)
        destination = found.destination if found else find_destination(store, call.principal)
    connection = _resolve(call, choice, found.row if found else None, side, destination.container_id)
    load_type = choice.load_type or (found.load_type if found else None)
    return destination, connections.written(connection, load_type) if load_type else connection


def _resolve(call: Call, choice: ConnectionChoice, row: Row[Any] | None, side: Side, container_id: str) -> Connection:
    """The given connection; without options the stored one."""
    is_bare = choice.kind is None and not choice.options
    if row is not None and (is_bare or choice.link_id is not None):
        with call.services.database.read() as store:
            return connections.open_row(store, call.services.secrets, row)
    given = _complete(choice)
    connections.check(given, side)
    if row is None:
        return connections.for_agents(call.services, given, call.principal.tenant_id, container_id)
    complete = connections.merge(call.services.secrets, row, given, side)
    return connections.for_agents(call.services, complete, row.tenant_id, container_id)


def _complete(choice: ConnectionChoice) -> ConnectionInput:
    if choice.kind is None or not choice.options:
        raise ConnectionIncompleteError
    return ConnectionInput.model_validate({"kind": choice.kind, **choice.options})


def _kind_record(spec: KindSpec, texts: ReasonTexts, usage: str) -> DbTypeRecord:
    is_usable = {"publish": spec.source, "subscribe": spec.target}.get(usage, True)
    sides = {"publish": ("", "source"), "subscribe": ("", "target")}.get(usage, ("", "source", "target"))
    # A target's form neither shows rows nor warns of deliveries.
    is_read = "source" in sides
    return DbTypeRecord(
        id=spec.kind,
        moduletype=spec.kind,
        label=spec.label_in(texts.language),
        group=spec.group,
        group_label=texts.named(f"kind-group.{spec.group}", spec.group),
        pngpath=_picture(spec.picture or spec.group),
        valid=1 if is_usable else 0,
        maturity="tested" if spec.tested else "preview",
        tested=spec.tested,
        if_distributed=False,
        source=spec.source,
        target=spec.target,
        capture=spec.capabilities.capture,
        deletes=spec.capabilities.deletes,
        delivery=spec.capabilities.delivery,
        preview=is_read and spec.capabilities.preview,
        imports=is_read and spec.capabilities.imports,
        retains_log=spec.capabilities.retains_log,
        repeats=is_read and spec.capabilities.repeats,
        grammar=spec.grammar,
        place=KindPlaceRecord(
            product=spec.name,
            title=spec.model.title_form,
            address=spec.model.address_form,
            schemas=spec.capabilities.schemas,
            default_schema=spec.capabilities.default_schema,
        ),
        options=[_option_record(option, texts.language) for option in spec.options if option.shown.side in sides],
    )


def _picture(name: str) -> str:
    return f"/zcbus/kinds/{name}.svg"


def _option_record(option: Option, language: Language) -> OptionRecord:
    shown = option.shown
    return OptionRecord(
        name=option.name,
        type=option.type,
        label=shown.zh if language == "zh" else shown.en,
        required=option.required,
        default=option.default,
        choices=list(option.choices),
        minimum=option.minimum,
        maximum=option.maximum,
        help=shown.help_zh if language == "zh" else shown.help_en,
        identifies=shown.identifies and not shown.secret,
    )


def _test_row(check: Check, place: str, texts: ReasonTexts) -> TestRow:
    return TestRow(
        test_matters=texts.named(f"check.{check.item}", check.item),
        check_sql=check.statement,
        status=check.ok,
        log_info=check.detail,
        remedy=check.remedy,
        advice=texts.advice(check.advice),
        blocking=check.blocking,
        item=check.item,
        database=place,
    )


def description(table: Description, texts: ReasonTexts) -> TableDescription:
    """A table as a record."""
    return TableDescription(
        schema=table.schema_name,
        table=table.table,
        columns=[_column_record(column, texts) for column in table.columns],
        primary_key=list(table.primary_key),
        unique_keys=[list(key) for key in table.unique_keys],
    )


def _column_record(column: ColumnLine, texts: ReasonTexts) -> ColumnRecord:
    return ColumnRecord(
        name=column.name,
        native_type=column.native_type,
        nullable=column.nullable,
        key=column.key,
        comment=column.comment,
        target_type=column.target_type,
        note=texts.record(column.note),
        blocking=column.blocking,
    )
