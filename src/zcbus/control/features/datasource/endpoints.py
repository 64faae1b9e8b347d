"""Calls of data sources."""

from fastapi import Query

from zcbus.control.features.datasource import service, stored
from zcbus.control.features.datasource.inventory import TABLES
from zcbus.control.features.datasource.schemas import (
    ConnectionChoice,
    ConnectionTestRecord,
    CurrentTestRequest,
    DbTypeRecord,
    DbTypeRequest,
    DescribeRequest,
    DocumentImportRecord,
    DocumentImportRequest,
    DocumentListRequest,
    SchemaListRequest,
    ShippedDocumentRecord,
    Side,
    TableDescription,
    TablePageRequest,
    TablePreviewRecord,
    TablePreviewRequest,
    TableRecord,
)
from zcbus.control.platform.authorisation import Access, authorise, authorise_any
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.errors import SHOW_MESSAGE
from zcbus.control.platform.paging import Page
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.platform.routing import Api

TEST_PASSED = 20200

api = Api("datasource")

_VIEW = authorise("sync-link", Operation.VIEW)
# Links, publications and subscriptions are all created from connections.
_VIEW_ANY = authorise_any(
    *((key, Operation.VIEW) for key in ("sync-link", "publish", "subscribe", "databus", "stream")),
    ("data-service/api-group", Operation.VIEW),
)


def _makers_of(*menu_keys: str) -> Access:
    """Users who may create or change what one of these pages has."""
    return authorise_any(*((key, operation) for key in menu_keys for operation in (Operation.EDIT, Operation.CREATE)))


_TEST_SOURCE = _makers_of("sync-link", "publish")
_TEST_TARGET = _makers_of("sync-link", "subscribe", "databus", "stream")


@api.read("/api/zcbus/common/getDBType", _VIEW_ANY)
def list_db_types(call: Call, body: DbTypeRequest) -> list[DbTypeRecord]:
    """Kinds of data sources with the typed options of their connections; unusable ones have `valid` 0."""
    return service.db_types(ReasonTexts.of(call), body.type)


@api.read("/api/zcbus/subscribe/db/get-dbType-module", _VIEW_ANY, method="GET")
def list_modules(call: Call, moduletype: str = Query(alias="dbType", max_length=50)) -> list[DbTypeRecord]:
    """The options of a kind's connection form."""
    return service.modules(ReasonTexts.of(call), moduletype)


@api.read("/api/zcbus/datasource/document/list", _VIEW_ANY)
def list_documents(call: Call, body: DocumentListRequest) -> list[ShippedDocumentRecord]:
    """Ready-made documents of well-known services, for the connection form of a kind."""
    return service.documents(body.kind)


@api.change("/api/zcbus/dynamic/datasource/test-db-parameter", _TEST_SOURCE, unit=Unit.OWN)
def test_source(call: Call, body: ConnectionChoice) -> ConnectionTestRecord:
    """Test a source connection check by check; code 20200 when no blocking check failed."""
    return _test(call, body, "source")


@api.change("/api/zcbus/dynamic/datasource/preview", _TEST_SOURCE, unit=Unit.OWN)
def preview_source(call: Call, body: TablePreviewRequest) -> TablePreviewRecord:
    """The first rows of a table over a source connection of a kind with `preview`, and mismatches of its document."""
    call.audit.subject = _subject(body.connection)
    stored.check(call, [body.connection])
    return service.preview(call, body)


@api.change("/api/zcbus/dynamic/datasource/document/import", _TEST_SOURCE, unit=Unit.OWN)
def import_document(call: Call, body: DocumentImportRequest) -> DocumentImportRecord:
    """The operations of an OpenAPI description that can become tables, and the document of the selected ones."""
    # The query of an address may have secrets, and a text may be long.
    address = body.address.partition("?")[0]
    call.audit.subject = address or "OpenAPI"
    call.audit.after = {"kind": body.kind, "address": address, "characters": len(body.text), "selected": body.selected}
    return service.import_document(call, body)


@api.change("/api/zcbus/dynamic/datasource/subscribe/test-db-parameter", _TEST_TARGET, unit=Unit.OWN)
def test_target(call: Call, body: ConnectionChoice) -> ConnectionTestRecord:
    """Test a target connection check by check; code 20200 when no blocking check failed."""
    return _test(call, body, "target")


@api.change("/api/zcbus/dynamic/datasource/subscribe/current/test-db-parameter", _TEST_TARGET, unit=Unit.OWN)
def test_current_targets(call: Call, body: CurrentTestRequest) -> ConnectionTestRecord:
    """Test all target databases of a form or of a subscriber; code 20200 when no blocking check of any failed."""
    call.audit.subject = _subject(*body.bus_client_db_parameter_list)
    stored.check(call, body.bus_client_db_parameter_list)
    return _answer(call, *service.test_all(call, body.bus_client_db_parameter_list, "target"))


@api.read("/api/zcbus/datasource/schema/list", _VIEW, unit=Unit.OWN)
def list_schemas(call: Call, body: SchemaListRequest) -> list[str]:
    """Schemas (databases for MySQL) that a connection's user can see."""
    return service.list_schemas(call, body)


@api.read("/api/zcbus/datasource/table/page", _VIEW, unit=Unit.OWN, lists=TABLES)
def page_tables(call: Call, body: TablePageRequest) -> Page[TableRecord]:
    """Tables of a database by page, searched, filtered and sorted here."""
    return service.list_tables(call, body)


@api.read("/api/zcbus/datasource/table/describe", _VIEW, unit=Unit.OWN)
def describe_tables(call: Call, body: DescribeRequest) -> list[TableDescription]:
    """Columns and keys of tables, and the columns' types on a kind of target."""
    return service.describe_tables(call, body)


def _test(call: Call, choice: ConnectionChoice, side: Side) -> ConnectionTestRecord:
    call.audit.subject = _subject(choice)
    stored.check(call, [choice])
    return _answer(call, *service.test(call, choice, side))


def _subject(*choices: ConnectionChoice) -> str | None:
    named = (choice.link_id or choice.node_master or choice.database_id or choice.address for choice in choices)
    return ", ".join(filter(None, named)) or None


def _answer(call: Call, passed: bool, record: ConnectionTestRecord) -> ConnectionTestRecord:
    if passed:
        call.answers(TEST_PASSED, "connection-test-passed")
    else:
        call.answers(SHOW_MESSAGE, "connection-test-failed")
    return record
