"""Old snapshots of a table, and files that none of its snapshots needs."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime

from pyiceberg.table import Table

from zcbus.connectors.iceberg.files import LakeFiles


def tidy(table: Table, files: LakeFiles, until: datetime) -> None:
    """Forget snapshots from before `until`, and delete files from before it that nothing names any more: also those of
    commits that were refused or cut. Raises CommitFailedException."""
    table.refresh()
    current = table.current_snapshot()
    old = [one.snapshot_id for one in table.snapshots() if one.timestamp_ms < until.timestamp() * 1000]
    if current is not None and set(old) - {current.snapshot_id}:
        table.maintenance.expire_snapshots().older_than(until).commit()
    named = set(_named(table))
    for location, written_at in files.listed(table.location()):
        if location not in named and written_at < until.timestamp():
            with suppress(FileNotFoundError):
                files.delete(location)


def _named(table: Table) -> Iterator[str]:
    """All files that the table needs."""
    yield table.metadata_location
    yield from (one.metadata_file for one in table.metadata.metadata_log)
    seen: set[str] = set()
    for snapshot in table.snapshots():
        yield snapshot.manifest_list
        for manifest in snapshot.manifests(table.io):
            if manifest.manifest_path not in seen:
                seen.add(manifest.manifest_path)
                yield manifest.manifest_path
                yield from (one.data_file.file_path for one in manifest.fetch_manifest_entry(table.io))
