"""The rules of data sources: which kinds there are, testing connections, looking into databases."""

from collections.abc import Iterable

from sqlalchemy import Connection as StoreConnection

from zcbus.connectors.planned import GROUPS, PLANNED, PlannedKind
from zcbus.connectors.registry import KINDS
from zcbus.connectors.spec import KindSpec, Option
from zcbus.control.features.container.reasons import ReasonTexts
from zcbus.control.features.container.requests import Place, ask
from zcbus.control.features.container.service import find_place
from zcbus.control.features.datasource import connections, repository
from zcbus.control.features.datasource.errors import ConnectionIncompleteError, KindUnsupportedError
from zcbus.control.features.datasource.inventory import Inventory, page
from zcbus.control.features.datasource.schemas import (
    ColumnRecord,
    ConnectionChoice,
    ConnectionInput,
    ConnectionTestRecord,
    DbTypeRecord,
    DescribeRequest,
    KindRecord,
    OptionRecord,
    SchemaListRequest,
    Side,
    TableDescription,
    TablePageRequest,
    TableRecord,
    TestRow,
)
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.language import Language
from zcbus.control.platform.paging import Page
from zcbus.protocol.base import Connection, TableRef
from zcbus.protocol.requests import (
    Check,
    ColumnLine,
    ConnectionTest,
    DescribeTables,
    Description,
    Descriptions,
    ListSchemas,
    Schemas,
    TestConnection,
)

_inventory = Inventory()


def kinds(texts: ReasonTexts, side: Side | None) -> list[KindRecord]:
    """The kinds this version supports, with the options their forms are built from; then those it does not."""
    supported = [_kind_record(spec, texts) for spec in _specs(side)]
    return _by_group([*supported, *(_planned_record(planned, texts) for planned in PLANNED)])


def db_types(texts: ReasonTexts, wanted: str) -> list[DbTypeRecord]:
    """The same in the specification's words."""
    side: Side | None = {"publish": "source", "subscribe": "target"}.get(wanted.lower())  # type: ignore[assignment]
    return [
        DbTypeRecord(
            id=kind.kind,
            moduletype=kind.kind,
            group=kind.group,
            group_label=kind.group_label,
            pngpath="",
            valid=int(kind.valid),
            if_distributed=False,
            label=kind.label,
        )
        for kind in kinds(texts, side)
    ]


def modules(texts: ReasonTexts, moduletype: str) -> list[KindRecord]:
    """What a connection of one kind is made of. Raises KindUnsupportedError for kinds this version does not support."""
    found = [kind for kind in kinds(texts, None) if kind.kind == moduletype and kind.valid]
    if not found:
        raise KindUnsupportedError(kind=moduletype)
    return found


def test(call: Call, choice: ConnectionChoice, side: Side) -> tuple[bool, ConnectionTestRecord]:
    """Have an agent test a connection check by check. Returns whether no blocking check failed, and the checks."""
    place, connection = choose(call, choice, side)
    answer = ask(call.services, place, TestConnection(connection=connection, side=choice.side or side), ConnectionTest)
    rows = [_test_row(check, ReasonTexts.of(call)) for check in answer.checks]
    return answer.ok, ConnectionTestRecord(test_connection_info_list=rows)


def list_schemas(call: Call, request: SchemaListRequest) -> list[str]:
    """Schemas (databases for MySQL) that the connection's user can see."""
    place, connection = choose(call, request.connection, "source")
    return list(ask(call.services, place, ListSchemas(connection=connection), Schemas).schemas)


def list_tables(call: Call, request: TablePageRequest) -> Page[TableRecord]:
    """A part of a database's tables."""
    place, connection = choose(call, request.connection, "source")
    tables = _inventory.tables(call.services, place, connection, refresh=request.refresh)
    return page(tables, request, ReasonTexts.of(call))


def describe_tables(call: Call, request: DescribeRequest) -> list[TableDescription]:
    """Columns and keys of tables, and what becomes of the columns on a kind of target."""
    place, connection = choose(call, request.connection, "source")
    refs = tuple(TableRef(schema_name=table.schema_name, table=table.table) for table in request.tables)
    question = DescribeTables(connection=connection, tables=refs, target_kind=request.target_kind)
    answer = ask(call.services, place, question, Descriptions)
    return [_description(table, ReasonTexts.of(call)) for table in answer.tables]


def choose(call: Call, choice: ConnectionChoice, side: Side) -> tuple[Place, Connection]:
    """The connection meant, and who is to use it. Raises ConnectionIncompleteError, RecordNotFoundError and what
    `connections.check` raises."""
    with call.services.database.read() as store:
        if choice.link_id is not None:
            return _of_link(call, store, choice.link_id, choice.side or side)
        place = find_place(store, call.principal)
    given = _complete(choice)
    connections.check(given, side)
    return place, connections.wire(given)


def _of_link(call: Call, store: StoreConnection, link_id: str, side: Side) -> tuple[Place, Connection]:
    row = repository.find_of_link(store, link_id, side, call.principal)
    if row is None:
        raise RecordNotFoundError(kind="sync-link", id=link_id)
    return Place(row.container_id, row.container_name), connections.open_row(call.services.secrets, row)


def _complete(choice: ConnectionChoice) -> ConnectionInput:
    if None in (choice.kind, choice.host, choice.port, choice.user, choice.database):
        raise ConnectionIncompleteError
    given = choice.model_dump(by_alias=False, exclude={"link_id", "side"}, exclude_none=True)
    return ConnectionInput.model_validate(given)


def _specs(side: Side | None) -> Iterable[KindSpec]:
    specs = (entry.spec for entry in KINDS.values())
    return (spec for spec in specs if side is None or (spec.source if side == "source" else spec.target))


def _by_group(records: list[KindRecord]) -> list[KindRecord]:
    """Supported kinds first, the others by group."""
    return sorted(records, key=lambda record: (not record.valid, GROUPS.index(record.group)))


def _planned_record(planned: PlannedKind, texts: ReasonTexts) -> KindRecord:
    return KindRecord(
        kind=planned.kind,
        label=planned.label,
        group=planned.group,
        group_label=texts.named(f"kind-group.{planned.group}", planned.group),
        valid=False,
        source=False,
        target=False,
        options=[],
    )


def _kind_record(spec: KindSpec, texts: ReasonTexts) -> KindRecord:
    return KindRecord(
        kind=spec.kind,
        label=spec.label,
        group=spec.group,
        group_label=texts.named(f"kind-group.{spec.group}", spec.group),
        valid=True,
        source=spec.source,
        target=spec.target,
        options=[_option_record(option, texts.language) for option in spec.options],
    )


def _option_record(option: Option, language: Language) -> OptionRecord:
    return OptionRecord(
        name=option.name,
        type=option.type,
        label=option.label_zh if language == "zh" else option.label_en,
        required=option.required,
        default=option.default,
        choices=list(option.choices),
        maximum=option.maximum,
        help=option.help_zh if language == "zh" else option.help_en,
    )


def _test_row(check: Check, texts: ReasonTexts) -> TestRow:
    return TestRow(
        test_matters=texts.named(f"check.{check.item}", check.item),
        check_sql=check.statement,
        status=check.ok,
        log_info=check.detail,
        remedy=check.remedy,
        blocking=check.blocking,
        item=check.item,
    )


def _description(table: Description, texts: ReasonTexts) -> TableDescription:
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
