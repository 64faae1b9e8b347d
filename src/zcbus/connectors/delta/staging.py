"""Files with the rows of a load, written before the load's transaction is decided; then a commit of their table names
them. So the rows are written once."""

import time
import uuid
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import orjson
import pyarrow as pa
from deltalake import DeltaTable
from deltalake.transaction import AddAction
from pyarrow import parquet

from zcbus.connectors.delta.folder import LakeFolder, schema_of
from zcbus.connectors.errors import DatabaseFailed
from zcbus.connectors.folder_names import folder_of
from zcbus.connectors.formats.written.parquet import repeating
from zcbus.connectors.lakes.parts import GONE, Part, key_columns, put_rows
from zcbus.model.kernels import compute

_PREFIX = "zcbus-load-"
_FEATURES = frozenset({"timestampNtz", "appendOnly", "changeDataFeed", "checkConstraints", "invariants"})
"""What a table may ask of its writers so that a file of rows is all that an append needs. Constraints are looked for
besides: their mere support asks nothing."""
_OLD_WRITERS = 4
_ASKING = ("delta.invariants", "delta.generationExpression", "delta.identity.start")
_LOG_HOURS = 168
"""That the log of a table names removed files, unless the table says otherwise."""
_TEXT = 64
"""Letters of texts that stand as least and greatest values of a file."""


def stage(folder: LakeFolder, part: Part) -> Part:
    """See LakeWriter.stage."""
    place = folder_of(part.table)
    table = folder.open(place)
    with folder.translated(part.table):
        if table is None or not _takes_files(table, part.rows.schema) or not is_new(table, part.rows):
            return part
        rows = put_rows(part.rows).replace_schema_metadata(None)
        out, written = pa.BufferOutputStream(), list[Any]()
        parquet.write_table(
            rows,
            out,
            compression="snappy",
            use_dictionary=repeating(rows),
            store_schema=False,
            metadata_collector=written,
        )
        data, name = out.getvalue().to_pybytes(), f"{_PREFIX}{uuid.uuid4().hex}.parquet"
        folder.write(f"{place}/{name}", data)
    now = int(time.time() * 1000)
    added = AddAction(name, len(data), {}, now, True, orjson.dumps(_statistics(written[0])).decode())
    return replace(part, staged=f"{place}/{name}", added=added)


def unstage(folder: LakeFolder, part: Part) -> None:
    """Delete the file of a part. Idempotent."""
    with folder.translated(part.table), suppress(FileNotFoundError):
        folder.delete(part.staged)


def read_staged(folder: LakeFolder, part: Part) -> Part:
    """A part with the rows of its file, which another process wrote."""
    with folder.translated(part.table):
        try:
            return part.with_rows(parquet.read_table(folder.file(part.staged)))
        except FileNotFoundError as error:
            detail = f"{part.staged} with rows of a load is missing; load the table again"
            raise DatabaseFailed(kind=folder.kind, detail=detail, table=part.table) from error


def is_new(table: DeltaTable, rows: pa.Table) -> bool:
    """Whether no row of the table can have the key of one of a part's rows, as the files' least and greatest values
    show: a load in the order of the key only adds."""
    files = pa.table(table.get_add_actions(flatten=True))
    if not files.num_rows:
        return True
    for name in key_columns(rows):
        least, greatest = f"min.{name}", f"max.{name}"
        if not pa.types.is_integer(rows.schema.field(name).type) or not {least, greatest} <= set(files.column_names):
            continue  # the library may cut other values
        ends = compute.min_max(rows.column(name)).as_py()
        behind = compute.less(files.column(greatest), ends["min"])
        before = compute.greater(files.column(least), ends["max"])
        if compute.all(compute.fill_null(compute.or_(behind, before), False)).as_py():
            return True
    return False


def untaken(folder: LakeFolder, place: str, table: DeltaTable, hours: int) -> None:
    """Delete files of loads that were never decided, once they are so old. The log names taken files that were removed
    since for a week."""
    if hours > _LOG_HOURS:
        return
    removed = table.vacuum(retention_hours=0, dry_run=True, enforce_retention_duration=False)
    named = {one.rpartition("/")[2] for one in (*table.file_uris(), *removed)}
    old = datetime.now(UTC) - timedelta(hours=hours)
    for path, written_at in folder.listed(place):
        name = path.rpartition("/")[2]
        if name.startswith(_PREFIX) and name not in named and written_at < old:
            folder.delete(path)


def _takes_files(table: DeltaTable, schema: pa.Schema) -> bool:
    """Whether a file with a part's rows is all that an append to the table needs."""
    asked, metadata = table.protocol(), table.metadata()
    columns = {one.name: one for one in schema_of(table)}
    return (
        (asked.min_writer_version <= _OLD_WRITERS or set(asked.writer_features or ("",)) <= _FEATURES)
        and not metadata.partition_columns
        and not any(one.startswith("delta.constraints.") for one in metadata.configuration)
        and not any(name in _metadata(one) for one in columns.values() for name in _ASKING)
        and {name: one.type for name, one in columns.items()}
        == {one.name: one.type for one in schema if one.name != GONE}
    )


def _metadata(column: "pa.Field[Any]") -> set[str]:
    found: Any = column.metadata or {}
    return {name.decode() for name in found}


def _statistics(file: Any) -> dict[str, Any]:
    """What the log says of a file: rows, nulls, and least and greatest values of types that it has without loss."""
    least, greatest, nulls = dict[str, Any](), dict[str, Any](), dict[str, int]()
    groups = [file.row_group(number) for number in range(file.num_row_groups)]
    for place in range(file.num_columns):
        found = [group.column(place).statistics for group in groups]
        name = file.schema.column(place).path
        if any(one is None or not one.has_null_count for one in found):
            continue
        nulls[name] = sum(one.null_count for one in found)
        ends = [end for one in found if one.has_min_max for end in (one.min, one.max)]
        if len(ends) == 2 * len(found) and all(_is_exact(one) for one in ends):
            least[name], greatest[name] = min(ends), max(ends)
    return {"numRecords": file.num_rows, "minValues": least, "maxValues": greatest, "nullCount": nulls}


def _is_exact(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= _TEXT
    return type(value) in (int, date)
