"""Parts of a transaction, each merged into its table by one commit."""

from typing import Any

import pyarrow as pa
from deltalake import DeltaTable, write_deltalake

from zcbus.connectors.delta.folder import LakeFolder, commit, identifier, schema_of
from zcbus.connectors.delta.staging import is_new, read_staged, unstage, untaken
from zcbus.connectors.delta.types import TYPES
from zcbus.connectors.folder_names import folder_of
from zcbus.connectors.lakes.parts import GONE, Part, key_columns, put_rows, whole


def merge(folder: LakeFolder, part: Part, application: str, number: int) -> bool:
    """Apply a part to its table unless it was applied before. Returns whether files were rewritten. Raises
    ConcurrentCommit."""
    table = folder.open(folder_of(part.table))
    if table is None or (table.transaction_version(application) or 0) >= number:
        return False  # a table that was dropped later has no rows to change
    whole_part = part if part.added is not None or not part.staged else read_staged(folder, part)
    properties = commit(application, number)
    with folder.translated(part.table):
        rows = whole_part.rows
        names = set(schema_of(table).names)
        if part.added is not None and {*names, GONE} == set(rows.schema.names) and is_new(table, rows):
            table.create_write_transaction([part.added], "append", table.schema(), commit_properties=properties)
            return False
        rewritten = _merged(table, rows.select([one for one in rows.schema.names if one in {*names, GONE}]), properties)
    if part.staged:
        unstage(folder, part)
    return rewritten


def _merged(table: DeltaTable, rows: pa.Table, properties: Any) -> bool:
    """Whether files were rewritten."""
    if is_new(table, rows):
        appended = whole(TYPES, put_rows(rows), schema_of(table))
        write_deltalake(table, appended, mode="append", commit_properties=properties)
        return False
    key = key_columns(rows)
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


def tidy(folder: LakeFolder, name: str, hours: int) -> None:
    """Delete files that the newest version of a table has not needed for so many hours."""
    table = folder.open(folder_of(name))
    if table is not None:
        with folder.translated(name):
            table.vacuum(retention_hours=hours, dry_run=False, enforce_retention_duration=False)
            untaken(folder, folder_of(name), table, hours)
