"""Calls of imports into a table.

POST /api/database/upload {name, size}   → {id}, then parts and `upload/finish` as for every upload
POST resource/import/preview {uploadId}  → columns, first rows, what is malformed
POST resource/import/run {…}             → {committed, written, refused, faults}
"""

from typing import Annotated

from fastapi import Query
from fastapi.responses import StreamingResponse

from zcbus.control.features.sql_management.schemas import SqlCatalog, SqlDatabase, SqlDatabaseChoice
from zcbus.control.features.table_import import preview as previews
from zcbus.control.features.table_import import running
from zcbus.control.features.table_import.schemas import (
    DataImportFile,
    DataImportPreview,
    DataImportResult,
    DataImportRun,
    DataImportTable,
    DataImportTableColumn,
    UploadId,
)
from zcbus.control.features.upload import service as uploads
from zcbus.control.features.upload.endpoints import begun
from zcbus.control.features.upload.schemas import UploadBegin, UploadRecord
from zcbus.control.platform.authorisation import agents_only, authorise
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api
from zcbus.control.platform.schema import Empty
from zcbus.control.store.columns import ID_LENGTH

api = Api("import")

_WRITE = authorise("Resource.SqlWrite", Operation.OPERATE)
_BASE = "/api/zcbus/resource/import"


@api.change("/api/database/upload", _WRITE)
def begin(call: Call, body: UploadBegin) -> UploadRecord:
    """Begin the upload of data for a table: CSV, JSON, JSON lines, Parquet or Excel. Only its uploader uses it."""
    return begun(call, uploads.begin(call, body, "data"))


@api.read(f"{_BASE}/preview", _WRITE, unit=Unit.OWN)
def preview(call: Call, body: DataImportFile) -> DataImportPreview:
    """Columns, types and first rows of the caller's own file, and which of its records are malformed."""
    return previews.preview(call, body)


@api.read(f"{_BASE}/database/list", _WRITE)
def list_databases(call: Call, body: Empty) -> list[SqlDatabase]:
    """Stored databases that files can be imported into."""
    return running.list_databases(call)


@api.read(f"{_BASE}/table/list", _WRITE, unit=Unit.OWN)
def list_tables(call: Call, body: SqlDatabaseChoice) -> SqlCatalog:
    """Tables of a database."""
    return running.tables(call, body.database_id)


@api.read(f"{_BASE}/column/list", _WRITE, unit=Unit.OWN)
def list_columns(call: Call, body: DataImportTable) -> list[DataImportTableColumn]:
    """Columns of a table."""
    return running.columns(call, body)


@api.change(f"{_BASE}/run", _WRITE, unit=Unit.OWN, followed=True)
def run(call: Call, body: DataImportRun) -> DataImportResult:
    """Import the caller's own file into a table, in one transaction. It can be cancelled until that is committed."""
    return running.run(call, body)


@api.read("/api/zcbus/agent/import/file", agents_only(), method="GET", unit=Unit.OWN)
def file(
    call: Call,
    agent: Annotated[str, Query(min_length=1, max_length=ID_LENGTH)],
    id: Annotated[UploadId, Query()],  # noqa: A002  the name on the wire
) -> StreamingResponse:
    """The file of an import, for the agent that works on it."""
    return StreamingResponse(running.file_for_agent(call, agent, id), media_type="application/octet-stream")
