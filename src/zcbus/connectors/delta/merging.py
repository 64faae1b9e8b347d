"""Parts of a transaction, each merged into its table by one commit."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from deltalake import DeltaTable, write_deltalake

from zcbus.connectors.delta.folder import LakeFolder, commit, identifier, schema_of
from zcbus.connectors.delta.types import TYPES
from zcbus.connectors.folder_names import folder_of
from zcbus.connectors.lakes.parts import GONE, Part, key_columns, whole
from zcbus.model.kernels import compute


def merge(folder: LakeFolder, part: Part, application: str, number: int) -> bool:
    """Apply a part to its table unless it was applied before. Returns whether files were rewritten. Raises
    ConcurrentCommit."""
    table = folder.open(folder_of(part.table))
    if table is None or (table.transaction_version(application) or 0) >= number:
        return False  # a table that was dropped later has no rows to change
    rows = part.rows()
    key = key_columns(rows)
    properties = commit(application, number)
    with folder.translated(part.table):
        there = set(schema_of(table).names)
        rows = rows.select([name for name in rows.schema.names if name in there or name == GONE])
        if _is_new(table, rows, key):
            put = rows.filter(compute.invert(rows.column(GONE))).drop_columns([GONE])
            appended = whole(TYPES, put, schema_of(table))
            write_deltalake(table, appended, mode="append", commit_properties=properties)
            return False
        merged: Any = table.merge(
            rows,
            predicate=" AND ".join(f"t.{identifier(name)} = s.{identifier(name)}" for name in key),
            source_alias="s",
            target_alias="t",
            commit_properties=properties,
        )
        gone = f"s.{identifier(GONE)}"
        merged = merged.when_matched_delete(gone)
        merged = merged.when_matched_update_all(f"NOT {gone}", except_cols=[GONE])
        done = merged.when_not_matched_insert_all(f"NOT {gone}", except_cols=[GONE]).execute()
    return bool(done["num_target_files_removed"])


def _is_new(table: DeltaTable, rows: pa.Table, key: Sequence[str]) -> bool:
    """Whether no row of the table can have one of these keys, as the files' least and greatest values show: a load in
    the order of the key only adds."""
    files = pa.table(table.get_add_actions(flatten=True))
    if not files.num_rows:
        return True
    for name in key:
        least, greatest = f"min.{name}", f"max.{name}"
        if not pa.types.is_integer(rows.schema.field(name).type) or not {least, greatest} <= set(files.column_names):
            continue  # the library may cut other values
        ends = compute.min_max(rows.column(name)).as_py()
        behind = compute.less(files.column(greatest), ends["min"])
        before = compute.greater(files.column(least), ends["max"])
        if compute.all(compute.fill_null(compute.or_(behind, before), False)).as_py():
            return True
    return False


def tidy(folder: LakeFolder, name: str, hours: int) -> None:
    """Delete files that the newest version of a table has not needed for so many hours."""
    table = folder.open(folder_of(name))
    if table is not None:
        with folder.translated(name):
            table.vacuum(retention_hours=hours, dry_run=False, enforce_retention_duration=False)
