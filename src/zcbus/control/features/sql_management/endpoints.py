"""Calls of SQL management."""

from zcbus.control.features.captcha.deletion import confirm_deletion
from zcbus.control.features.sql_management import databases, history, running, saved
from zcbus.control.features.sql_management.schemas import (
    RUNS,
    STATEMENTS,
    SqlCatalog,
    SqlChange,
    SqlColumnsRequest,
    SqlCommit,
    SqlDatabase,
    SqlDatabaseChoice,
    SqlDeletion,
    SqlInput,
    SqlPageRequest,
    SqlRecord,
    SqlRows,
    SqlRun,
    SqlRunPageRequest,
    SqlRunRecord,
    SqlTableColumns,
)
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.paging import Page, answer_page
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api
from zcbus.control.platform.schema import Empty

api = Api("sql")

MENU_KEY = "resource/sqlManagement"
_VIEW = authorise(MENU_KEY, Operation.VIEW)
_RUN = authorise(MENU_KEY, Operation.OPERATE)
_BASE = "/api/zcbus/resource/sql"


@api.read(f"{_BASE}/page", _VIEW, lists=STATEMENTS)
def page(call: Call, body: SqlPageRequest) -> Page[SqlRecord]:
    """Saved statements of the tenant."""
    return answer_page(call, body, saved.listing(call.principal, body))


@api.change(f"{_BASE}/add", authorise(MENU_KEY, Operation.CREATE))
def add(call: Call, body: SqlInput) -> SqlRecord:
    """Keep a statement under a description of at most 30 characters."""
    call.audit.subject = body.description
    return saved.add(call, body)


@api.change(f"{_BASE}/edit", authorise(MENU_KEY, Operation.EDIT))
def edit(call: Call, body: SqlChange) -> SqlRecord:
    """Change a saved statement."""
    row = saved.find(call.connection, call.principal, body.id)
    call.audit.subject, call.audit.before = row.description, saved.record(row).model_dump(mode="json")
    return saved.edit(call, row, body)


@api.change(f"{_BASE}/delete", authorise(MENU_KEY, Operation.DELETE))
def delete(call: Call, body: SqlDeletion) -> None:
    """Move a saved statement into the recycle bin. Codes 40104 and 40105 speak of the captcha."""
    confirm_deletion(call, body)
    row = saved.find(call.connection, call.principal, body.id)
    call.audit.subject, call.audit.before = row.description, saved.record(row).model_dump(mode="json")
    call.audit.after = None
    saved.remove(call, row)


@api.read(f"{_BASE}/database/list", _VIEW)
def list_databases(call: Call, body: Empty) -> list[SqlDatabase]:
    """Stored databases that statements can be run against."""
    return databases.list_all(call)


@api.read(f"{_BASE}/catalog", _RUN, unit=Unit.OWN)
def catalog(call: Call, body: SqlDatabaseChoice) -> SqlCatalog:
    """Tables of a database."""
    return databases.catalog(call, body.database_id)


@api.read(f"{_BASE}/columns", _RUN, unit=Unit.OWN)
def columns(call: Call, body: SqlColumnsRequest) -> list[SqlTableColumns]:
    """Columns of some tables."""
    return databases.columns(call, body)


@api.change(f"{_BASE}/run", _RUN, unit=Unit.OWN, followed=True)
def run(call: Call, body: SqlRun) -> SqlRows:
    """Run one statement that reads, or show its plan. Each run is in the operation log."""
    return running.run(call, body)


@api.change(f"{_BASE}/commit", authorise("Resource.SqlWrite", Operation.OPERATE), unit=Unit.OWN, followed=True)
def commit(call: Call, body: SqlCommit) -> SqlRows:
    """Run one statement and commit it; its caller needs the right to run statements as well."""
    _RUN.check(call.principal)
    return running.commit(call, body)


@api.read(f"{_BASE}/run/page", _RUN, lists=RUNS)
def page_runs(call: Call, body: SqlRunPageRequest) -> Page[SqlRunRecord]:
    """The caller's statements within 30 days."""
    return answer_page(call, body, history.listing(call, body))
