"""What an uploaded file has, read in a child process with limits."""

import threading
from contextlib import closing

from zcbus.connectors.formats.tabular import FileForm, Sample, sample
from zcbus.control.features.table_import.errors import ImportBusyError, ImportFileUnreadableError
from zcbus.control.features.table_import.schemas import (
    DataImportColumn,
    DataImportFault,
    DataImportFile,
    DataImportPreview,
    DataImportRow,
)
from zcbus.control.features.upload import service as uploads
from zcbus.control.platform.call import Call
from zcbus.kit.confined import Confined, Overrun

_MEMORY, _SECONDS = 1 << 30, 60
_ROWS = 20
_AT_ONCE = threading.BoundedSemaphore(2)
"""Each takes a processor and memory of the control plane."""


def preview(call: Call, given: DataImportFile) -> DataImportPreview:
    """Raises RecordNotFoundError, ImportFileUnreadableError, ImportBusyError, KeepingUnavailable."""
    with call.services.database.read() as store:
        row = uploads.find_own_ready(store, call.principal, given.upload_id, "data")
    if not _AT_ONCE.acquire(timeout=_SECONDS):
        raise ImportBusyError
    try:
        with uploads.on_disk(call, row) as path, closing(Confined(_MEMORY, _SECONDS)) as child:
            form = FileForm(row.kind, given.delimiter, given.header, given.sheet)
            found = child.call(sample, str(path), form, _ROWS)
    except (ValueError, Overrun) as error:
        raise ImportFileUnreadableError(name=row.name, detail=str(error)[:300]) from error
    finally:
        _AT_ONCE.release()
    return _record(found)


def _record(found: Sample) -> DataImportPreview:
    return DataImportPreview(
        columns=[DataImportColumn(name=column.name, type=column.type) for column in found.columns],
        rows=[DataImportRow(line=line, values=values) for line, values in found.rows],
        records=found.records,
        refused=found.refused,
        faults=[DataImportFault(line=one.line, column=one.column, detail=one.detail) for one in found.faults],
    )
