"""Reading of a file in a child process with limits. Nothing of it is kept."""

import threading
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from zcbus.connectors.formats.tabular import Excerpt, excerpt
from zcbus.control.features.file_preview.errors import PreviewBusyError, PreviewUnreadableError
from zcbus.control.features.file_preview.schemas import FileExcerpt, PreviewColumn, PreviewRow
from zcbus.kit.confined import Confined, Overrun

_MEMORY, _SECONDS = 512 << 20, 10
_ROWS, _COLUMNS = 500, 100
_AT_ONCE = threading.BoundedSemaphore(2)
"""Each takes a processor and memory of the control plane."""


def preview(data: bytes, sheet: str) -> FileExcerpt:
    """Raises PreviewUnreadableError, PreviewBusyError."""
    if not _AT_ONCE.acquire(timeout=_SECONDS):
        raise PreviewBusyError
    try:
        with TemporaryDirectory(prefix="zcbus-preview-") as folder, closing(Confined(_MEMORY, _SECONDS)) as child:
            path = Path(folder) / "data"
            path.write_bytes(data)
            return _record(child.call(excerpt, str(path), sheet, _ROWS, _COLUMNS))
    except (ValueError, Overrun) as error:
        raise PreviewUnreadableError(detail=str(error)[:300]) from error
    finally:
        _AT_ONCE.release()


def _record(found: Excerpt) -> FileExcerpt:
    return FileExcerpt(
        kind=found.kind,
        sheets=found.sheets,
        sheet=found.sheet,
        columns=[PreviewColumn(name=column.name, type=column.type) for column in found.columns],
        total_columns=found.total_columns,
        rows=[PreviewRow(line=line, values=values) for line, values in found.rows],
        total_rows=found.total_rows,
    )
