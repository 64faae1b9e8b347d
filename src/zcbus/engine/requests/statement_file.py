"""Rows of a statement as a file on the agent's host, in the tenant's folder (ZCBUS_FILES_DIR)."""

from collections.abc import Callable, Mapping
from pathlib import Path

import orjson

from zcbus.connectors.csv_rows import csv_of
from zcbus.connectors.queries import Found
from zcbus.kit.errors import TerminalError
from zcbus.kit.file_folder import confined
from zcbus.kit.files import write_durably


class ExportIncomplete(TerminalError):
    """The statement finds more rows than the export may take; no file was written. Facts: rows."""

    code = "export-incomplete"


class ExportNotWritten(TerminalError):
    """The file cannot be written; one of that name is as it was. Facts: file, detail."""

    code = "export-not-written"


def write_rows(found: Found, tenant: str, name: str) -> int:
    """Write rows as a file whose format its ending names (`FORMATS`); returns its bytes.

    Whole or not at all: it gets its name once it is on disk, and then takes the place of one of that name, so an export
    can be repeated. Raises ExportIncomplete, ExportNotWritten.
    """
    if found.more:
        raise ExportIncomplete(rows=len(found.rows))
    content = FORMATS[Path(name).suffix](found)
    try:
        path = confined(tenant, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_durably(path, content)
    except OSError as error:
        raise ExportNotWritten(file=name, detail=str(error)) from error
    return len(content)


def _csv(found: Found) -> bytes:
    return csv_of(found, guarded=True)


def _json_lines(found: Found) -> bytes:
    """An object a line, values as found. Of columns of one name the last counts."""
    names = [name for name, _ in found.columns]
    options = orjson.OPT_APPEND_NEWLINE
    return b"".join(orjson.dumps(dict(zip(names, row, strict=True)), default=str, option=options) for row in found.rows)


FORMATS: Mapping[str, Callable[[Found], bytes]] = {".csv": _csv, ".jsonl": _json_lines}
