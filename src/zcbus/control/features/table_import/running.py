"""Execution of imports by the agent that reaches the database, which fetches the file."""

from collections.abc import Iterator

from zcbus.connectors.registry import KINDS
from zcbus.control.features.container import agents
from zcbus.control.features.datasource.service import inventory
from zcbus.control.features.sql_management import databases
from zcbus.control.features.sql_management.databases import Database
from zcbus.control.features.sql_management.schemas import SqlCatalog, SqlDatabase, SqlTable
from zcbus.control.features.table_import.schemas import (
    MAX_RECORDS,
    DataImportFault,
    DataImportResult,
    DataImportRun,
    DataImportTable,
    DataImportTableColumn,
)
from zcbus.control.features.upload import service as uploads
from zcbus.control.platform.agent_requests import ask, handed_to
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.protocol.answers import Descriptions
from zcbus.protocol.base import TableRef
from zcbus.protocol.requests import DescribeTables
from zcbus.protocol.table_import import ImportColumn, ImportOutcome, ImportTable, UploadedFile

_MAX_TABLES = 5_000
_SECONDS = 600
"""So long the agent's child process may read the file before it reports progress."""
_LISTED = 1000
_LOGGED = 20
KINDS_WRITTEN = sorted(
    kind
    for kind, entry in KINDS.items()
    if entry.spec.capabilities.delivery == "transactional" and entry.spec.capabilities.ddl
)
"""Kinds that write an import in one transaction."""


def list_databases(call: Call) -> list[SqlDatabase]:
    """Stored databases that files can be imported into."""
    return databases.list_all(call, KINDS_WRITTEN)


def tables(call: Call, database_id: str) -> SqlCatalog:
    """Raises what `databases.find` and `ask` raise."""
    database = databases.find(call, database_id, KINDS_WRITTEN)
    found = inventory.tables(call.services, database.place, database.connection, refresh=True)
    named = [SqlTable(schema_name=line.schema_name, table=line.table) for line in found[:_MAX_TABLES]]
    return SqlCatalog(tables=named, more=len(found) > _MAX_TABLES)


def columns(call: Call, choice: DataImportTable) -> list[DataImportTableColumn]:
    """Raises what `databases.find` and `ask` raise, TableMissing among them."""
    database = databases.find(call, choice.database_id, KINDS_WRITTEN)
    ref = TableRef(schema_name=choice.schema_name, table=choice.table)
    request = DescribeTables(connection=database.connection, tables=(ref,))
    [found] = ask(call.services, database.place, request, Descriptions).tables
    return [
        DataImportTableColumn(name=one.name, type=one.native_type, nullable=one.nullable, key=one.key)
        for one in found.columns
    ]


def run(call: Call, given: DataImportRun) -> DataImportResult:
    """Import a file; the uploaded one is removed where the table was changed. Raises what `databases.find` and `ask`
    raise, and RecordNotFoundError."""
    database = databases.find(call, given.database_id, KINDS_WRITTEN)
    with call.services.database.read() as store:
        row = uploads.find_own_ready(store, call.principal, given.upload_id, "data")
    table = f"{given.schema_name}.{given.table}" if given.schema_name else given.table
    call.audit.subject = f"{database.name} {table}"
    call.audit.after = {"file": row.name, "sha256": row.sha256, **given.model_dump(mode="json", by_alias=True)}
    # Nothing is written that is not in the operation log beforehand.
    with call.services.database.write() as store:
        call.record_begun(store)
    file = UploadedFile(id=row.id, size=row.size, sha256=row.sha256)
    request = _request(given, database, row.kind, file)
    outcome = ask(call.services, database.place, request, ImportOutcome, _SECONDS, call.progress)
    counts = {"committed": outcome.committed, "written": outcome.written, "refused": outcome.refused}
    lines = [one.line for one in outcome.records[:_LOGGED]]
    call.audit.after = {**call.audit.after, **counts, "refusedLines": lines}
    if outcome.committed:
        uploads.remove(call, row)
    return DataImportResult(
        committed=outcome.committed,
        read=outcome.read,
        written=outcome.written,
        refused=outcome.refused,
        faults=[
            DataImportFault(line=one.line, column=one.column, detail=one.detail) for one in outcome.records[:_LISTED]
        ],
        duration_ms=outcome.duration_ms,
    )


def file_for_agent(call: Call, agent_id: str, upload_id: str) -> Iterator[bytes]:
    """The file of an import that the agent works on. Raises RecordNotFoundError, and what `admit_agent` raises."""
    with call.services.database.read() as store:
        agents.admit_agent(store, call.principal, agent_id)
        requests = handed_to(store, call.services.secrets, agent_id, "import-table")
        if not any(isinstance(one, ImportTable) and one.file.id == upload_id for one in requests):
            raise RecordNotFoundError(kind="upload", id=upload_id)
        row = uploads.find_any(store, upload_id, "data")
    return uploads.content(call, row)


def _request(given: DataImportRun, database: Database, form: str, file: UploadedFile) -> ImportTable:
    return ImportTable(
        connection=database.connection,
        file=file,
        form=form,
        delimiter=given.delimiter,
        header=given.header,
        sheet=given.sheet,
        table=TableRef(schema_name=given.schema_name, table=given.table),
        create=given.create,
        columns=tuple(ImportColumn(**column.model_dump()) for column in given.columns),
        mode=given.mode,
        skip_refused=given.skip_refused,
        check_only=given.check_only,
        row_limit=MAX_RECORDS,
    )
